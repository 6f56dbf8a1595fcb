//! The classes of exceptions that stand for kinds of errors.

use opwright_runtime::ErrorKind;
use pyo3::exceptions::{
    PyIndexError, PyMemoryError, PyNotImplementedError, PyOverflowError, PyRuntimeError,
    PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::object::package;

/// The class for a kind.
pub(super) fn class(py: Python<'_>, kind: ErrorKind) -> Bound<'_, PyType> {
    match kind {
        ErrorKind::Type => py.get_type::<PyTypeError>(),
        ErrorKind::Value => py.get_type::<PyValueError>(),
        ErrorKind::Index => py.get_type::<PyIndexError>(),
        ErrorKind::Runtime => py.get_type::<PyRuntimeError>(),
        ErrorKind::NotImplemented => py.get_type::<PyNotImplementedError>(),
        ErrorKind::Overflow => py.get_type::<PyOverflowError>(),
        ErrorKind::Memory => py.get_type::<PyMemoryError>(),
        ErrorKind::LinAlg => lin_alg(py).unwrap_or_else(|_| py.get_type::<PyRuntimeError>()),
    }
}

/// The package's own class, which is one of numpy's too, where numpy is.
fn lin_alg(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    let class = package::load(py, "_linalg_error")?.getattr("LinAlgError")?;
    Ok(class.cast_into()?)
}
