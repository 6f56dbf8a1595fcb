//! Trampolines of entry points that are written by hand: a failure or a panic of the body becomes
//! an exception.

use std::panic::{AssertUnwindSafe, catch_unwind};

use opwright_runtime::interrupt::Payload;
use opwright_runtime::{Tensor, reserve};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::convert::Convert;
use super::failure::{Failure, exception, throw};
use super::signals;
use super::tensor::{self, Object};

/// The name of an entry point that nobody calls by one.
pub(crate) const NO_NAME: &str = "";

/// Runs the body of an entry point. A failure or a panic becomes an exception,
/// and the result `failed`, by which the interpreter knows.
#[inline(always)]
pub(crate) fn trampoline<T>(
    name: &'static str,
    failed: T,
    body: impl FnOnce() -> Result<T, Failure>,
) -> T {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => return value,
        Ok(Err(failure)) => refuse(name, failure),
        Err(payload) => refuse(name, unwound(name, payload).into()),
    }
    failed
}

/// Runs the body of a function or a method of PyO3 in which code of Python may run that was called from
/// within the runtime: what that raises unwinds to here, and comes out as it is.
pub(crate) fn guarded<T>(name: &str, body: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| Err(unwound(name, payload)))
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
pub(crate) fn as_exception(name: &'static str, failure: Failure) -> PyErr {
    match failure {
        Failure::Op(error) if name == NO_NAME => exception(&error),
        Failure::Op(error) => exception(&error.in_op(name)),
        Failure::Python(error) => *error,
        Failure::Mismatch => PyRuntimeError::new_err(format!("{name}(): no overload fits")),
    }
}

/// A question about a tensor that needs nothing else: an attribute, or a
/// method without parameters.
#[inline]
pub(crate) fn ask<'py, T: Convert>(
    name: &'static str,
    object: Borrowed<'_, 'py, Object>,
    question: impl FnOnce(&Tensor) -> Result<T, Failure>,
) -> Option<Bound<'py, PyAny>> {
    // The answer does not borrow from the tensor, so its handle may be replaced while the answer is
    // wrapped.
    trampoline(name, None, || question(tensor::peek(object))?.object(object.py()).map(Some))
}

/// A piece of work on a tensor for which Python is needed.
pub(crate) fn with_python<'py>(
    name: &'static str,
    object: Borrowed<'_, 'py, Object>,
    work: impl FnOnce(Tensor) -> Result<Bound<'py, PyAny>, Failure>,
) -> Option<Bound<'py, PyAny>> {
    // The handle is counted, since Python code may run and replace the object's own.
    trampoline(name, None, || {
        reserve::check()?;
        work(tensor::peek(object).clone()).map(Some)
    })
}
