#include <opwright.h>
#include <stdio.h>

int main(void) {
  const float numbers[] = {1, 2, 3, 4};
  const int64_t sizes[] = {2, 2};
  ow_tensor *a = NULL, *product = NULL;
  ow_error *error = ow_tensor_from_data(numbers, sizes, 2, OW_FLOAT32, &a);
  if (!error) error = ow_mm(a, a, &product);
  if (error) {
    fprintf(stderr, "%s\n", error->message);
  } else {
    const float *elements = (const float *)ow_tensor_data(product);
    printf("%g %g %g %g\n", elements[0], elements[1], elements[2], elements[3]);
  }
  const int failed = error != NULL;
  ow_error_free(error);
  ow_tensor_free(product);
  ow_tensor_free(a);
  return failed;
}
