//! The object that stands for a variable or a node, the same one as long as somebody holds it.

use std::any::Any;
use std::sync::Arc;

use opwright_graph::Label;
use pyo3::prelude::*;
use pyo3::types::{PyWeakrefMethods, PyWeakrefReference};

/// The object that a label leads to, if it lives.
pub(super) fn known<'py>(py: Python<'py>, label: &Label) -> Option<Bound<'py, PyAny>> {
    let held = label.object()?.downcast::<Py<PyWeakrefReference>>().ok()?;
    held.bind(py).upgrade()
}

/// Lets a label lead to an object.
///
/// # Errors
///
/// `MemoryError`.
pub(super) fn remember(label: &Label, object: &Bound<'_, PyAny>) -> PyResult<()> {
    let reference = PyWeakrefReference::new(object)?.unbind();
    let held: Arc<dyn Any + Send + Sync> = Arc::new(reference);
    label.set_object(held);
    Ok(())
}
