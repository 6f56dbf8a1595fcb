/* Handwritten digits by their nearest neighbours among principal components: what examples/digits.py
 * computes first, in C.
 *
 * The folder that is given has the digits, as examples/digits_in_c.py writes them: `known`, `labels`,
 * `unseen`, `truth` and `start`, two sizes each and then the elements. What the unseen digits are taken
 * for is written to `predicted`. */
#include <opwright.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20, NEIGHBOURS = 3, DIGITS = 10 };

static void fail(const char *message) {
  fprintf(stderr, "digits: %s\n", message);
  exit(1);
}

static void check(ow_error *error) {
  if (error) fail(error->message);
}

/* --- what was made on the way, and is freed together ------------------------------------------- */

static ow_tensor *made[1024];
static size_t made_len = 0;

static ow_tensor *keep(ow_tensor *tensor) {
  if (made_len == sizeof made / sizeof *made) fail("too much is made at once");
  return made[made_len++] = tensor;
}

/* Frees all that was made since there were so many, but for one. */
static ow_tensor *free_all_but(ow_tensor *result, size_t since) {
  ow_tensor *kept = NULL;
  check(ow_tensor_clone(result, &kept));
  ow_tensors_free(made + since, made_len - since);
  made_len = since;
  return keep(kept);
}

/* --- operators under short names ----------------------------------------------------------------- */

#define RESULT(call)            \
  ow_tensor *result = NULL;     \
  check(call);                  \
  return keep(result)

static const int64_t FIRST[] = {0}, SECOND[] = {1};

static ow_tensor *product(const ow_tensor *a, const ow_tensor *b) { RESULT(ow_matmul(a, b, &result)); }
static ow_tensor *times(const ow_tensor *a, const ow_tensor *b) { RESULT(ow_mul_tensor(a, b, &result)); }
static ow_tensor *plus(const ow_tensor *a, const ow_tensor *b) {
  RESULT(ow_add_tensor(a, b, ow_scalar_int(1), &result));
}
static ow_tensor *minus(const ow_tensor *a, const ow_tensor *b, int64_t factor) {
  RESULT(ow_sub_tensor(a, b, ow_scalar_int(factor), &result));
}
static ow_tensor *transposed(const ow_tensor *a) { RESULT(ow_t(a, &result)); }
static ow_tensor *row_of(const ow_tensor *a, int64_t at) { RESULT(ow_select_int(a, 0, at, &result)); }
static ow_tensor *sum_of_rows(const ow_tensor *a, bool keepdim) {
  RESULT(ow_sum_dim_intlist(a, SECOND, 1, keepdim, OW_DTYPE_NONE, &result));
}

/* --- the computation ------------------------------------------------------------------------------ */

/* Gram-Schmidt: rows of length one, at right angles, that span the same space. */
static ow_tensor *orthonormal(const ow_tensor *rows) {
  const size_t since = made_len;
  ow_tensor *basis = NULL;
  check(ow_zeros_like(rows, OW_DTYPE_NONE, OW_LAYOUT_NONE, OW_DEVICE_NONE, NULL, OW_MEMORY_FORMAT_NONE,
                      &basis));
  keep(basis);
  for (int64_t at = 0; at < ow_tensor_size(rows, 0); at++) {
    ow_tensor *row = row_of(rows, at), *norm = NULL, *unit = NULL;
    ow_tensor *rest = minus(row, product(product(basis, row), basis), 1);
    check(ow_norm_scalar(rest, ow_scalar_int(2), &norm));
    check(ow_div_tensor(rest, keep(norm), &unit));
    /* A view: what is written to it is written to the basis. */
    check(ow_copy_(row_of(basis, at), keep(unit), false));
  }
  return free_all_but(basis, since);
}

/* The directions in which the points differ most, by subspace iteration. */
static ow_tensor *principal_axes(const ow_tensor *points, const ow_tensor *start) {
  const size_t since = made_len;
  ow_tensor *mean = NULL, *covariance = NULL;
  check(ow_mean_dim(points, FIRST, 1, false, OW_DTYPE_NONE, &mean));
  ow_tensor *centred = minus(points, keep(mean), 1);
  const ow_scalar count = ow_scalar_int(ow_tensor_size(points, 0));
  check(ow_div_scalar(product(transposed(centred), centred), count, &covariance));
  keep(covariance);
  ow_tensor *axes = orthonormal(start);
  for (int round = 0; round < ROUNDS; round++) axes = orthonormal(product(axes, covariance));
  return free_all_but(axes, since);
}

/* From each row of `a` to each row of `b`: |x|^2 - 2 x.y + |y|^2. */
static ow_tensor *squared_distances(const ow_tensor *a, const ow_tensor *b) {
  ow_tensor *rest = minus(sum_of_rows(times(a, a), true), product(a, transposed(b)), 2);
  return plus(rest, sum_of_rows(times(b, b), false));
}

/* What most of the nearest known points are. */
static ow_tensor *classify(const ow_tensor *known, const ow_tensor *labels, const ow_tensor *unknown) {
  const size_t since = made_len;
  ow_tensor *nearest = NULL, *chosen = NULL, *column = NULL, *digits = NULL, *votes = NULL, *result = NULL;
  check(ow_topk(squared_distances(unknown, known), NEIGHBOURS, 1, false, true, NULL, &nearest));
  const ow_tensor *indices[] = {keep(nearest)};
  check(ow_index_tensor(labels, indices, 1, &chosen));
  check(ow_unsqueeze(keep(chosen), -1, &column));
  check(ow_arange(ow_scalar_int(DIGITS), OW_DTYPE_NONE, OW_LAYOUT_NONE, OW_DEVICE_NONE, NULL, &digits));
  check(ow_eq_tensor(keep(column), keep(digits), &votes));
  check(ow_argmax(sum_of_rows(keep(votes), false), SECOND, false, &result));
  return free_all_but(keep(result), since);
}

/* --- files ---------------------------------------------------------------------------------------- */

static FILE *opened(const char *folder, const char *name, const char *mode) {
  char path[4096];
  const int len = snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = len > 0 && (size_t)len < sizeof path ? fopen(path, mode) : NULL;
  if (!file) fail(name);
  return file;
}

/* A tensor of so many rows and columns; of one dimension, if there is but one column. */
static ow_tensor *read_tensor(const char *folder, const char *name, ow_dtype dtype) {
  FILE *file = opened(folder, name, "rb");
  int64_t sizes[2] = {0, 0};
  if (fread(sizes, sizeof *sizes, 2, file) != 2 || sizes[0] <= 0 || sizes[1] <= 0) fail(name);
  const size_t count = (size_t)sizes[0] * (size_t)sizes[1];
  void *elements = malloc(count * ow_dtype_size(dtype));
  if (!elements || fread(elements, ow_dtype_size(dtype), count, file) != count) fail(name);
  fclose(file);
  ow_tensor *result = NULL;
  check(ow_tensor_from_data(elements, sizes, sizes[1] == 1 ? 1 : 2, dtype, &result));
  free(elements);
  return keep(result);
}

static void write_numbers(const char *folder, const char *name, const ow_tensor *tensor) {
  FILE *file = opened(folder, name, "wb");
  const size_t count = (size_t)ow_tensor_numel(tensor);
  if (fwrite(ow_tensor_data(tensor), sizeof(int64_t), count, file) != count || fclose(file)) fail(name);
}

int main(int argc, char **argv) {
  if (argc != 2) fail("give the folder that has the digits");
  ow_tensor *known = read_tensor(argv[1], "known", OW_FLOAT64);
  ow_tensor *labels = read_tensor(argv[1], "labels", OW_INT64);
  ow_tensor *unseen = read_tensor(argv[1], "unseen", OW_FLOAT64);
  ow_tensor *truth = read_tensor(argv[1], "truth", OW_INT64);
  ow_tensor *axes = transposed(principal_axes(known, read_tensor(argv[1], "start", OW_FLOAT64)));

  ow_tensor *predicted = classify(product(known, axes), labels, product(unseen, axes));
  write_numbers(argv[1], "predicted", predicted);

  ow_tensor *hits = NULL, *total = NULL;
  check(ow_eq_tensor(predicted, truth, &hits));
  check(ow_sum(keep(hits), OW_DTYPE_NONE, &total));
  ow_scalar right = ow_scalar_int(0);
  check(ow_tensor_item(keep(total), &right));
  const int64_t all = ow_tensor_numel(truth);
  printf("in C:      accuracy %.4f\n", (double)right.i / (double)all);

  ow_tensors_free(made, made_len);
  if (ow_live_handles() != 0) fail("something was not freed");
  return 0;
}
