//! State that a node and its object share.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, Weak};

use opwright_runtime::Tensor;
use opwright_runtime::autograd::{Gradients, Header, Hooks, SavedTensor};
use opwright_runtime::lock::Lock;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::node::FunctionNode;
use crate::object::failure::exception;
use crate::object::{self, type_name};

/// What is known of a call.
pub(super) struct Recorded {
    pub(super) header: Header,
    pub(super) name: String,
    pub(super) saved: Vec<SavedTensor>,
    /// Which of the arguments were tensors; these are the inputs of the node.
    pub(super) is_tensor: Vec<bool>,
    /// Which of the outputs are.
    pub(super) is_output: Vec<bool>,
    pub(super) materializes: bool,
    /// A pass has released what was saved.
    pub(super) is_released: AtomicBool,
}

/// A call, which is recorded when its function has returned.
#[derive(Default)]
pub(super) struct Shared {
    recorded: OnceLock<Recorded>,
    node: Lock<Weak<FunctionNode>>,
}

impl Shared {
    pub(super) fn recorded(&self) -> Option<&Recorded> {
        self.recorded.get()
    }

    /// Says what was recorded; a call is recorded once.
    pub(super) fn record(&self, recorded: Recorded) -> PyResult<()> {
        self.recorded.set(recorded).map_err(|_| {
            PyRuntimeError::new_err("an instance of a Function is one call, which is recorded")
        })
    }

    /// The node, if it is still there.
    pub(super) fn known_node(&self) -> Option<Arc<FunctionNode>> {
        self.node.try_lock()?.upgrade()
    }

    /// The node, which is made anew if nobody kept it.
    pub(super) fn node(self: &Arc<Self>, context: Bound<'_, PyAny>) -> Arc<FunctionNode> {
        let mut node = self.node.lock();
        node.upgrade().unwrap_or_else(|| {
            let made = Arc::new(FunctionNode::new(self.clone(), context.unbind()));
            *node = Arc::downgrade(&made);
            made
        })
    }

    pub(super) fn hooks(&self) -> &Hooks {
        self.recorded.get().expect("hooks are of a recorded call").header.hooks()
    }
}

impl Recorded {
    /// Lets go of saved tensors.
    pub(super) fn release(&self) {
        self.is_released.store(true, Ordering::Relaxed);
        self.saved.iter().for_each(SavedTensor::release);
    }

    /// The gradients of the outputs as arguments: zeros for those that are absent, unless the
    /// function wants to know.
    pub(super) fn arguments<'py>(
        &self,
        py: Python<'py>,
        gradients: Gradients,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let outputs = self.is_output.iter().zip(self.header.outputs());
        let objects = gradients.into_iter().zip(outputs).map(|(gradient, (is_tensor, output))| {
            let gradient = match gradient {
                Some(gradient) => gradient,
                None if *is_tensor && self.materializes => {
                    output.zeros().map_err(|it| exception(&it))?
                }
                None => return Ok(py.None().into_bound(py)),
            };
            object::same(py, gradient)
        });
        PyTuple::new(py, objects.collect::<PyResult<Vec<_>>>()?)
    }

    /// The gradients of the inputs among what a function returned for its arguments.
    pub(super) fn gradients(&self, answer: Bound<'_, PyAny>) -> PyResult<Gradients> {
        let answers: Vec<Bound<'_, PyAny>> = match answer.cast::<PyTuple>() {
            Ok(tuple) => tuple.iter().collect(),
            Err(_) => vec![answer],
        };
        let expected = self.is_tensor.len();
        let extra = answers.get(expected..).unwrap_or_default();
        if answers.len() < expected || extra.iter().any(|it| !it.is_none()) {
            return Err(PyRuntimeError::new_err(format!(
                "{} returned an incorrect number of gradients: expected {expected}, one for each \
                 argument, got {}",
                self.name,
                answers.len()
            )));
        }
        let pairs = answers.iter().zip(&self.is_tensor).enumerate();
        let given = pairs.filter_map(|(at, (answer, is_tensor))| {
            let gradient = self.gradient(at, answer, *is_tensor).transpose();
            // Other arguments than tensors are no inputs of the node.
            if *is_tensor { Some(gradient.transpose()) } else { gradient?.err().map(Err) }
        });
        given.collect()
    }

    fn gradient(
        &self,
        at: usize,
        answer: &Bound<'_, PyAny>,
        is_tensor: bool,
    ) -> PyResult<Option<Tensor>> {
        let (name, number) = (&self.name, at + 1);
        if answer.is_none() {
            return Ok(None);
        }
        if !is_tensor {
            return Err(PyRuntimeError::new_err(format!(
                "{name} returned a gradient for argument {number}, which was no tensor; return \
                 None there"
            )));
        }
        let tensor = object::tensor_of(answer).cloned();
        tensor.map(Some).ok_or_else(|| {
            PyTypeError::new_err(format!(
                "{name} returned {} for argument {number}: a gradient is a Tensor or None",
                type_name(answer)
            ))
        })
    }
}
