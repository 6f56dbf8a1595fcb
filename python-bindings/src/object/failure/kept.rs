//! Exceptions that code of Python raised beneath a caller that knows errors of the runtime alone: a
//! graph, a compiled function. They are kept until their error becomes an exception again, which is then
//! the one that was raised, with its class, its attributes and its traceback.

use opwright_runtime::lock::Lock;
use opwright_runtime::{Error, ErrorKind};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use super::class::class;
use crate::object::gil;

/// An exception, and the message of the error that stands for it.
struct KeptException {
    /// Where the message is, which stays there as long as the error.
    message: usize,
    raised: PyErr,
}

/// Those whose errors nobody has asked for: a caller in Rust or C keeps no more than kind and message.
static KEPT: Lock<Vec<KeptException>> = Lock::new(Vec::new());

/// More are not kept: the oldest goes, with what its traceback keeps alive.
const MOST: usize = 16;

/// The error of the kind of an exception, which is kept.
///
/// # Panics
///
/// With the exception, if it is no `Exception`: it asks to leave, and nobody handles it.
#[cold]
pub(crate) fn keep(py: Python<'_>, raised: PyErr) -> Error {
    if !raised.is_instance_of::<PyException>(py) {
        std::panic::resume_unwind(Box::new(raised));
    }
    let error = error(py, &raised);
    // There is no memory for more, and its message may be that of another one soon.
    if error.kind() == ErrorKind::Memory {
        return error;
    }
    let kept = KeptException { message: error.message().as_ptr().addr(), raised };
    let mut all = KEPT.lock();
    let dropped = (all.len() == MOST).then(|| all.remove(0));
    all.push(kept);
    drop(all);
    // What it runs may raise and keep, too.
    drop(dropped);
    error
}

/// The exception that an error stands for, if it was kept.
pub(super) fn take(py: Python<'_>, error: &Error) -> Option<PyErr> {
    let message = error.message().as_ptr().addr();
    let mut all = KEPT.lock();
    let at = all.iter().position(|it| it.message == message)?;
    let found = all.remove(at);
    drop(all);
    // The error that had its message there may be gone, and another one have taken its place. Long
    // messages are cut.
    let text = text(py, &found.raised);
    let is_its = match error.message().strip_suffix("...") {
        Some(begin) => text.starts_with(begin),
        None => text == error.message(),
    };
    is_its.then_some(found.raised)
}

/// Lets go of the exception that an error stands for: nobody gets it.
#[cold]
pub(crate) fn forget(error: &Error) {
    gil::attached(|py| drop(take(py, error)));
}

fn error(py: Python<'_>, raised: &PyErr) -> Error {
    Error::new(kind(py, raised).unwrap_or(ErrorKind::Runtime), text(py, raised))
}

/// The kind that stands for the class of an exception, or for one above: but that of any other.
fn kind(py: Python<'_>, raised: &PyErr) -> Option<ErrorKind> {
    let mut kinds = ErrorKind::ALL.into_iter().filter(|it| *it != ErrorKind::Runtime);
    kinds.find(|it| raised.is_instance(py, &class(py, *it)))
}

/// The message of an exception, with its class if that says more than the kind; never empty, so that it
/// lies somewhere.
fn text(py: Python<'_>, raised: &PyErr) -> String {
    let text = raised.value(py).to_string();
    match kind(py, raised) {
        Some(_) if !text.is_empty() => text,
        _ => format!("{}: {text}", raised.get_type(py)),
    }
}
