/* Calls functions with every kind of parameter and result, and says what is wrong. */
#include <math.h>
#include <opwright.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks = 0, failures = 0;

#define CHECK(condition)                                                   \
  do {                                                                     \
    checks++;                                                              \
    if (!(condition)) {                                                    \
      failures++;                                                          \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);      \
    }                                                                      \
  } while (0)

/* A call that must not fail. */
#define OK(call) ok((call), __LINE__, #call)

static void ok(ow_error *error, int line, const char *call) {
  checks++;
  if (error) {
    failures++;
    fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, line, call, error->message);
  }
  ow_error_free(error);
}

/* A call that must fail so. */
#define FAILS(call, kind, op, message) fails((call), kind, op, message, __LINE__)

static void fails(ow_error *error, ow_error_kind kind, const char *op, const char *message,
                  int line) {
  checks++;
  if (!error || error->kind != kind || strcmp(error->op, op) != 0 ||
      !strstr(error->message, message)) {
    failures++;
    fprintf(stderr, "%s:%d: expected %s, got %s\n", __FILE__, line, message,
            error ? error->message : "no error");
  }
  ow_error_free(error);
}

static ow_tensor *floats(const float *numbers, int64_t rows, int64_t columns) {
  const int64_t sizes[] = {rows, columns};
  ow_tensor *result = NULL;
  OK(ow_tensor_from_data(numbers, sizes, 2, OW_FLOAT32, &result));
  return result;
}

static double item(const ow_tensor *tensor) {
  ow_scalar scalar = ow_scalar_bool(false);
  OK(ow_tensor_item(tensor, &scalar));
  return scalar.kind == OW_SCALAR_FLOAT ? scalar.re : (double)scalar.i;
}

static double sum(const ow_tensor *tensor) {
  ow_tensor *total = NULL;
  OK(ow_sum(tensor, OW_DTYPE_NONE, &total));
  double value = item(total);
  ow_tensor_free(total);
  return value;
}

static const float NUMBERS[] = {1, 2, 3, 4, 5, 6};

static void tensors(void) {
  ow_tensor *x = floats(NUMBERS, 2, 3), *same = NULL, *turned = NULL;
  CHECK(ow_tensor_defined(x) && !ow_tensor_defined(NULL));
  CHECK(ow_tensor_ndim(x) == 2 && ow_tensor_numel(x) == 6 && ow_tensor_ndim(NULL) == -1);
  CHECK(ow_tensor_size(x, -1) == 3 && ow_tensor_size(x, 2) == -1);
  CHECK(ow_tensor_sizes(x)[0] == 2 && ow_tensor_strides(x)[0] == 3 && ow_tensor_offset(x) == 0);
  CHECK(ow_tensor_dtype(x) == OW_FLOAT32 && ow_tensor_device(x) == OW_CPU);
  CHECK(ow_tensor_layout(x) == OW_STRIDED && ow_tensor_nbytes(x) == 24);
  CHECK(strcmp(ow_dtype_name(OW_FLOAT32), "float32") == 0 && ow_dtype_size(OW_COMPLEX64) == 8);
  CHECK(strcmp(ow_dtype_name(99), "?") == 0 && ow_dtype_size(99) == 0);
  OK(ow_tensor_clone(x, &same));
  CHECK(ow_tensor_is_same(x, same) && ow_tensor_data(x) == ow_tensor_data(same));
  OK(ow_t(x, &turned));
  CHECK(!ow_tensor_is_same(x, turned) && ow_tensor_shares_memory(x, turned));
  CHECK(!ow_tensor_is_contiguous(turned));
  float out[6] = {0};
  OK(ow_tensor_copy_to(turned, out, sizeof out));
  CHECK(out[0] == 1 && out[1] == 4 && out[2] == 2);
  OK(ow_tensor_copy_from(turned, NUMBERS, sizeof NUMBERS));
  CHECK(((const float *)ow_tensor_data(x))[1] == 3);
  FAILS(ow_tensor_copy_to(x, out, 4), OW_ERROR_VALUE, "tensor_copy_to", "24 bytes");
  FAILS(ow_tensor_item(x, NULL), OW_ERROR_RUNTIME, "tensor_item", "");
  ow_tensor_assign(same, turned);
  CHECK(ow_tensor_is_same(same, turned));
  ow_tensor *all[] = {x, same, turned, NULL};
  ow_tensors_free(all, 4);
}

static void parameters(void) {
  ow_tensor *x = floats(NUMBERS, 2, 3), *y = NULL, *z = NULL;
  /* A scalar, and one that may be missing. */
  OK(ow_add_tensor(x, x, ow_scalar_int(2), &y));
  CHECK(sum(y) == 63);
  const ow_scalar most = ow_scalar_float(2.5);
  OK(ow_clamp(x, NULL, &most, &z));
  CHECK(sum(z) == 1 + 2 + 2.5 * 4);
  ow_tensor_free(z);
  /* A list that may be missing, an empty one, and one of one for two. */
  const int64_t first = 0, sizes[] = {2, 3};
  OK(ow_sum_dim_intlist(x, &first, 1, true, OW_FLOAT64, &z));
  CHECK(ow_tensor_ndim(z) == 2 && ow_tensor_dtype(z) == OW_FLOAT64);
  ow_tensor_free(z);
  OK(ow_sum_dim_intlist(x, NULL, 0, false, OW_DTYPE_NONE, &z));
  CHECK(item(z) == 21);
  ow_tensor_free(z);
  /* Constants that may be missing. */
  OK(ow_zeros(sizes, 2, OW_INT64, OW_LAYOUT_NONE, OW_META, NULL, &z));
  CHECK(ow_tensor_dtype(z) == OW_INT64 && ow_tensor_device(z) == OW_META && !ow_tensor_data(z));
  ow_tensor_free(z);
  FAILS(ow_zeros(sizes, 2, 99, -1, -1, NULL, &z), OW_ERROR_VALUE, "zeros", "'dtype' is 99");
  FAILS(ow_zeros(sizes, 2, -1, -1, 7, NULL, &z), OW_ERROR_VALUE, "zeros", "'device' is 7");
  FAILS(ow_zeros(NULL, 2, -1, -1, -1, NULL, &z), OW_ERROR_TYPE, "zeros", "'size' is NULL");
  /* A text that may be missing. */
  OK(ow_div_tensor_mode(x, y, "floor", &z));
  CHECK(sum(z) == 0);
  ow_tensor_free(z);
  OK(ow_div_tensor_mode(x, x, NULL, &z));
  CHECK(sum(z) == 6);
  ow_tensor_free(z);
  FAILS(ow_div_tensor_mode(x, x, "\xff", &z), OW_ERROR_TYPE, "div", "is no UTF-8");
  FAILS(ow_add_tensor(x, NULL, ow_scalar_int(1), &z), OW_ERROR_TYPE, "add", "'other' is NULL");
  const ow_scalar odd = {9, 0, 0, 0};
  FAILS(ow_add_tensor(x, x, odd, &z), OW_ERROR_VALUE, "add", "'alpha' is 9");
  /* Tensors that may be missing, alone and in lists. */
  OK(ow_linear(x, x, NULL, &z));
  CHECK(ow_tensor_size(z, 0) == 2 && ow_tensor_size(z, 1) == 2);
  ow_tensor_free(z);
  const int64_t one = 1, length = 1;
  ow_tensor *index = NULL;
  OK(ow_tensor_from_data(&one, &length, 1, OW_INT64, &index));
  const ow_tensor *indices[] = {NULL, index};
  OK(ow_index_tensor(x, indices, 2, &z));
  CHECK(sum(z) == 7);
  ow_tensor_free(z);
  /* Lists of tensors. */
  const ow_tensor *both[] = {x, y};
  OK(ow_stack(both, 2, 0, &z));
  CHECK(ow_tensor_ndim(z) == 3 && sum(z) == 84);
  ow_tensor_free(z);
  FAILS(ow_stack(NULL, 0, 0, &z), OW_ERROR_RUNTIME, "stack", "");
  FAILS(ow_stack(NULL, 1, 0, &z), OW_ERROR_TYPE, "stack", "'tensors' is NULL");
  ow_tensor_free(index);
  ow_tensor_free(x);
  ow_tensor_free(y);
}

static void results(void) {
  ow_tensor *x = floats(NUMBERS, 2, 3), *values = NULL, *indices = NULL;
  OK(ow_topk(x, 2, -1, true, true, &values, &indices));
  CHECK(sum(values) == 3 + 2 + 6 + 5 && sum(indices) == 6);
  ow_tensor_free(values);
  ow_tensor_free(indices);
  /* One that nobody asks for. */
  indices = NULL;
  OK(ow_topk(x, 1, -1, true, true, NULL, &indices));
  CHECK(sum(indices) == 4);
  ow_tensor_free(indices);
  ow_tensor_list parts = {NULL, 0};
  OK(ow_split_tensor(x, 1, 0, &parts));
  CHECK(parts.len == 2 && sum(parts.data[1]) == 15);
  ow_tensor *kept = parts.data[0];
  parts.data[0] = NULL;
  ow_tensor_list_free(&parts);
  CHECK(parts.len == 0 && !parts.data && sum(kept) == 6);
  ow_tensor_free(kept);
  bool is_close = false;
  OK(ow_allclose(x, x, 1e-5, 1e-8, false, &is_close));
  CHECK(is_close);
  ow_dtype common = OW_DTYPE_NONE;
  OK(ow_promote_types(OW_INT8, OW_FLOAT16, &common));
  CHECK(common == OW_FLOAT16);
  ow_tensor_free(x);
}

static void writing(void) {
  ow_tensor *x = floats(NUMBERS, 2, 3), *out = floats(NUMBERS, 2, 3);
  OK(ow_add_tensor_(x, x, ow_scalar_int(1)));
  CHECK(sum(x) == 42);
  OK(ow_add_out(x, x, ow_scalar_int(1), out));
  CHECK(sum(out) == 84);
  OK(ow_add_out(x, out, ow_scalar_int(1), x));
  CHECK(sum(x) == 126);
  FAILS(ow_topk_values(x, 1, -1, true, true, out, out), OW_ERROR_VALUE, "topk", "'indices'");
  ow_tensor *both[] = {x, out};
  const ow_tensor *others[] = {out, out};
  OK(ow_internal_foreach_add_list_(both, 2, others, 2, ow_scalar_int(1)));
  CHECK(sum(x) == 210 && sum(out) == 168);
  both[1] = x;
  FAILS(ow_internal_foreach_add_list_(both, 2, others, 2, ow_scalar_int(1)), OW_ERROR_VALUE,
        "_foreach_add_", "'self'");
  ow_tensor_free(x);
  ow_tensor_free(out);
}

static void generators(void) {
  ow_tensor *x = floats(NUMBERS, 2, 3), *y = floats(NUMBERS, 2, 3);
  ow_generator *generator = NULL;
  OK(ow_generator_new(7, &generator));
  OK(ow_normal_(x, 0, 1, generator));
  ow_generator_manual_seed(generator, 7);
  OK(ow_normal_(y, 0, 1, generator));
  bool is_same = false;
  OK(ow_equal(x, y, &is_same));
  CHECK(is_same);
  ow_manual_seed(3);
  OK(ow_normal_(x, 0, 1, NULL));
  ow_manual_seed(3);
  OK(ow_normal_(y, 0, 1, NULL));
  OK(ow_equal(x, y, &is_same));
  CHECK(is_same);
  ow_generator_free(generator);
  ow_storage *storage = NULL;
  OK(ow_tensor_storage(x, &storage));
  CHECK(ow_storage_bytes(storage) == 24 && ow_storage_data(storage) == ow_tensor_data(x));
  ow_storage_free(storage);
  ow_tensor_free(x);
  ow_tensor_free(y);
}

static void count(void *context) { ++*(int *)context; }

static void memory(void) {
  double numbers[] = {1, 2, 3, 4};
  const int64_t sizes[] = {2, 2}, strides[] = {1, 2};
  int called = 0;
  ow_tensor *x = NULL, *view = NULL;
  OK(ow_tensor_from_blob(numbers, sizes, 2, strides, OW_FLOAT64, count, &called, &x));
  OK(ow_select_int(x, 0, 1, &view));
  numbers[1] = 20;
  CHECK(sum(view) == 24);
  ow_tensor_free(x);
  CHECK(called == 0);
  ow_tensor_free(view);
  CHECK(called == 1);
  FAILS(ow_tensor_from_blob(NULL, sizes, 2, NULL, OW_FLOAT64, count, &called, &x), OW_ERROR_VALUE,
        "tensor_from_blob", "address zero");
  CHECK(called == 1);
  FAILS(ow_tensor_from_data(NULL, sizes, 2, OW_FLOAT32, &x), OW_ERROR_TYPE, "tensor_from_data",
        "'data' is NULL");
  const int64_t negative = -1, huge[] = {INT64_MAX, INT64_MAX};
  FAILS(ow_tensor_from_data(numbers, &negative, 1, OW_FLOAT32, &x), OW_ERROR_RUNTIME,
        "tensor_from_data", "negative");
  FAILS(ow_tensor_from_data(numbers, huge, 2, OW_FLOAT32, &x), OW_ERROR_OVERFLOW,
        "tensor_from_data", "");
  /* Memory that there is nowhere. */
  const int64_t most = INT64_C(1) << 46;
  ow_error *error = ow_zeros(&most, 1, OW_FLOAT64, OW_LAYOUT_NONE, OW_DEVICE_NONE, NULL, &x);
  CHECK(error && error->kind == OW_ERROR_MEMORY);
  ow_error_free(error);
}

static void gradients(void) {
  ow_tensor *x = floats(NUMBERS, 2, 3), *y = NULL, *total = NULL, *gradient = NULL;
  OK(ow_tensor_grad(x, &gradient));
  CHECK(!gradient);
  OK(ow_tensor_set_requires_grad(x, true));
  CHECK(ow_tensor_requires_grad(x) && ow_grad_enabled());
  OK(ow_mul_tensor(x, x, &y));
  OK(ow_sum(y, OW_DTYPE_NONE, &total));
  OK(ow_backward(total, NULL, true));
  OK(ow_tensor_grad(x, &gradient));
  CHECK(sum(gradient) == 42);
  ow_tensor_free(gradient);
  ow_tensor_list all = {NULL, 0};
  const ow_tensor *outputs[] = {total}, *inputs[] = {x};
  OK(ow_grad(outputs, 1, inputs, 1, false, false, &all));
  CHECK(all.len == 1 && sum(all.data[0]) == 42);
  ow_tensor_list_free(&all);
  FAILS(ow_backward(y, NULL, false), OW_ERROR_RUNTIME, "backward", "gradient of its own");
  CHECK(ow_set_grad_enabled(false));
  ow_tensor *plain = NULL;
  OK(ow_mul_tensor(x, x, &plain));
  CHECK(!ow_tensor_requires_grad(plain) && !ow_set_grad_enabled(true));
  OK(ow_tensor_detach(x, &gradient));
  CHECK(!ow_tensor_requires_grad(gradient) && ow_tensor_shares_memory(x, gradient));
  FAILS(ow_backward(gradient, NULL, false), OW_ERROR_RUNTIME, "backward", "nothing leads backward");
  ow_tensor *freed[] = {x, y, total, plain, gradient};
  ow_tensors_free(freed, 5);
}

/* The minimum of (x - 3) squared. */
static double learnt(ow_optimizer *optimizer) {
  const double start = 0.0;
  ow_tensor *x = NULL;
  OK(ow_tensor_from_data(&start, NULL, 0, OW_FLOAT64, &x));
  OK(ow_tensor_set_requires_grad(x, true));
  const ow_tensor *parameters[] = {x};
  OK(ow_optimizer_add(optimizer, parameters, 1));
  FAILS(ow_optimizer_add(optimizer, parameters, 1), OW_ERROR_VALUE, "optimizer_add", "already");
  for (int step = 0; step < 200; step++) {
    ow_tensor *distance = NULL, *loss = NULL;
    OK(ow_optimizer_zero_grad(optimizer));
    OK(ow_sub_scalar(x, ow_scalar_float(3), ow_scalar_int(1), &distance));
    OK(ow_mul_tensor(distance, distance, &loss));
    OK(ow_backward(loss, NULL, false));
    OK(ow_optimizer_step(optimizer));
    ow_tensor_free(distance);
    ow_tensor_free(loss);
  }
  OK(ow_optimizer_set_lr(optimizer, 0));
  OK(ow_optimizer_step(optimizer));
  const double found = item(x);
  ow_tensor_free(x);
  ow_optimizer_free(optimizer);
  return found;
}

static void optimizers(void) {
  ow_optimizer *plain = NULL, *fast = NULL, *adam = NULL;
  OK(ow_sgd_new(0.1, 0, 0, 0, false, &plain));
  CHECK(fabs(learnt(plain) - 3) < 1e-6);
  OK(ow_sgd_new(0.05, 0.9, 0, 0, true, &fast));
  CHECK(fabs(learnt(fast) - 3) < 1e-3);
  OK(ow_adam_new(0.1, 0.9, 0.999, 1e-8, 0, false, &adam));
  CHECK(fabs(learnt(adam) - 3) < 1e-2);
  FAILS(ow_sgd_new(-1, 0, 0, 0, false, &plain), OW_ERROR_VALUE, "sgd_new", "'lr' is -1");
  FAILS(ow_sgd_new(1, 0, 0, 0, true, &plain), OW_ERROR_VALUE, "sgd_new", "'nesterov'");
  FAILS(ow_adam_new(1, 1, 0, 0, 0, false, &plain), OW_ERROR_VALUE, "adam_new", "'beta1' is 1");
  FAILS(ow_optimizer_step(NULL), OW_ERROR_TYPE, "optimizer_step", "is NULL");
}

static void texts(void) {
  ow_tensor *x = floats(NUMBERS, 2, 3);
  char *text = NULL;
  OK(ow_tensor_to_string(x, &text));
  CHECK(text && strcmp(text,
                       "tensor([[1., 2., 3.],\n        [4., 5., 6.]], dtype=float32, "
                       "shape=(2, 3))") == 0);
  ow_string_free(text);
  OK(ow_tensor_to_string(x, NULL));
  FAILS(ow_tensor_to_string(NULL, &text), OW_ERROR_TYPE, "tensor_to_string", "is NULL");
  ow_tensor_free(x);
}

static void scopes(void) {
  const int64_t before = ow_live_handles();
  ow_scope_begin();
  ow_tensor *x = floats(NUMBERS, 2, 3), *y = NULL, *z = NULL;
  ow_scope_begin();
  OK(ow_neg(x, &y));
  OK(ow_neg(y, &z));
  ow_scope_keep(z);
  CHECK(ow_scope_end() == 1);
  CHECK(sum(z) == 21);
  ow_tensor_free(x);
  CHECK(ow_scope_end() == 1);
  CHECK(ow_scope_end() == 0);
  CHECK(ow_live_handles() == before);
}

static void settings(void) {
  CHECK(ow_abi_version() == OW_ABI_VERSION && ow_abi_fits(OW_ABI_VERSION));
  CHECK(!ow_abi_fits(OW_ABI_VERSION + 0x10000u) && strlen(ow_version()) > 4);
  CHECK(ow_get_num_threads() > 0 && ow_thread_id() != 0);
  FAILS(ow_set_num_threads(-1), OW_ERROR_RUNTIME, "set_num_threads", "-1");
  CHECK(ow_default_dtype() == OW_FLOAT32);
  OK(ow_set_default_dtype(OW_FLOAT64));
  CHECK(ow_default_dtype() == OW_FLOAT64);
  OK(ow_set_default_dtype(OW_FLOAT32));
  CHECK(strcmp(ow_error_kind_name(OW_ERROR_INDEX), "IndexError") == 0);
  size_t len = 0;
  const ow_operator *operators = ow_operators(&len);
  bool is_found = false;
  for (size_t at = 0; at < len; at++)
    is_found |= strcmp(operators[at].function, "ow_add_tensor") == 0 &&
                strcmp(operators[at].name, "add.Tensor") == 0;
  CHECK(len > 1000 && is_found);
}

/* What is made is freed; memory as large as this would be seen. */
static void leaks(void) {
  const int64_t bytes = ow_live_bytes(), sizes[] = {100, 100};
  for (int round = 0; round < 20; round++) {
    ow_tensor *x = NULL, *y = NULL;
    OK(ow_ones(sizes, 2, OW_FLOAT32, OW_LAYOUT_NONE, OW_DEVICE_NONE, NULL, &x));
    CHECK(ow_live_bytes() >= bytes + 40000);
    OK(ow_neg(x, &y));
    ow_tensor_free(x);
    ow_tensor_free(y);
  }
  CHECK(ow_live_bytes() == bytes);
}

int main(void) {
  const int64_t before = ow_live_handles();
  tensors();
  parameters();
  results();
  writing();
  generators();
  memory();
  gradients();
  optimizers();
  texts();
  scopes();
  settings();
  leaks();
  CHECK(ow_live_handles() == before);
  printf("%d checks, %d failures\n", checks, failures);
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
