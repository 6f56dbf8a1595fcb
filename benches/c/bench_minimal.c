// What a sum of two vectors of floats, or of one and a number, costs if there is nothing but that: one
// dtype, one dimension, the elements within the object, one keyword, no overloads.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

typedef struct {
    PyObject_VAR_HEAD
    float elements[];
} Vector;

static PyTypeObject VectorType;

static PyObject *refused(void) {
    PyErr_SetString(PyExc_TypeError, "add(): expected two vectors of one length, or a number");
    return NULL;
}

// Whether an object is a number, which is written to its place.
static int read_number(PyObject *object, float *number) {
    if (PyFloat_CheckExact(object)) {
        *number = (float)PyFloat_AS_DOUBLE(object);
        return 1;
    }
    if (!PyLong_CheckExact(object)) {
        return 0;
    }
    double value = PyLong_AsDouble(object);
    *number = (float)value;
    return value != -1.0 || !PyErr_Occurred();
}

static PyObject *add_scaled(PyObject *left, PyObject *right, float alpha) {
    if (Py_TYPE(left) != &VectorType) {
        return refused();
    }
    Py_ssize_t count = Py_SIZE(left);
    float number = 0;
    int is_vector = Py_TYPE(right) == &VectorType;
    if (is_vector ? Py_SIZE(right) != count : !read_number(right, &number)) {
        return PyErr_Occurred() ? NULL : refused();
    }
    Vector *result = PyObject_NewVar(Vector, &VectorType, count);
    if (result == NULL) {
        return NULL;
    }
    const float *a = ((Vector *)left)->elements;
    if (is_vector) {
        const float *b = ((Vector *)right)->elements;
        for (Py_ssize_t at = 0; at < count; at++) {
            result->elements[at] = a[at] + alpha * b[at];
        }
    } else {
        for (Py_ssize_t at = 0; at < count; at++) {
            result->elements[at] = a[at] + alpha * number;
        }
    }
    return (PyObject *)result;
}

static PyObject *add_vectors(PyObject *left, PyObject *right) {
    return add_scaled(left, right, 1);
}

static PyObject *add(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names) {
    (void)self;
    float alpha = 1;
    if (count != 2) {
        return refused();
    }
    if (names != NULL) {
        PyObject *name = PyTuple_GET_ITEM(names, 0);
        if (PyTuple_GET_SIZE(names) != 1 || PyUnicode_CompareWithASCIIString(name, "alpha") != 0
            || !read_number(args[2], &alpha)) {
            return PyErr_Occurred() ? NULL : refused();
        }
    }
    return add_scaled(args[0], args[1], alpha);
}

static PyObject *tensor(PyObject *self, PyObject *numbers) {
    (void)self;
    if (!PyList_CheckExact(numbers)) {
        PyErr_SetString(PyExc_TypeError, "tensor(): expected a list of numbers");
        return NULL;
    }
    Vector *vector = PyObject_NewVar(Vector, &VectorType, PyList_GET_SIZE(numbers));
    for (Py_ssize_t at = 0; vector != NULL && at < Py_SIZE(vector); at++) {
        double number = PyFloat_AsDouble(PyList_GET_ITEM(numbers, at));
        if (number == -1.0 && PyErr_Occurred()) {
            Py_DECREF(vector);
            return NULL;
        }
        vector->elements[at] = (float)number;
    }
    return (PyObject *)vector;
}

static PyNumberMethods numbers = {.nb_add = add_vectors};

static PyTypeObject VectorType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "bench_minimal.Vector",
    .tp_basicsize = sizeof(Vector),
    .tp_itemsize = sizeof(float),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_as_number = &numbers,
};

static PyMethodDef functions[] = {
    {"add", (PyCFunction)(void (*)(void))add, METH_FASTCALL | METH_KEYWORDS, NULL},
    {"tensor", tensor, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "bench_minimal",
    .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit_bench_minimal(void) {
    return PyType_Ready(&VectorType) < 0 ? NULL : PyModule_Create(&module);
}
