//! Number protocol: a tensor of one element as a Python number.

use std::ffi::{c_int, c_void};

use opwright_runtime::{Error, Scalar, Tensor};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::object::trampoline::{ask, trampoline};
use crate::object::{self, Convert, ElementValue, Failure, Object, operators};
use crate::raw::method::Slot;
use crate::raw::{self, Lent, New, entry};

/// `bool`, `int`, `float`, `operator.index`.
pub(super) static SLOTS: [Slot; 4] = [
    Slot { id: ffi::Py_nb_bool, function: truth as *const c_void },
    Slot { id: ffi::Py_nb_int, function: int as *const c_void },
    Slot { id: ffi::Py_nb_float, function: float as *const c_void },
    Slot { id: ffi::Py_nb_index, function: index as *const c_void },
];

entry! {
    fn truth(_py, tensor: Lent<Object>) -> c_int {
        trampoline("bool", -1, || Ok(c_int::from(is_true(object::peek(tensor))?)))
    }

    fn int(py, tensor: Lent<Object>) -> New {
        trampoline("int", None, || integer(py, object::peek(tensor)).map(Some))
    }

    fn float(_py, tensor: Lent<Object>) -> New {
        ask("float", tensor, |tensor| Ok(operators::item(tensor)?.to_f64()?))
    }

    fn index(_py, tensor: Lent<Object>) -> New {
        ask("index", tensor, as_index)
    }
}

fn is_true(tensor: &Tensor) -> Result<bool, Failure> {
    match tensor.numel() {
        1 => Ok(operators::item(tensor)?.to_bool()),
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

fn integer<'py>(py: Python<'py>, tensor: &Tensor) -> Result<Bound<'py, PyAny>, Failure> {
    let value = match ElementValue::of_only(tensor)? {
        ElementValue::Scalar(it) => it,
        word => return word.object(py),
    };
    match value {
        Scalar::Float(value) => Ok(raw::truncated(py, value)?),
        Scalar::Complex(_) => {
            Err(PyTypeError::new_err("int() argument must be real, not a complex tensor").into())
        }
        Scalar::Bool(value) => i64::from(value).object(py),
        Scalar::Int(value) => value.object(py),
    }
}

fn as_index(tensor: &Tensor) -> Result<i64, Failure> {
    let refused = || {
        PyTypeError::new_err(
            "only integer tensors of a single element can be converted to an index",
        )
    };
    if tensor.numel() != 1 {
        return Err(refused().into());
    }
    match operators::item(tensor)? {
        Scalar::Bool(value) => Ok(i64::from(value)),
        Scalar::Int(value) => Ok(value),
        Scalar::Float(_) | Scalar::Complex(_) => Err(refused().into()),
    }
}
