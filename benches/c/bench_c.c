// The two overloads as one would write them by hand, to be as fast as can be:
// exact type checks, keywords compared by identity first, nothing general.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "../kernel/kernel.h"

typedef struct {
    PyObject_HEAD
    Kernel kernel;
} Tensor;

static PyTypeObject TensorType;
static PyObject *alpha_name, *out_name;

static PyObject *wrong(void) {
    PyErr_SetString(PyExc_TypeError, "add(): expected (Tensor, Tensor | float, *, alpha, out)");
    return NULL;
}

static PyObject *failed(void) {
    PyErr_SetString(PyExc_RuntimeError, "the kernel failed");
    return NULL;
}

static Tensor *allocate(void) {
    return (Tensor *)TensorType.tp_alloc(&TensorType, 0);
}

// Frees an object whose kernel was not made.
static PyObject *give_up(Tensor *tensor) {
    PyObject_Free(tensor);
    return failed();
}

static int is_number(PyObject *object) {
    return PyFloat_CheckExact(object) || PyLong_CheckExact(object);
}

static PyObject *add_of(PyObject *left, PyObject *right, double alpha, PyObject *out) {
    if (Py_TYPE(left) != &TensorType) {
        return wrong();
    }
    Kernel *a = &((Tensor *)left)->kernel;
    if (out != NULL) {
        if (Py_TYPE(right) != &TensorType || Py_TYPE(out) != &TensorType) {
            return wrong();
        }
        if (!bench_add_out(a, &((Tensor *)right)->kernel, alpha, &((Tensor *)out)->kernel)) {
            return failed();
        }
        return Py_NewRef(out);
    }
    if (Py_TYPE(right) == &TensorType) {
        Tensor *result = allocate();
        if (result != NULL && !bench_add(a, &((Tensor *)right)->kernel, alpha, &result->kernel)) {
            return give_up(result);
        }
        return (PyObject *)result;
    }
    if (is_number(right)) {
        double number = PyFloat_AsDouble(right);
        if (number == -1.0 && PyErr_Occurred()) {
            return NULL;
        }
        Tensor *result = allocate();
        if (result != NULL && !bench_add_scalar(a, number, alpha, &result->kernel)) {
            return give_up(result);
        }
        return (PyObject *)result;
    }
    return wrong();
}

static int is_called(PyObject *keyword, PyObject *name) {
    return keyword == name || PyUnicode_Compare(keyword, name) == 0;
}

static int read_keywords(PyObject *const *values, PyObject *names, double *alpha, PyObject **out) {
    Py_ssize_t count = names == NULL ? 0 : PyTuple_GET_SIZE(names);
    for (Py_ssize_t at = 0; at < count; at++) {
        PyObject *name = PyTuple_GET_ITEM(names, at);
        if (is_called(name, alpha_name) && is_number(values[at])) {
            *alpha = PyFloat_AsDouble(values[at]);
        } else if (is_called(name, out_name)) {
            *out = values[at];
        } else {
            wrong();
            return 0;
        }
    }
    return 1;
}

static PyObject *add(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names) {
    (void)self;
    double alpha = 1.0;
    PyObject *out = NULL;
    if (count != 2) {
        return wrong();
    }
    if (!read_keywords(args + 2, names, &alpha, &out)) {
        return NULL;
    }
    return add_of(args[0], args[1], alpha, out);
}

static PyObject *add_method(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names) {
    double alpha = 1.0;
    PyObject *out = NULL;
    if (count != 1) {
        return wrong();
    }
    if (!read_keywords(args + 1, names, &alpha, &out)) {
        return NULL;
    }
    return add_of(self, args[0], alpha, out);
}

static PyObject *add_operator(PyObject *left, PyObject *right) {
    return add_of(left, right, 1.0, NULL);
}

static PyObject *dim(PyObject *self, PyObject *nothing) {
    (void)nothing;
    return PyLong_FromLongLong(bench_dim(&((Tensor *)self)->kernel));
}

static PyObject *tensor(PyObject *self, PyObject *values) {
    (void)self;
    float floats[64];
    PyObject *sequence = PySequence_Fast(values, "tensor() takes a list of floats");
    if (sequence == NULL) {
        return NULL;
    }
    Py_ssize_t count = PySequence_Fast_GET_SIZE(sequence);
    for (Py_ssize_t at = 0; at < count && at < 64; at++) {
        floats[at] = (float)PyFloat_AsDouble(PySequence_Fast_GET_ITEM(sequence, at));
    }
    Py_DECREF(sequence);
    if (PyErr_Occurred() || count > 64) {
        return wrong();
    }
    Tensor *result = allocate();
    if (result != NULL && !bench_from_floats(floats, (size_t)count, &result->kernel)) {
        return give_up(result);
    }
    return (PyObject *)result;
}

static void dealloc(PyObject *self) {
    bench_drop(&((Tensor *)self)->kernel);
    Py_TYPE(self)->tp_free(self);
}

static PyMethodDef methods[] = {
    {"add", (PyCFunction)(void (*)(void))add_method, METH_FASTCALL | METH_KEYWORDS, NULL},
    {"dim", dim, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyNumberMethods numbers = {.nb_add = add_operator};

static PyTypeObject TensorType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "bench_c.Tensor",
    .tp_basicsize = sizeof(Tensor),
    .tp_dealloc = dealloc,
    .tp_as_number = &numbers,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = methods,
};

static PyMethodDef functions[] = {
    {"add", (PyCFunction)(void (*)(void))add, METH_FASTCALL | METH_KEYWORDS, NULL},
    {"tensor", tensor, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, .m_name = "bench_c", .m_size = -1, .m_methods = functions,
};

PyMODINIT_FUNC PyInit_bench_c(void) {
    alpha_name = PyUnicode_InternFromString("alpha");
    out_name = PyUnicode_InternFromString("out");
    if (alpha_name == NULL || out_name == NULL || PyType_Ready(&TensorType) < 0) {
        return NULL;
    }
    return PyModule_Create(&module);
}
