//! A tensor of one element as a Python number.

use std::ffi::{c_int, c_void};
use std::ptr;

use opwright_runtime::{Error, Scalar, Tensor};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use super::guard::{ask, guard};
use super::object;
use crate::failure::Failure;
use crate::tables::Slot;
use crate::wrap::Wrap;

/// `bool`, `int`, `float`, `operator.index`.
pub(super) static SLOTS: [Slot; 4] = [
    Slot { id: ffi::Py_nb_bool, function: truth as *const c_void },
    Slot { id: ffi::Py_nb_int, function: int as *const c_void },
    Slot { id: ffi::Py_nb_float, function: float as *const c_void },
    Slot { id: ffi::Py_nb_index, function: index as *const c_void },
];

unsafe extern "C" fn truth(object: *mut PyObject) -> c_int {
    // SAFETY: called by the interpreter for an instance of the class.
    unsafe { guard("bool", -1, |_| Ok(c_int::from(is_true(object::peek(object))?))) }
}

fn is_true(tensor: &Tensor) -> Result<bool, Failure> {
    match tensor.numel() {
        1 => Ok(tensor.to_scalar()?.to_bool()),
        0 => Err(ambiguous("no values").into()),
        _ => Err(ambiguous("more than one value").into()),
    }
}

#[cold]
fn ambiguous(with: &str) -> Error {
    Error::runtime(format_args!(
        "Boolean value of Tensor with {with} is ambiguous; use .any() or .all()"
    ))
}

unsafe extern "C" fn int(object: *mut PyObject) -> *mut PyObject {
    // SAFETY: called by the interpreter for an instance of the class.
    unsafe {
        guard("int", ptr::null_mut(), |py| match object::peek(object).to_scalar()? {
            Scalar::Float(value) => {
                let integer = ffi::PyLong_FromDouble(value);
                Ok(Bound::from_owned_ptr_or_err(py, integer)?.into_ptr())
            }
            Scalar::Complex(_) => {
                Err(PyTypeError::new_err("int() argument must be real, not a complex tensor")
                    .into())
            }
            Scalar::Bool(value) => i64::from(value).wrap(py),
            Scalar::Int(value) => value.wrap(py),
        })
    }
}

unsafe extern "C" fn float(object: *mut PyObject) -> *mut PyObject {
    // SAFETY: called by the interpreter for an instance of the class.
    unsafe { ask("float", object, |tensor| Ok(tensor.to_scalar()?.to_f64()?)) }
}

unsafe extern "C" fn index(object: *mut PyObject) -> *mut PyObject {
    // SAFETY: called by the interpreter for an instance of the class.
    unsafe {
        ask("index", object, |tensor| {
            let refused = || {
                PyTypeError::new_err(
                    "only integer tensors of a single element can be converted to an index",
                )
            };
            if tensor.numel() != 1 {
                return Err(refused().into());
            }
            match tensor.to_scalar()? {
                Scalar::Bool(value) => Ok(i64::from(value)),
                Scalar::Int(value) => Ok(value),
                Scalar::Float(_) | Scalar::Complex(_) => Err(refused().into()),
            }
        })
    }
}
