//! Overrides of calls, by objects whose class defines `__opwright_function__`.

use std::cell::Cell;

use opwright_runtime::resolve::Accepts;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use super::{classes, hooks};
use crate::raw;

/// The method that takes over calls.
pub(crate) const NAME: &str = "__opwright_function__";

thread_local! {
    /// How many calls without overrides this thread is in.
    static DISABLED: Cell<usize> = const { Cell::new(0) };
}

/// The attribute that turns overrides off for a class.
static MARKER: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Sets the marker, whose presence in a class turns overrides off.
pub(crate) fn set_marker(marker: &Bound<'_, PyAny>) {
    MARKER.get_or_init(marker.py(), || marker.clone().unbind());
}

/// While it lives, this thread's calls ask no override.
pub(crate) struct Disabled;

impl Disabled {
    pub(crate) fn new() -> Disabled {
        DISABLED.set(DISABLED.get() + 1);
        Disabled
    }
}

impl Drop for Disabled {
    fn drop(&mut self) {
        DISABLED.set(DISABLED.get() - 1);
    }
}

/// Whether `object`, which is none of the types that everybody passes, takes over calls.
pub(crate) fn overrides(object: &Bound<'_, PyAny>) -> bool {
    let plain = classes::TENSOR.is_exact(object);
    // Attached, as attributes of the object's own making may raise exceptions.
    let takes_over =
        || hooks::is_method_proxy(object) || (DISABLED.get() == 0 && handler(object).is_some());
    !plain && Python::attach(|_| takes_over())
}

/// An object's `__opwright_function__`, unless it is the marker.
pub(crate) fn handler<'py>(object: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    let py = object.py();
    let class = object.get_type();
    // Built-in ones cannot define it.
    if !raw::is_heap(&class) {
        return None;
    }
    let found = object.getattr_opt(intern!(py, NAME)).ok()??;
    let marker = MARKER.get(py).is_some_and(|it| found.is(it.bind(py)));
    (!marker && !is_default_of_another_module(&found)).then_some(found)
}

/// Whether it is what plain tensors of another module have. They are arrays here: that module's
/// implementation would call this one's function again, and so on.
fn is_default_of_another_module(found: &Bound<'_, PyAny>) -> bool {
    let py = found.py();
    let Ok(function) = found.getattr(intern!(py, "__func__")) else { return false };
    let is_default = matches!(function.getattr_opt(intern!(py, "_is_default")), Ok(Some(_)));
    let own = classes::TENSOR.bind(py).getattr(intern!(py, NAME));
    is_default && !own.and_then(|it| it.getattr("__func__")).is_ok_and(|it| it.is(&function))
}

/// How an object that takes over calls is described: it fits every parameter.
pub(crate) const TAKES_OVER: Accepts = Accepts::EVERYTHING.or(Accepts::OVERRIDE);
