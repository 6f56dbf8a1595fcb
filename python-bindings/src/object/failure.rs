//! Failures of calls: an error of the runtime, or a Python exception.

mod class;
#[cfg(feature = "jit")]
mod kept;
mod renamed;

use std::io::Write;

use opwright_runtime::{Error, ErrorKind};
use pyo3::exceptions::{
    PyBufferError, PyMemoryError, PyOverflowError, PyRuntimeError, PyTypeError, PyUnicodeError,
    PyValueError,
};
use pyo3::prelude::*;
use pyo3::{CastError, PyErr, Python, ffi};

#[cfg(feature = "jit")]
pub(crate) use self::kept::{forget, keep};
pub(crate) use self::renamed::{renamed, shown_name};

/// Exceptions of operators that are defined in Python are kept with errors; without these, none is.
#[cfg(not(feature = "jit"))]
pub(crate) fn forget(_: &Error) {}

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
        // There may be no memory for a box. What code of Python raised is its own.
        let is_memory = Python::attach(|py| {
            error.get_type(py).is(py.get_type::<PyMemoryError>()) && error.traceback(py).is_none()
        });
        if is_memory {
            return Failure::Op(Error::memory("not enough memory"));
        }
        Failure::Python(Box::new(error))
    }
}

/// For methods that PyO3 calls: what is no overload's failure has no operator to name.
impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::Op(error) => exception(&error),
            Failure::Python(error) => *error,
            Failure::Mismatch => PyTypeError::new_err("the arguments do not fit"),
        }
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
            Failure::Op(error) => exception(&error.in_op(shown_name(operator))),
            Failure::Python(error) => *error,
            Failure::Mismatch => PyRuntimeError::new_err("a call was bound to nothing"),
        }
    }
}

/// Whether an exception is of the kinds that our own refusals are of.
#[cold]
pub(crate) fn is_plain(py: Python<'_>, error: &PyErr) -> bool {
    let class = error.get_type(py);
    let plain = [
        py.get_type::<PyTypeError>(),
        py.get_type::<PyValueError>(),
        py.get_type::<PyOverflowError>(),
    ];
    plain.iter().any(|it| class.is(it))
}

/// The exception with the place in front. One that is more than its text, such
/// as those of somebody's own classes, stays as it is and gets a note.
#[cold]
pub(crate) fn placed(py: Python<'_>, error: PyErr, what: &str) -> PyErr {
    let class = error.get_type(py);
    if error.is_instance_of::<PyUnicodeError>(py) {
        // It shows its reason behind the text that it is about.
        let value = error.value(py);
        let reason = value.getattr("reason").map_or_else(|_| String::new(), |it| it.to_string());
        let _ = value.setattr("reason", format!("{reason} (from {what})"));
        return error;
    }
    if !is_plain(py, &error) && !class.is(py.get_type::<PyBufferError>()) {
        // What has no notes is no `Exception`, and nobody's fault.
        let _ = error.value(py).call_method1("add_note", (format!("from {what}"),));
        return error;
    }
    let text = error.value(py).to_string();
    if text.starts_with(what) {
        return error;
    }
    let named = PyErr::from_type(class, format!("{what}: {text}"));
    named.set_cause(py, error.cause(py));
    named
}

/// The exception that stands for an error of the runtime, or that the error stands for.
#[cold]
pub fn exception(error: &Error) -> PyErr {
    #[cfg(feature = "jit")]
    if error.kind() != ErrorKind::Memory
        && let Some(raised) = Python::attach(|py| kept::take(py, error))
    {
        return raised;
    }
    Python::attach(|py| match error.kind() {
        ErrorKind::Memory => memory_error(py, error),
        kind => PyErr::from_type(class::class(py, kind), error.to_string()),
    })
}

/// The exception, without memory of our own: there may be none.
#[cold]
fn memory_error(py: Python<'_>, error: &Error) -> PyErr {
    let mut text = [0_u8; 160];
    let mut rest = &mut text[..];
    // It fails where the text is cut.
    let _ = write!(rest, "{error}");
    let length = 160 - rest.len();
    // SAFETY: so many bytes of text, a class, and the GIL is held. Where there is no memory for a text
    // either, the exception that the interpreter has set aside is set.
    unsafe {
        let bytes = text.as_ptr().cast();
        let message =
            ffi::PyUnicode_DecodeUTF8(bytes, length as ffi::Py_ssize_t, c"replace".as_ptr());
        if !message.is_null() {
            ffi::PyErr_SetObject(ffi::PyExc_MemoryError, message);
            ffi::Py_DECREF(message);
        }
    }
    PyErr::fetch(py)
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
