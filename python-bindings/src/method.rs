//! Entries of method tables.

use std::ffi::CStr;

use pyo3::ffi::{
    METH_FASTCALL, METH_KEYWORDS, METH_NOARGS, METH_O, PyCFunction, PyCFunctionFastWithKeywords,
    PyMethodDef, PyMethodDefPointer,
};

/// A function that takes arguments.
pub const fn with_arguments(
    name: &'static CStr,
    function: PyCFunctionFastWithKeywords,
    doc: &'static CStr,
) -> PyMethodDef {
    PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: PyMethodDefPointer { PyCFunctionFastWithKeywords: function },
        ml_flags: METH_FASTCALL | METH_KEYWORDS,
        ml_doc: doc.as_ptr(),
    }
}

/// A function that takes none.
pub const fn alone(name: &'static CStr, function: PyCFunction, doc: &'static CStr) -> PyMethodDef {
    PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: PyMethodDefPointer { PyCFunction: function },
        ml_flags: METH_NOARGS,
        ml_doc: doc.as_ptr(),
    }
}

/// A function that takes one, by position.
pub(crate) const fn with_one(
    name: &'static CStr,
    function: PyCFunction,
    doc: &'static CStr,
) -> PyMethodDef {
    PyMethodDef {
        ml_name: name.as_ptr(),
        ml_meth: PyMethodDefPointer { PyCFunction: function },
        ml_flags: METH_O,
        ml_doc: doc.as_ptr(),
    }
}
