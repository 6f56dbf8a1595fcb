//! Entry points that are written by hand: what the interpreter calls and what
//! may go wrong inside are kept apart here.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use opwright_runtime::Tensor;
use opwright_runtime::interrupt::Payload;
use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi::PyObject;
use pyo3::prelude::*;

use super::object;
use crate::failure::{Failure, exception, throw};
use crate::signals;
use crate::wrap::Wrap;

/// Runs the body of an entry point. A failure or a panic becomes an exception,
/// and the result `failed`, by which the interpreter knows.
///
/// # Safety
///
/// The GIL is held.
#[inline(always)]
pub(crate) unsafe fn guard<T>(
    name: &'static str,
    failed: T,
    body: impl FnOnce(Python<'_>) -> Result<T, Failure>,
) -> T {
    // SAFETY: the caller's promise.
    let py = unsafe { Python::assume_attached() };
    match catch_unwind(AssertUnwindSafe(|| body(py))) {
        Ok(Ok(value)) => return value,
        Ok(Err(failure)) => refuse(name, failure),
        Err(payload) => refuse(name, unwound(name, payload).into()),
    }
    failed
}

#[cold]
#[inline(never)]
fn refuse(name: &'static str, failure: Failure) {
    throw(|_| as_exception(name, failure));
}

/// The exception of a call that unwound: what a signal handler raised, or a
/// `RuntimeError` that says which operator panicked.
#[cold]
pub(crate) fn unwound(name: &str, payload: Payload) -> PyErr {
    signals::exception(payload).unwrap_or_else(|payload| {
        let text = payload
            .downcast_ref::<&str>()
            .map(|it| (*it).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "unknown panic".to_owned());
        PyRuntimeError::new_err(format!("{name}(): internal error: {text}; please report it"))
    })
}

/// The exception that a failure is.
#[cold]
pub(super) fn as_exception(name: &'static str, failure: Failure) -> PyErr {
    match failure {
        Failure::Op(error) => exception(&error.in_op(name)),
        Failure::Python(error) => *error,
        Failure::Mismatch => PyRuntimeError::new_err(format!("{name}(): no overload fits")),
    }
}

/// A question about a tensor that needs nothing else: an attribute, or a
/// method without parameters.
///
/// # Safety
///
/// `object` is a valid tensor, and the GIL is held.
#[inline]
pub(super) unsafe fn ask<T: Wrap>(
    name: &'static str,
    object: *mut PyObject,
    question: impl FnOnce(&Tensor) -> Result<T, Failure>,
) -> *mut PyObject {
    // SAFETY: the caller's promise. The answer does not borrow from the
    // tensor, so its handle may be replaced while the answer is wrapped.
    unsafe { guard(name, ptr::null_mut(), |py| question(object::peek(object))?.wrap(py)) }
}

/// A piece of work on a tensor for which Python is needed.
///
/// # Safety
///
/// As for [`ask`].
pub(super) unsafe fn with_python(
    name: &'static str,
    object: *mut PyObject,
    work: impl FnOnce(Python<'_>, Tensor) -> Result<Py<PyAny>, Failure>,
) -> *mut PyObject {
    // SAFETY: the caller's promise. The handle is counted, since Python code
    // may run and replace the object's own.
    unsafe {
        guard(name, ptr::null_mut(), |py| Ok(work(py, object::peek(object).clone())?.into_ptr()))
    }
}

/// Runs Rust code that touches `work` elements, without the GIL if they are many.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    work: usize,
    mut run: impl FnMut() -> T + Send,
) -> T {
    if work >= crate::args::threshold() { signals::detached(py, run) } else { run() }
}
