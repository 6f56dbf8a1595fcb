//! Tensors that nodes keep for their gradients.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Edge, Node, edge, is_recording};
use crate::{Error, Result, Tensor, fail};

/// A tensor as it was when a call was recorded.
///
/// It keeps the elements and knows the history, but holds no handle of an output of its own node:
/// output, node and saved tensor would keep one another alive.
pub struct SavedTensor(Mutex<State>);

enum State {
    /// An optional tensor that was absent.
    Absent,
    Kept(Kept),
    /// A pass has used it.
    Released,
}

struct Kept {
    /// Without history, but for a leaf, which is kept itself.
    tensor: Tensor,
    history: History,
    version: u32,
}

enum History {
    /// A leaf, or a tensor that requires no gradients.
    Own,
    /// It was an input: the call that made it.
    Input(Edge),
    /// It was this output of the node that keeps it.
    Output(usize),
}

impl SavedTensor {
    /// Keeps an input of a call.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn input(tensor: &Tensor) -> Result<SavedTensor> {
        let (tensor, history) = match tensor.grad_fn() {
            Some(edge) => (tensor.without_history()?, History::Input(edge)),
            None => (tensor.clone(), History::Own),
        };
        Ok(SavedTensor::kept(tensor, history))
    }

    /// Keeps a copy of an input that the call writes to, with the history that it has before.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn copied(tensor: &Tensor) -> Result<SavedTensor> {
        let history = tensor.gradient_edge().map_or(History::Own, History::Input);
        Ok(SavedTensor::kept(tensor.copy()?, history))
    }

    /// Keeps an output of the call by its number.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn output(tensor: &Tensor, number: usize) -> Result<SavedTensor> {
        Ok(SavedTensor::kept(tensor.without_history()?, History::Output(number)))
    }

    /// Keeps what the call has written, which is going to be counted.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn written(tensor: &Tensor) -> Result<SavedTensor> {
        let version = tensor.version().wrapping_add(1);
        let (tensor, history) = (tensor.without_history()?, History::Output(0));
        Ok(SavedTensor(Mutex::new(State::Kept(Kept { tensor, history, version }))))
    }

    /// Keeps that there was no tensor.
    pub fn absent() -> SavedTensor {
        SavedTensor(Mutex::new(State::Absent))
    }

    fn kept(tensor: Tensor, history: History) -> SavedTensor {
        let version = tensor.version();
        SavedTensor(Mutex::new(State::Kept(Kept { tensor, history, version })))
    }

    /// The tensor, with its history; none if there was none. `node` is the one that keeps it.
    ///
    /// # Errors
    ///
    /// `Runtime` if a pass released it, or if somebody wrote to its elements since.
    pub fn unpack(&self, node: &Arc<dyn Node>) -> Result<Option<Tensor>> {
        self.unpacked(node, true)
    }

    /// The same for a formula, which asks for the history if what it does is recorded.
    ///
    /// # Errors
    ///
    /// As [`unpack`](SavedTensor::unpack).
    pub(super) fn value(&self, node: &Arc<dyn Node>) -> Result<Option<Tensor>> {
        self.unpacked(node, is_recording())
    }

    fn unpacked(&self, node: &Arc<dyn Node>, with_history: bool) -> Result<Option<Tensor>> {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = match &*state {
            State::Absent => return Ok(None),
            State::Released => return Err(released(node)),
            State::Kept(kept) => kept,
        };
        kept.check_version(node)?;
        let edge = match &kept.history {
            _ if !with_history => return Ok(Some(kept.tensor.clone())),
            History::Own => return Ok(Some(kept.tensor.clone())),
            History::Input(edge) => edge.clone(),
            History::Output(number) => Edge::new(node.clone(), *number),
        };
        let tensor = kept.tensor.without_history()?;
        tensor.set_history(edge.node.clone(), edge.output)?;
        Ok(Some(tensor))
    }

    /// Lets go of it.
    pub fn release(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let State::Kept(_) = *state {
            let before = std::mem::replace(&mut *state, State::Released);
            drop(state);
            drop(before);
        }
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let History::Input(edge) = std::mem::replace(&mut self.history, History::Own) {
            edge::release([edge]);
        }
    }
}

impl Kept {
    fn check_version(&self, node: &Arc<dyn Node>) -> Result<()> {
        let now = self.tensor.version();
        if now == self.version {
            return Ok(());
        }
        let maker = match &self.history {
            History::Own => "a leaf".to_owned(),
            History::Input(edge) => format!("output {} of {}", edge.output, edge.node.name()),
            History::Output(number) => format!("output {number} of {}", node.name()),
        };
        fail!(
            Runtime,
            "a tensor that {} needs for its gradient was modified in place: the {} tensor of \
             shape {:?}, {maker}, is at version {now}, and version {} was saved; \
             anomaly detection shows the call",
            node.name(),
            self.tensor.dtype(),
            self.tensor.shape(),
            self.version
        )
    }
}

fn released(node: &Arc<dyn Node>) -> Error {
    Error::runtime(format_args!(
        "a pass goes backward through {} a second time, but the tensors that it saved were freed \
         by the first; pass retain_graph=True to that one",
        node.name()
    ))
}
