//! Signal handling: Ctrl-C while an operator runs.
//!
//! The interpreter only notes a signal; its handlers run in the main thread,
//! between two steps of Python code. An operator that takes long looks for
//! them itself from time to time. What a handler raises, such as
//! `KeyboardInterrupt`, ends the operator.

use std::ffi::CString;
use std::mem;

use opwright_runtime::interrupt::{self, Payload};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;

/// Runs Rust code without the GIL; a signal handler that raises ends it.
///
/// # Panics
///
/// As `run` does, and with what a handler raises.
#[inline(always)]
pub(crate) fn detached<T: Send>(py: Python<'_>, run: impl FnMut() -> T + Send) -> T {
    let mut task = Task { run, result: None };
    attend(py, &mut task);
    task.result.unwrap_or_else(|| unreachable!("what returns has run"))
}

/// Not `FnMut`, of which the compiler makes three functions for each operator.
trait Work: Send {
    fn work(&mut self);
}

struct Task<R, T> {
    run: R,
    result: Option<T>,
}

impl<R: FnMut() -> T + Send, T: Send> Work for Task<R, T> {
    fn work(&mut self) {
        // There is no earlier one, which the compiler does not know.
        mem::forget(self.result.replace((self.run)()));
    }
}

/// Apart, because the compiler makes a [`detached`] for each operator.
#[inline(never)]
fn attend(py: Python<'_>, task: &mut dyn Work) {
    // Only here: where the GIL stays held, operands are borrowed from objects
    // that a handler could change.
    py.detach(|| interrupt::watched(raised, || task.work()));
}

/// What the handlers of signals raise, in the main thread; others have none.
fn raised() -> Option<Payload> {
    // None while the interpreter shuts down: then nobody handles signals.
    let error = Python::try_attach(|py| py.check_signals().err()).flatten();
    error.map(|it| Box::new(it) as Payload)
}

/// Warns in Python, at the place that the user wrote: outside this package. A warning that is an
/// error ends the call.
///
/// # Panics
///
/// With the exception, where warnings are errors.
pub(crate) fn warn(text: &str) {
    let error = Python::try_attach(|py| {
        let text = CString::new(text).unwrap_or_default();
        let level = user_level(py).unwrap_or(1);
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, level).err()
    });
    if let Some(error) = error.flatten() {
        std::panic::resume_unwind(Box::new(error) as Payload);
    }
}

/// How many frames are between here and code that is not this package's.
fn user_level(py: Python<'_>) -> PyResult<i32> {
    let mut frame = py.import("sys")?.call_method0("_getframe")?;
    let (package, mut level) = (crate::object::package::name(), 1);
    while !frame.is_none() {
        let name = frame.getattr("f_globals")?.get_item("__name__")?.to_string();
        let rest = name.strip_prefix(package);
        if !rest.is_some_and(|it| it.is_empty() || it.starts_with('.')) {
            return Ok(level);
        }
        frame = frame.getattr("f_back")?;
        level += 1;
    }
    Ok(1)
}

/// The exception that a call was interrupted by, or the payload of a panic.
#[cold]
pub(crate) fn exception(payload: Payload) -> Result<PyErr, Payload> {
    payload.downcast::<PyErr>().map(|it| *it)
}
