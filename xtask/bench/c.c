/* Nanoseconds that calls take in C, the best of some rounds. c-bindings/examples/calls.rs measures the
   same in Rust, go/opwright/bench_test.go in Go. */
#include <opwright.h>
#include <stdio.h>
#include <time.h>

enum { CALLS = 200000, ROUNDS = 5 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static ow_tensor *x, *square;

static void nothing(void) { ow_tensor_free(NULL); }

static void add(void) {
  ow_tensor *result = NULL;
  ow_error_free(ow_add_tensor(x, x, ow_scalar_int(1), &result));
  ow_tensor_free(result);
}

static void add_in_place(void) {
  ow_error_free(ow_add_tensor_(x, x, ow_scalar_int(0)));
}

static void mm(void) {
  ow_tensor *result = NULL;
  ow_error_free(ow_mm(square, square, &result));
  ow_tensor_free(result);
}

static void refused(void) { ow_error_free(ow_mm(x, x, NULL)); }

/* A call whose result the scope around all of them frees. */
static void add_in_scope(void) {
  ow_tensor *result = NULL;
  ow_error_free(ow_add_tensor(x, x, ow_scalar_int(1), &result));
}

static void measure(const char *name, void (*call)(void), int in_scope) {
  double best = 1e18;
  for (int round = 0; round < ROUNDS; round++) {
    const double start = now();
    for (int at = 0; at < CALLS; at++) {
      if (in_scope && at % 64 == 0) ow_scope_begin();
      call();
      if (in_scope && at % 64 == 63) ow_scope_end();
    }
    const double time = (now() - start) / CALLS;
    if (time < best) best = time;
  }
  printf("%s\t%.1f\n", name, best);
}

int main(void) {
  const float numbers[] = {1, 2, 3, 4};
  const int64_t four = 4, two[] = {2, 2};
  ow_error_free(ow_tensor_from_data(numbers, &four, 1, OW_FLOAT32, &x));
  ow_error_free(ow_tensor_from_data(numbers, two, 2, OW_FLOAT32, &square));
  measure("free of NULL", nothing, 0);
  measure("add", add, 0);
  measure("add in a scope", add_in_scope, 1);
  measure("add in place", add_in_place, 0);
  measure("mm", mm, 0);
  measure("refused", refused, 0);
  ow_tensor_free(x);
  ow_tensor_free(square);
  return 0;
}
