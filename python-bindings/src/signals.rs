//! Ctrl-C while an operator runs.
//!
//! The interpreter only notes a signal; its handlers run in the main thread,
//! between two steps of Python code. An operator that takes long looks for
//! them itself from time to time. What a handler raises, such as
//! `KeyboardInterrupt`, ends the operator.

use opwright_runtime::interrupt::{self, Payload};
use pyo3::prelude::*;

/// Runs Rust code without the GIL; a signal handler that raises ends it.
///
/// # Panics
///
/// As `run` does, and with what a handler raises.
#[cold]
pub(crate) fn detached<T: Send>(py: Python<'_>, mut run: impl FnMut() -> T + Send) -> T {
    let mut result = None;
    attend(py, &mut || _ = result.get_or_insert_with(&mut run));
    result.expect("what returns has run")
}

/// Apart, because the compiler makes a [`detached`] for each operator.
fn attend(py: Python<'_>, work: &mut (dyn FnMut() + Send)) {
    // Only here: where the GIL stays held, operands are borrowed from objects
    // that a handler could change.
    py.detach(|| interrupt::watched(raised, work));
}

/// What the handlers of signals raise, in the main thread; others have none.
fn raised() -> Option<Payload> {
    // None while the interpreter shuts down: then nobody handles signals.
    let error = Python::try_attach(|py| py.check_signals().err()).flatten();
    error.map(|it| Box::new(it) as Payload)
}

/// The exception that a call was interrupted by, or the payload of a panic.
#[cold]
pub(crate) fn exception(payload: Payload) -> Result<PyErr, Payload> {
    payload.downcast::<PyErr>().map(|it| *it)
}
