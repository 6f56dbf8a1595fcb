//! Saved tensors: what nodes keep for their gradients, each with the version that it had.

use std::sync::Arc;

use super::edge;
use super::edge::Edge;
use super::mode::is_recording;
use super::node::Node;
use super::packing::{self, Packed, Packing};
use crate::lock::{Guard, Lock};
use crate::{Error, Result, Tensor, ensure};

/// A tensor as it was when a call was recorded.
///
/// It keeps the elements and knows the history, but holds no handle of an output of its own node:
/// output, node and saved tensor would keep one another alive.
pub struct SavedTensor(Lock<SavedState>);

enum SavedState {
    /// An optional tensor that was absent.
    Absent,
    SavedEntry(SavedEntry),
    /// A pass has used it.
    Released,
}

#[derive(Clone)]
struct SavedEntry {
    form: SavedForm,
    /// The call that made the tensor, if it was an input that some call made.
    maker: Option<Arc<dyn Node>>,
    /// Which output it was: of that call, or of the node that keeps it.
    output: u32,
    /// How often its elements had been written to.
    version: u32,
}

#[derive(Clone)]
enum SavedForm {
    /// Without history, but for a leaf, which is kept itself.
    Plain(Tensor),
    /// In a form that somebody else chose.
    Packed(Box<Arc<dyn Packed>>),
}

/// Stands for the number of an output in what is none: a leaf, or a tensor that requires no
/// gradients.
const OWN: u32 = u32::MAX;

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
    /// `Runtime` for a tensor that was made in inference mode, `Memory` if there is not enough, and
    /// what packing reports.
    pub fn input(tensor: &Tensor) -> Result<SavedTensor> {
        ensure!(
            !tensor.is_inference(),
            Runtime,
            "an inference tensor cannot be saved for backward; save a clone() of it, made outside \
             of inference mode"
        );
        let (tensor, history) = match tensor.grad_fn() {
            Some(edge) => (tensor.without_history()?, History::Input(edge)),
            None => (tensor.clone(), History::Own),
        };
        SavedTensor::kept(tensor, history)
    }

    /// Keeps a copy of an input that the call writes to, with the history that it has before.
    ///
    /// # Errors
    ///
    /// As [`input`](SavedTensor::input).
    pub fn copied(tensor: &Tensor) -> Result<SavedTensor> {
        let history = tensor.gradient_edge().map_or(History::Own, History::Input);
        SavedTensor::kept(tensor.copy()?, history)
    }

    /// Keeps an output of the call by its number.
    ///
    /// # Errors
    ///
    /// As [`input`](SavedTensor::input).
    pub fn output(tensor: &Tensor, number: usize) -> Result<SavedTensor> {
        SavedTensor::kept(tensor.without_history()?, History::Output(number))
    }

    /// Keeps what the call has written, which is going to be counted.
    ///
    /// # Errors
    ///
    /// As [`input`](SavedTensor::input).
    pub fn written(tensor: &Tensor) -> Result<SavedTensor> {
        let version = tensor.version().wrapping_add(1);
        let (tensor, history) = (tensor.without_history()?, History::Output(0));
        SavedTensor::kept_at(tensor, history, version)
    }

    /// Keeps that there was no tensor.
    pub fn absent() -> SavedTensor {
        SavedTensor(Lock::new(SavedState::Absent))
    }

    fn kept(tensor: Tensor, history: History) -> Result<SavedTensor> {
        let version = tensor.version();
        SavedTensor::kept_at(tensor, history, version)
    }

    fn kept_at(tensor: Tensor, history: History, version: u32) -> Result<SavedTensor> {
        let (maker, output) = match history {
            History::Own => (None, OWN),
            History::Input(edge) => (Some(edge.node), edge.output as u32),
            History::Output(number) => (None, number as u32),
        };
        let mut kept = SavedEntry { form: SavedForm::Plain(tensor), maker, output, version };
        if let Some(packing) = packing::current() {
            kept.pack(&*packing)?;
        }
        Ok(SavedTensor(Lock::new(SavedState::SavedEntry(kept))))
    }

    /// Shows the call that made the tensor, if it keeps one. It never waits.
    pub fn kept_node(&self, see: &mut dyn FnMut(&Arc<dyn Node>)) {
        if let Some(state) = self.0.try_lock()
            && let SavedState::SavedEntry(SavedEntry { maker: Some(maker), .. }) = &*state
        {
            see(maker);
        }
    }

    fn lock(&self) -> Guard<'_, SavedState> {
        self.0.lock()
    }

    /// Whether a tensor was there when the call was recorded.
    pub fn is_present(&self) -> bool {
        !matches!(*self.lock(), SavedState::Absent)
    }

    /// Keeps it in another form from now on.
    ///
    /// # Errors
    ///
    /// `Runtime` if a pass released it, if there was none, or if it has another form already; and what
    /// packing reports.
    pub fn pack(&self, packing: &dyn Packing, node: &Arc<dyn Node>) -> Result<()> {
        let mut kept = self.taken(node)?.ok_or_else(|| {
            Error::runtime("hooks cannot be registered on a saved tensor that is None")
        })?;
        ensure!(
            matches!(kept.form, SavedForm::Plain(_)),
            Runtime,
            "hooks have been registered on this saved tensor already"
        );
        // Not under the lock: packing may run anything.
        kept.pack(packing)?;
        let mut state = self.lock();
        let before = match *state {
            SavedState::SavedEntry(_) => {
                std::mem::replace(&mut *state, SavedState::SavedEntry(kept))
            }
            SavedState::Absent | SavedState::Released => SavedState::Absent,
        };
        drop(state);
        drop(before);
        Ok(())
    }

    /// What is kept, none if there was no tensor.
    fn taken(&self, node: &Arc<dyn Node>) -> Result<Option<SavedEntry>> {
        match &*self.lock() {
            SavedState::Absent => Ok(None),
            SavedState::Released => Err(released(node)),
            SavedState::SavedEntry(it) => Ok(Some(it.clone())),
        }
    }

    /// The tensor, with its history; none if there was none. `node` is the one that keeps it.
    ///
    /// # Errors
    ///
    /// `Runtime` if a pass released it, or if somebody wrote to its elements since; and what
    /// unpacking reports.
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
        let Some(kept) = self.taken(node)? else { return Ok(None) };
        let tensor = match &kept.form {
            SavedForm::Plain(tensor) => {
                kept.check_version(tensor, node)?;
                tensor.clone()
            }
            SavedForm::Packed(packed) => packed.unpack()?,
        };
        let edge = match kept.history() {
            _ if !with_history => return Ok(Some(tensor)),
            History::Own => return Ok(Some(tensor)),
            History::Input(edge) => edge,
            History::Output(number) => Edge::new(node.clone(), number),
        };
        let tensor = tensor.without_history()?;
        tensor.set_history(edge.node.clone(), edge.output)?;
        Ok(Some(tensor))
    }

    /// Lets go of it.
    pub fn release(&self) {
        let mut state = self.lock();
        if let SavedState::SavedEntry(_) = *state {
            let before = std::mem::replace(&mut *state, SavedState::Released);
            drop(state);
            drop(before);
        }
    }
}

impl Drop for SavedEntry {
    fn drop(&mut self) {
        if let Some(maker) = self.maker.take() {
            edge::release([Edge::new(maker, 0)]);
        }
    }
}

impl SavedEntry {
    fn history(&self) -> History {
        match &self.maker {
            Some(maker) => History::Input(Edge::new(maker.clone(), self.output as usize)),
            None if self.output == OWN => History::Own,
            None => History::Output(self.output as usize),
        }
    }

    /// Changes the form, unless it is a number that came where a tensor was asked for.
    fn pack(&mut self, packing: &dyn Packing) -> Result<()> {
        let SavedForm::Plain(tensor) = &self.form else { return Ok(()) };
        if tensor.is_wrapped_number() {
            return Ok(());
        }
        // What unpacking makes does not know which leaf it was.
        if let (History::Own, Some(edge)) = (self.history(), tensor.gradient_edge()) {
            (self.maker, self.output) = (Some(edge.node), edge.output as u32);
        }
        let packed = packing::pack(packing, &tensor.without_history()?)?;
        self.form = SavedForm::Packed(Box::new(packed));
        Ok(())
    }

    #[inline]
    fn check_version(&self, tensor: &Tensor, node: &Arc<dyn Node>) -> Result<()> {
        let hooks = self.maker.as_ref().and_then(|it| it.header().known_hooks());
        if hooks.is_some_and(|it| it.is_detached(self.output as usize)) {
            return Err(self.detached(tensor, node));
        }
        if tensor.version() == self.version { Ok(()) } else { Err(self.changed(tensor, node)) }
    }

    #[cold]
    fn detached(&self, tensor: &Tensor, node: &Arc<dyn Node>) -> Error {
        Error::runtime(format_args!(
            "a tensor that {} needs for its gradient was detached in place: the {} tensor of shape \
             {:?} has lost its history since; use detach(), which leaves the tensor as it is",
            node.name(),
            tensor.dtype(),
            tensor.shape(),
        ))
    }

    #[cold]
    fn changed(&self, tensor: &Tensor, node: &Arc<dyn Node>) -> Error {
        let maker = match self.history() {
            History::Own => "a leaf".to_owned(),
            History::Input(edge) => format!("output {} of {}", edge.output, edge.node.name()),
            History::Output(number) => format!("output {number} of {}", node.name()),
        };
        Error::runtime(format_args!(
            "a tensor that {} needs for its gradient was modified in place: the {} tensor of \
             shape {:?}, {maker}, is at version {}, and version {} was saved; \
             anomaly detection shows the call",
            node.name(),
            tensor.dtype(),
            tensor.shape(),
            tensor.version(),
            self.version,
        ))
    }
}

fn released(node: &Arc<dyn Node>) -> Error {
    Error::runtime(format_args!(
        "a pass goes backward through {} a second time, but the tensors that it saved were freed \
         by the first; pass retain_graph=True to that one",
        node.name()
    ))
}
