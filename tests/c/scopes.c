#include <opwright.h>

/* The sum of the squares, or NULL. */
static ow_tensor *sum_of_squares(const ow_tensor *x) {
  ow_tensor *squares = NULL, *sum = NULL;
  ow_scope_begin();
  ow_error *error = ow_mul_tensor(x, x, &squares);
  if (!error) error = ow_sum(squares, OW_DTYPE_NONE, &sum);
  ow_error_free(error);
  ow_scope_keep(sum);
  ow_scope_end(); /* frees the squares */
  return sum;
}

int main(void) {
  const float numbers[] = {1, 2, 3};
  const int64_t size = 3;
  ow_tensor *x = NULL;
  ow_error_free(ow_tensor_from_data(numbers, &size, 1, OW_FLOAT32, &x));
  ow_tensor *sum = sum_of_squares(x);
  ow_scalar found = ow_scalar_int(0);
  ow_error_free(ow_tensor_item(sum, &found));
  ow_tensor_free(sum);
  ow_tensor_free(x);
  return found.re == 14.0 ? 0 : 1;
}
