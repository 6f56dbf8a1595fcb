//! Nodes of custom functions, which ask Python for their gradients.

use std::any::Any;
use std::borrow::Cow;
use std::panic::resume_unwind;
use std::sync::Arc;

use opwright_runtime::Result;
use opwright_runtime::autograd::{Call, Gradients, Header, Node, SavedTensor, Visit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::recorded::{Recorded, Shared};
use crate::object::deferred;

/// A recorded call, with the object that knows its gradient.
pub(super) struct FunctionNode {
    shared: Arc<Shared>,
    /// None only while it is being dropped.
    context: Option<Py<PyAny>>,
}

impl FunctionNode {
    /// Of a call that was recorded.
    pub(super) fn new(shared: Arc<Shared>, context: Py<PyAny>) -> FunctionNode {
        FunctionNode { shared, context: Some(context) }
    }

    pub(super) fn context(&self) -> Option<&Py<PyAny>> {
        self.context.as_ref()
    }

    fn recorded(&self) -> &Recorded {
        self.shared.recorded().expect("a node is of a recorded call")
    }
}

/// The object of a node, if it is one of these.
pub(crate) fn context<'py>(py: Python<'py>, node: &Arc<dyn Node>) -> Option<Bound<'py, PyAny>> {
    let node: &FunctionNode = (&**node as &dyn Any).downcast_ref()?;
    node.context.as_ref().map(|it| it.bind(py).clone())
}

/// A tensor that a node saved, if it is one of these.
pub(crate) fn saved(node: &Arc<dyn Node>, at: usize) -> Option<&SavedTensor> {
    let node: &FunctionNode = (&**node as &dyn Any).downcast_ref()?;
    node.recorded().saved.get(at)
}

/// What the function of a recorded call returns for gradients of its outputs.
pub(super) fn called<'py>(
    context: &Bound<'py, PyAny>,
    gradients: Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = context.py();
    let class = context.get_type();
    if class.hasattr(intern!(py, "_forward_cls"))? {
        return context.getattr(intern!(py, "apply"))?.call1(gradients);
    }
    // An instance of the function itself, which was called.
    called_with(&class.getattr(intern!(py, "backward"))?, context, &gradients)
}

/// Calls a function with an argument before others.
pub(super) fn called_with<'py>(
    function: &Bound<'py, PyAny>,
    first: &Bound<'py, PyAny>,
    others: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    // A tuple of Rust is none of Python's, which would be made for the call.
    match others.len() {
        1 => function.call1((first, others.get_borrowed_item(0)?)),
        2 => function.call1((first, others.get_borrowed_item(0)?, others.get_borrowed_item(1)?)),
        _ => {
            let all = std::iter::once(first.clone()).chain(others.iter());
            function.call1(PyTuple::new(first.py(), all.collect::<Vec<_>>())?)
        }
    }
}

impl Node for FunctionNode {
    fn header(&self) -> &Header {
        &self.recorded().header
    }

    fn name(&self) -> Cow<'static, str> {
        self.recorded().name.clone().into()
    }

    fn backward(&self, mut call: Call<'_>) -> Result<Gradients> {
        let recorded = self.recorded();
        let gradients = call.own_gradients()?;
        let given = Python::attach(|py| {
            let Some(context) = &self.context else { return Ok(Gradients::new()) };
            let gradients = recorded.arguments(py, gradients)?;
            recorded.gradients(called(context.bind(py), gradients)?)
        });
        // The exception leaves the pass as it is.
        Ok(given.unwrap_or_else(|error: PyErr| resume_unwind(Box::new(error))))
    }

    fn hosts(&self, visit: &mut Visit<'_>) {
        // The object itself tells of hooks, which it has as well.
        if let Some(context) = &self.context {
            visit(context.as_ptr().cast());
        }
    }

    fn kept_nodes(&self, _: &mut dyn FnMut(&Arc<dyn Node>)) {
        // They are those of the object as well.
    }

    fn release(&self) {
        self.recorded().release();
    }
}

impl Drop for FunctionNode {
    fn drop(&mut self) {
        if let Some(context) = self.context.take() {
            deferred::defer(context);
        }
    }
}
