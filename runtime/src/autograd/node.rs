//! Nodes of the backward graph: recorded calls.

use std::any::Any;
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use smallvec::SmallVec;

use super::anomaly::{self, NodeOrigin};
use super::arithmetic::Arithmetic;
use super::edge::{self, Edge};
use super::hooks::{self, Hooks, MaybeHooks, Visit};
use crate::geometry::{Dims, to_dims};
use crate::{DType, Device, Result, Tensor};

/// A gradient for each output or for each input of a call; absent where there is none.
pub type Gradients = SmallVec<[Option<Tensor>; 2]>;

/// A recorded call, which can tell the gradients of its inputs from those of its outputs.
pub trait Node: Any + Send + Sync {
    /// What all nodes have.
    fn header(&self) -> &Header;

    /// What people call it: `MulBackward0`.
    fn name(&self) -> Cow<'static, str>;

    /// The gradients of the inputs, in the order of [`Header::next`]. It may leave out those that
    /// nobody wants.
    ///
    /// # Errors
    ///
    /// `Runtime` if what it saved was released or changed meanwhile, and what its formulas report.
    fn backward(&self, call: Call<'_>) -> Result<Gradients>;

    /// Lets go of what it saved; from then on `backward` fails.
    fn release(&self) {}

    /// The objects of another language that it keeps, by itself or through its hooks, each once for
    /// each reference to it: for a collector of unreachable objects.
    fn hosts(&self, visit: &mut Visit<'_>) {
        if let Some(hooks) = self.header().known_hooks() {
            hooks.hosts(visit);
        }
    }

    /// The nodes that it leads to or keeps with what it saved, once for each handle.
    fn kept_nodes(&self, see: &mut dyn FnMut(&Arc<dyn Node>)) {
        self.header().next().iter().flatten().for_each(|it| see(&it.node));
    }
}

impl dyn Node {
    /// The objects of another language that the node keeps; none if there are other handles than the
    /// one that the caller has.
    pub fn hosts_of_only_handle(self: &Arc<Self>, visit: &mut Visit<'_>) {
        if Arc::strong_count(self) == 1 {
            self.hosts(visit);
        }
    }

    /// Takes all hooks away.
    pub fn forget_hooks(&self) {
        if let Some(hooks) = self.header().known_hooks() {
            hooks.clear();
        }
    }
}

/// A call of a node in a pass.
pub struct Call<'a> {
    /// The node itself, to which saved outputs belong.
    pub node: &'a Arc<dyn Node>,
    /// The gradients of its outputs, at least one of which is there.
    pub gradients: Gradients,
    /// Whether somebody wants the gradient of an input.
    pub wanted: &'a dyn Fn(usize) -> bool,
    /// What gradients are calculated with.
    pub arithmetic: &'a dyn Arithmetic,
}

impl Call<'_> {
    /// Takes the gradients of the outputs for a function that somebody wrote, who may write to them:
    /// nobody else sees that.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough for a copy.
    pub fn own_gradients(&mut self) -> Result<Gradients> {
        hooks::all_exclusive(std::mem::take(&mut self.gradients), self.arithmetic)
    }
}

/// What all nodes have.
pub struct Header {
    next: SmallVec<[Option<Edge>; 2]>,
    sequence: u64,
    outputs: SmallVec<[Metadata; 1]>,
    hooks: MaybeHooks,
    /// That of the pass which goes through the node.
    mark: PassMark,
}

/// What a pass notes in a node: which pass it is, and the number of the node there; nothing is 0.
#[derive(Default)]
pub(super) struct PassMark(AtomicU64);

// Only the thread that runs a pass asks for its marks, so no order between threads is needed.
impl PassMark {
    /// Puts a mark there, unless another pass has one.
    pub(super) fn set(&self, pass: u32, number: u32) -> bool {
        let mark = u64::from(pass) << 32 | u64::from(number);
        self.0.compare_exchange(0, mark, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// The number of the node in a pass, if that has marked it.
    #[inline]
    pub(super) fn of(&self, pass: u32) -> Option<u32> {
        let mark = self.0.load(Ordering::Relaxed);
        ((mark >> 32) as u32 == pass).then_some(mark as u32)
    }

    pub(super) fn clear(&self, pass: u32) -> bool {
        let is_own = self.of(pass).is_some();
        if is_own {
            self.0.store(0, Ordering::Relaxed);
        }
        is_own
    }
}

/// What the gradient of an output has to be like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// The shape.
    pub shape: Dims,
    /// The dtype.
    pub dtype: DType,
    /// The device.
    pub device: Device,
}

impl Metadata {
    /// That of a tensor.
    pub fn of(tensor: &Tensor) -> Metadata {
        Metadata { shape: to_dims(tensor.shape()), dtype: tensor.dtype(), device: tensor.device() }
    }

    /// Zeros like it.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn zeros(&self) -> Result<Tensor> {
        Tensor::zeroed(&self.shape, self.dtype, self.device)
    }
}

/// The number of leaves: they go before all calls.
const LAST: u64 = u64::MAX;

thread_local! {
    static RECORDED: Cell<u64> = const { Cell::new(0) };
}

impl Header {
    /// That of a call whose inputs have these edges; the next one of this thread has the next number.
    pub(super) fn of_next(next: SmallVec<[Option<Edge>; 2]>) -> Header {
        let sequence = RECORDED.replace(RECORDED.get() + 1);
        let hooks = MaybeHooks::default();
        if anomaly::is_enabled() {
            hooks.or_new().set_origin(NodeOrigin::now());
        }
        let (outputs, mark) = (SmallVec::new(), PassMark::default());
        Header { next, sequence, outputs, hooks, mark }
    }

    /// The same with outputs.
    #[must_use]
    pub fn with_outputs<'t>(mut self, outputs: impl IntoIterator<Item = &'t Tensor>) -> Header {
        self.outputs.extend(outputs.into_iter().map(Metadata::of));
        self
    }

    /// The same with outputs that are to be like this; nothing is to come to those that are absent.
    #[must_use]
    pub fn with_metadata(mut self, outputs: impl IntoIterator<Item = Option<Metadata>>) -> Header {
        let absent = || Metadata { shape: Dims::new(), dtype: DType::Float32, device: Device::Cpu };
        self.outputs.extend(outputs.into_iter().map(|it| it.unwrap_or_else(absent)));
        self
    }

    /// That of a leaf.
    pub(super) fn of_leaf(leaf: &Tensor) -> Header {
        let outputs = SmallVec::from_iter([Metadata::of(leaf)]);
        let (hooks, mark) = (MaybeHooks::default(), PassMark::default());
        Header { next: SmallVec::new(), sequence: LAST, outputs, hooks, mark }
    }

    #[inline]
    pub(super) fn mark(&self) -> &PassMark {
        &self.mark
    }

    /// Whether it is that of a leaf.
    #[inline]
    pub(super) fn is_of_leaf(&self) -> bool {
        self.sequence == LAST
    }

    /// Where the gradients of the inputs go; none for those that require no gradients.
    pub fn next(&self) -> &[Option<Edge>] {
        &self.next
    }

    /// When the call was recorded, counted by its thread.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// What is called when the node runs, and a place for more of it.
    pub fn hooks(&self) -> &Hooks {
        self.hooks.or_new()
    }

    /// What is called when the node runs, if something is, and if there was a place for more.
    pub fn known_hooks(&self) -> Option<&Hooks> {
        self.hooks.get()
    }

    /// Where the node comes from, if anomalies were looked for.
    pub(super) fn origin(&self) -> Option<&NodeOrigin> {
        self.hooks.get()?.origin()
    }

    /// What the gradients of the outputs have to be like.
    pub fn outputs(&self) -> &[Metadata] {
        &self.outputs
    }
}

impl Drop for Header {
    fn drop(&mut self) {
        edge::release(self.next.drain(..).flatten());
    }
}

impl fmt::Debug for dyn Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}
