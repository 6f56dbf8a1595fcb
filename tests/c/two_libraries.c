/* Two libraries in one program: that of a crate of one's own computes over memory of the other. */
#include <mo.h>
#include <opwright.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      failures++;                                                     \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
    }                                                                 \
  } while (0)

#define OW(call)                                                               \
  do {                                                                         \
    ow_error *error = (call);                                                  \
    CHECK(!error);                                                             \
    if (error) fprintf(stderr, "%s: %s\n", error->op, error->message);         \
    ow_error_free(error);                                                      \
  } while (0)

#define MO(call)                                                               \
  do {                                                                         \
    mo_error *error = (call);                                                  \
    CHECK(!error);                                                             \
    if (error) fprintf(stderr, "%s: %s\n", error->op, error->message);         \
    mo_error_free(error);                                                      \
  } while (0)

/* A tensor of `my_ops` over the memory of one of `opwright`, which lives as long. */
static mo_tensor *handed_over(const ow_tensor *theirs) {
  struct DLManagedTensorVersioned *managed = NULL;
  mo_tensor *own = NULL;
  OW(ow_tensor_to_dlpack(theirs, &managed));
  MO(mo_tensor_from_dlpack(managed, &own));
  return own;
}

/* The way back. */
static ow_tensor *handed_back(const mo_tensor *own) {
  struct DLManagedTensorVersioned *managed = NULL;
  ow_tensor *theirs = NULL;
  MO(mo_tensor_to_dlpack(own, &managed));
  OW(ow_tensor_from_dlpack(managed, &theirs));
  return theirs;
}

static void memory_is_shared(void) {
  const double numbers[] = {3.0, 5.0, 8.0};
  const int64_t sizes[] = {3};
  ow_tensor *legs = NULL, *others = NULL;
  OW(ow_tensor_from_data(numbers, sizes, 1, OW_FLOAT64, &legs));
  const double more[] = {4.0, 12.0, 15.0};
  OW(ow_tensor_from_data(more, sizes, 1, OW_FLOAT64, &others));
  mo_tensor *x = handed_over(legs), *y = handed_over(others), *side = NULL;
  CHECK(mo_tensor_data(x) == ow_tensor_data(legs));
  /* The memory outlives the handle that it came from. */
  ow_tensor_free(legs);
  ow_tensor_free(others);
  MO(mo_hypotenuse(x, y, &side));
  double found[3] = {0};
  MO(mo_tensor_copy_to(side, found, sizeof found));
  CHECK(found[0] == 5.0 && found[1] == 13.0 && found[2] == 17.0);
  ow_tensor *back = handed_back(side);
  CHECK(ow_tensor_data(back) == mo_tensor_data(side) && ow_tensor_dtype(back) == OW_FLOAT64);
  int64_t within = 0;
  MO(mo_count_within(side, 14.0, &within));
  CHECK(within == 2);
  mo_tensor_free(side);
  CHECK(((const double *)ow_tensor_data(back))[2] == 17.0);
  ow_tensor_free(back);
  mo_tensor_free(y);
  mo_tensor_free(x);
}

static void errors_are_each_librarys_own(void) {
  mo_error *error = mo_hypotenuse(NULL, NULL, NULL);
  CHECK(error && error->kind == MO_ERROR_TYPE && strcmp(error->op, "hypotenuse") == 0);
  mo_error_free(error);
  ow_error *other = ow_mm(NULL, NULL, NULL);
  CHECK(other && other->kind == OW_ERROR_TYPE && strcmp(other->op, "mm") == 0);
  ow_error_free(other);
}

static void each_has_its_operators(void) {
  size_t own = 0, theirs = 0;
  const mo_operator *operators = mo_operators(&own);
  ow_operators(&theirs);
  CHECK(own > 0 && theirs > own);
  for (size_t at = 0; at < own; at++) CHECK(strncmp(operators[at].function, "mo_", 3) == 0);
}

int main(void) {
  CHECK(mo_abi_fits(MO_ABI_VERSION) && ow_abi_fits(OW_ABI_VERSION));
  memory_is_shared();
  errors_are_each_librarys_own();
  each_has_its_operators();
  CHECK(mo_live_handles() == 0 && ow_live_handles() == 0);
  return failures > 0;
}
