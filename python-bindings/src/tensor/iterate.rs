//! A tensor as a collection of its rows: `len`, `iter`, `reversed`.

use std::ffi::c_void;
use std::ptr;

use opwright_runtime::Tensor;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, Py_ssize_t, PyObject};
use pyo3::prelude::*;

use super::guard::{guard, with_python};
use super::object;
use crate::failure::{Failure, raise};
use crate::method;
use crate::tables::{Methods, Slot};

/// `len` and `iter`.
pub(super) static SLOTS: [Slot; 2] = [
    Slot { id: ffi::Py_mp_length, function: length as *const c_void },
    Slot { id: ffi::Py_tp_iter, function: forwards as *const c_void },
];

/// The entries of the table of methods.
pub(super) static ENTRIES: Methods<1> = Methods([method::alone(
    c"__reversed__",
    backwards,
    c"__reversed__($self, /)\n--\n\nThe rows, the last one first.",
)]);

unsafe extern "C" fn length(object: *mut PyObject) -> Py_ssize_t {
    // SAFETY: called by the interpreter for an instance of the class.
    unsafe {
        guard("len", -1, |_| match object::peek(object).shape().first() {
            Some(&length) => Ok(length as Py_ssize_t),
            None => Err(PyTypeError::new_err("len() of a 0-d tensor").into()),
        })
    }
}

unsafe extern "C" fn forwards(object: *mut PyObject) -> *mut PyObject {
    // SAFETY: called by the interpreter for an instance of the class.
    unsafe { guard("iter", ptr::null_mut(), |py| rows(py, object::peek(object).clone(), false)) }
}

unsafe extern "C" fn backwards(object: *mut PyObject, _: *mut PyObject) -> *mut PyObject {
    // SAFETY: called by the interpreter for an instance of the class.
    unsafe {
        with_python("reversed", object, |py, tensor| {
            let rows = rows(py, tensor, true)?;
            Ok(Bound::from_owned_ptr(py, rows).unbind())
        })
    }
}

fn rows(py: Python<'_>, tensor: Tensor, reverse: bool) -> Result<*mut PyObject, Failure> {
    let Some(&length) = tensor.shape().first() else {
        return Err(PyTypeError::new_err("iteration over a 0-d tensor").into());
    };
    let rows = Rows { tensor, next: if reverse { length - 1 } else { 0 }, reverse };
    Ok(Py::new(py, rows)?.into_ptr())
}

/// The rows of a tensor, one after the other.
#[pyclass(name = "TensorIterator", module = "opwright._C")]
struct Rows {
    tensor: Tensor,
    next: i64,
    reverse: bool,
}

impl Rows {
    fn left(&self) -> i64 {
        if self.reverse { self.next + 1 } else { self.tensor.shape()[0] - self.next }
    }
}

#[pymethods]
impl Rows {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if self.left() <= 0 {
            return Ok(None);
        }
        let row = self.tensor.at_index(0, self.next).map_err(raise)?;
        self.next += if self.reverse { -1 } else { 1 };
        object::wrap(py, row).map(Some)
    }

    fn __length_hint__(&self) -> usize {
        self.left().max(0) as usize
    }
}
