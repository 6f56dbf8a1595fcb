// The C interface of the crate `opwright-bench-kernel`, where each function is described.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A handle as large as Rust's: one pointer.
typedef struct {
    void *handle;
} Kernel;

#ifdef __cplusplus
extern "C" {
#endif

bool bench_from_floats(const float *values, size_t count, Kernel *place);
bool bench_add(const Kernel *a, const Kernel *b, double alpha, Kernel *place);
bool bench_add_scalar(const Kernel *a, double b, double alpha, Kernel *place);
bool bench_add_out(const Kernel *a, const Kernel *b, double alpha, Kernel *out);
int64_t bench_dim(const Kernel *a);
double bench_item(const Kernel *a, size_t index);
void bench_drop(Kernel *place);

#ifdef __cplusplus
}
#endif
