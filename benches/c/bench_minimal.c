// What a sum of two vectors of floats costs if there is nothing but that: one dtype, one dimension,
// the elements within the object, no keywords, no overloads.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

typedef struct {
    PyObject_VAR_HEAD
    float elements[];
} Vector;

static PyTypeObject VectorType;

static PyObject *add_vectors(PyObject *left, PyObject *right) {
    if (Py_TYPE(left) != &VectorType || Py_TYPE(right) != &VectorType
        || Py_SIZE(left) != Py_SIZE(right)) {
        PyErr_SetString(PyExc_TypeError, "add(): expected two vectors of one length");
        return NULL;
    }
    Py_ssize_t count = Py_SIZE(left);
    Vector *result = PyObject_NewVar(Vector, &VectorType, count);
    if (result == NULL) {
        return NULL;
    }
    const float *a = ((Vector *)left)->elements, *b = ((Vector *)right)->elements;
    for (Py_ssize_t at = 0; at < count; at++) {
        result->elements[at] = a[at] + b[at];
    }
    return (PyObject *)result;
}

static PyObject *add(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    (void)self;
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "add(): expected two vectors of one length");
        return NULL;
    }
    return add_vectors(args[0], args[1]);
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
    {"add", (PyCFunction)(void (*)(void))add, METH_FASTCALL, NULL},
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
