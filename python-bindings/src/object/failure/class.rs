//! The classes of exceptions that stand for kinds of errors.

use opwright_runtime::ErrorKind;
use pyo3::exceptions::{
    PyIndexError, PyMemoryError, PyNotImplementedError, PyOverflowError, PyRuntimeError,
    PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::types::PyType;

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
    }
}
