//! Exceptions of hooks of types and Ops, where only an answer can be handed on.
//!
//! Questions such as whether two types are equal have no place for an exception. What a hook raises
//! while somebody listens is kept, and raised in the place of whatever came of the answer; where
//! nobody does, it goes to `sys.unraisablehook`.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};

use opwright_graph::GraphError;
use pyo3::prelude::*;

/// Whether there are hooks at all: who has none does not listen.
static ANY: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Whether somebody listens, and the first that was raised.
    static RAISED: RefCell<Option<Option<PyErr>>> = const { RefCell::new(None) };
}

/// Says that there are hooks.
pub(super) fn known() {
    ANY.store(true, Ordering::Relaxed);
}

/// Ends listening, also if what was run unwinds.
struct Listening(Option<Option<PyErr>>);

impl Listening {
    fn begin() -> Listening {
        Listening(RAISED.with_borrow_mut(|it| it.replace(None)))
    }

    fn end(&mut self) -> Option<PyErr> {
        let outer = self.0.take();
        RAISED.with_borrow_mut(|it| std::mem::replace(it, outer)).flatten()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.end();
    }
}

/// Runs something, and raises what a hook raised meanwhile.
///
/// # Errors
///
/// That, or what it returns itself.
#[inline]
pub(super) fn heard<T>(run: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    if !ANY.load(Ordering::Relaxed) {
        return run();
    }
    let mut listening = Listening::begin();
    let done = run();
    let raised = listening.end();
    // Not dropped with the outer one in its place.
    std::mem::forget(listening);
    match raised {
        Some(error) => Err(error),
        None => done,
    }
}

/// The same where the host's exceptions are failures.
///
/// # Errors
///
/// As [`heard`].
pub(super) fn heard_failure<T>(run: impl FnOnce() -> Result<T, GraphError>) -> PyResult<T> {
    heard(|| run().map_err(super::failure::raised))
}

/// Adds to an exception which hook of which type or Op raised it.
pub(super) fn noted(py: Python<'_>, error: PyErr, hook: &str, of: &Bound<'_, PyAny>) -> PyErr {
    let class = crate::object::type_name(of);
    let shown = of.str().map_or_else(|_| class.clone(), |it| it.to_string());
    let whose = if shown == class { class } else { format!("{shown} ({class})") };
    let note = format!("raised by {hook} of {whose}");
    // One without room for notes is raised as it is.
    let _ = error.value(py).call_method1("add_note", (note,));
    error
}

/// Keeps what a hook raised for who listens; if nobody does, it is told.
pub(super) fn keep(py: Python<'_>, error: PyErr, of: &Bound<'_, PyAny>) {
    let left = RAISED.with_borrow_mut(|it| match it {
        Some(first @ None) => {
            *first = Some(error);
            None
        }
        // The first is the cause.
        Some(Some(_)) => None,
        None => Some(error),
    });
    if let Some(error) = left {
        error.write_unraisable(py, Some(of));
    }
}
