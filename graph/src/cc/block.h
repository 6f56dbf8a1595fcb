/* What every block has; names that begin with opw_ belong to it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#include <exception>
#include <new>
#define OPW_C extern "C"
#else
#define OPW_C
#endif
#if defined(_WIN32)
#define OPW_EXPORT OPW_C __declspec(dllexport)
#else
#define OPW_EXPORT OPW_C __attribute__((visibility("default")))
#endif

typedef struct { float re, im; } opw_complex64;
typedef struct { double re, im; } opw_complex128;

/* A tensor: strides are in bytes. */
struct opw_tensor {
  void* data;
  const char* dtype;
  int ndim;
  int64_t shape[64];
  int64_t strides[64];
  PyObject* owner;
};

/* What the host does for blocks. Both return -1 with an exception set. */
struct opw_host {
  int (*tensor)(PyObject*, const char* dtype, int ndim, const int64_t* extents, struct opw_tensor*);
  int (*empty)(const char* dtype, int ndim, const int64_t* shape, struct opw_tensor*);
};

/* Who is told what happens. */
struct opw_observer {
  int (*event)(void* context, int what, int which);
  void* context;
};

struct opw_table {
  const char* key;
  void* (*create)(void);
  void (*destroy)(void*);
  int (*run)(void*, PyObject**, const struct opw_observer*);
};

static const struct opw_host* opw_the_host;

/* A new tensor in place of what `it` was; its elements are not set. */
static inline int opw_empty(struct opw_tensor* it, const char* dtype, int ndim, const int64_t* shape) {
  Py_CLEAR(it->owner);
  return opw_the_host->empty(dtype, ndim, shape, it);
}

static inline int opw_tell(const struct opw_observer* observed, int what, int which) {
  return observed && observed->event ? observed->event(observed->context, what, which) : 0;
}

/* Whether c_sync left an object, which None is only for types that have it; if not, there is an
   exception. */
static inline int opw_check_synced(PyObject* object, int has_none, const char* hook) {
  if (PyErr_Occurred()) return 0;
  if (object && (has_none || object != Py_None)) return 1;
  PyErr_Format(PyExc_SystemError, "%s left no object", hook);
  return 0;
}
