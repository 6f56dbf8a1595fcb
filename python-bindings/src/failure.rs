//! What ends a call: an error of the runtime, or a Python exception.

use opwright_runtime::{Error, ErrorKind};
use pyo3::exceptions::{
    PyIndexError, PyMemoryError, PyNotImplementedError, PyOverflowError, PyRuntimeError,
    PyTypeError, PyValueError,
};
use pyo3::{CastError, PyErr, Python};

/// Why a call did not return a value.
///
/// Small, so that results fit into registers: they are passed on all the way
/// from the kernel.
#[derive(Debug)]
pub enum Failure {
    /// No overload fits; the message is built only if somebody wants it.
    Mismatch,
    /// The runtime or a kernel refused.
    Op(Error),
    /// Python raised.
    Python(Box<PyErr>),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Op(error)
    }
}

impl From<PyErr> for Failure {
    #[cold]
    fn from(error: PyErr) -> Failure {
        Failure::Python(Box::new(error))
    }
}

impl From<CastError<'_, '_>> for Failure {
    fn from(error: CastError<'_, '_>) -> Failure {
        PyErr::from(error).into()
    }
}

impl Failure {
    /// The exception that a call of the operator raises.
    #[cold]
    pub(crate) fn raised(self, operator: &'static str) -> PyErr {
        match self {
            Failure::Op(error) => exception(&error.in_op(operator)),
            Failure::Python(error) => *error,
            Failure::Mismatch => PyRuntimeError::new_err("a call was bound to nothing"),
        }
    }
}

/// The exception that stands for an error of the runtime.
#[cold]
pub fn exception(error: &Error) -> PyErr {
    let message = error.to_string();
    match error.kind() {
        ErrorKind::Type => PyTypeError::new_err(message),
        ErrorKind::Value => PyValueError::new_err(message),
        ErrorKind::Index => PyIndexError::new_err(message),
        ErrorKind::Runtime => PyRuntimeError::new_err(message),
        ErrorKind::NotImplemented => PyNotImplementedError::new_err(message),
        ErrorKind::Memory => PyMemoryError::new_err(message),
        ErrorKind::Overflow => PyOverflowError::new_err(message),
    }
}

/// Sets the exception that `make` makes, for an entry point to return a failure.
///
/// While the interpreter's own calls run, PyO3 does not know that the GIL is
/// held, and would keep what is dropped until somebody tells it.
#[cold]
pub(crate) fn throw(make: impl FnOnce(Python<'_>) -> PyErr) {
    Python::attach(|py| make(py).restore(py));
}

/// For code that is written against PyO3 rather than the shims.
pub fn raise(error: Error) -> PyErr {
    exception(&error)
}
