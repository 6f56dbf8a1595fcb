//! Autograd metadata of a tensor: gradient, node, hooks and version.

use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Weak};

use super::accumulate::Accumulate;
use super::edge;
use super::edge::Edge;
use super::hooks::{RetainedGrad, Visit};
use super::leaf_hooks::{GradientHooks, LeafHooks};
use super::mode::is_inference;
use super::node::{Metadata, Node};
use super::overwritten::Overwritten;
use super::slices::{self, AsStrided};
use crate::lock::{Guard, Lock, Turn};
use crate::{DispatchKey, Result, Tensor, ensure};

/// What all handles of a tensor share: its history, its gradient.
#[derive(Default)]
pub(super) struct Meta {
    state: Lock<MetaState>,
    /// Of the pass that adds to the gradient where it is.
    pub(super) adding: Turn,
    /// The object that stands for the tensor in another language.
    host: AtomicPtr<()>,
}

#[derive(Default)]
pub(super) struct MetaState {
    /// It is a leaf, and gets a gradient.
    pub(super) requires_grad: bool,
    /// The call that made it.
    pub(super) edge: Option<Edge>,
    /// Of a view: how often its memory had been written to when that call made it.
    version: u32,
    /// Of a view: how it came about.
    creation: Creation,
    pub(super) grad: Option<Tensor>,
    /// What the tensor is like since it was given other elements, or other dimensions.
    pub(super) replaced: Option<Box<Metadata>>,
    /// It was a leaf that required gradients when it was detached in place.
    pub(super) is_detached: bool,
    /// Where passes leave the gradient of a result.
    place: Option<RetainedGrad>,
    /// Those of a leaf; those of a result are its call's.
    pub(super) hooks: Option<Arc<LeafHooks>>,
    /// One node for each leaf, as long as somebody holds it.
    pub(super) accumulate: Weak<Accumulate>,
}

impl MetaState {
    /// Another history, as of this version; it returns the one before.
    fn move_on(&mut self, edge: Edge, version: u32) -> Option<Edge> {
        if let Some(place) = &self.place {
            // It moves on with the tensor.
            if let Some(before) = &self.edge {
                before.node.header().hooks().leave_no_more(place);
            }
            edge.node.header().hooks().leave(edge.output, place.clone());
        }
        self.version = version;
        self.edge.replace(edge)
    }
}

impl Drop for MetaState {
    fn drop(&mut self) {
        edge::release(self.edge.take());
    }
}

impl Meta {
    pub(super) fn of(tensor: &Tensor) -> &Meta {
        tensor.keep(DispatchKey::Autograd, Meta::default)
    }

    /// That of a result.
    fn of_result(edge: Edge, version: u32) -> Meta {
        let mut meta = Meta::default();
        let state = meta.state.get_mut();
        (state.edge, state.version) = (Some(edge), version);
        meta
    }

    #[inline]
    fn known(tensor: &Tensor) -> Option<&Meta> {
        if !tensor.is_known() {
            return None;
        }
        tensor.kept(DispatchKey::Autograd)
    }

    /// The state, for this thread alone, which calls no kernel meanwhile.
    pub(super) fn lock(&self) -> Guard<'_, MetaState> {
        self.state.lock()
    }
}

/// How a view came about, which decides whether one may write to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Creation {
    /// By a call that was recorded, or of a tensor that required nothing.
    #[default]
    Plain,
    /// By a call that made several views.
    OneOfMany,
    /// While nothing was recorded.
    Unrecorded,
    /// By a function that brings its own gradient.
    Custom,
    /// In inference mode.
    Inference,
}

/// Gradients of tensors.
impl Tensor {
    /// Whether gradients are recorded for it.
    pub fn requires_grad(&self) -> bool {
        self.refresh();
        let state = Meta::known(self).map(Meta::lock);
        state.is_some_and(|it| it.requires_grad || it.edge.is_some())
    }

    /// Gives a view the history that its base got behind its back: another tensor over the same
    /// memory was written to.
    #[inline]
    fn refresh(&self) {
        if self.base().is_some() {
            self.refresh_view();
        }
    }

    fn refresh_view(&self) {
        let Some(base) = self.base().filter(|it| it.keys().contains(DispatchKey::Autograd)) else {
            return;
        };
        let Some(edge) = base.grad_fn().filter(|_| slices::is_strided(self, base)) else { return };
        if let Some(meta) = Meta::known(self) {
            let state = meta.lock();
            let is_unrecorded =
                matches!(state.creation, Creation::Unrecorded | Creation::Inference);
            let is_known = state.edge.is_some() || is_unrecorded;
            if is_known && state.version == self.version() {
                return;
            }
            if state.creation == Creation::Custom
                && let Some(own) = state.edge.clone()
            {
                drop(state);
                return self.overwrite(base, &own);
            }
        }
        self.follow(base, edge);
    }

    /// Notes that the base of a view was written to, whose gradient is that of a function: what is in
    /// the view now has no gradient that anybody knows.
    #[cold]
    fn overwrite(&self, base: &Tensor, own: &Edge) {
        let node: Arc<dyn Node> = Arc::new(Overwritten::new(self, base, own));
        let mut state = Meta::of(self).lock();
        let before = state.move_on(Edge::new(node, 0), self.version());
        drop(state);
        edge::release(before);
    }

    /// Gives a view the history of its base: that of the places where it looks now.
    fn follow(&self, base: &Tensor, edge: Edge) {
        let node: Arc<dyn Node> = Arc::new(AsStrided::new(self, base, edge));
        let mut state = Meta::of(self).lock();
        let before = state.move_on(Edge::new(node, 0), self.version());
        drop(state);
        edge::release(before);
    }

    /// What [`set_history`](Tensor::set_history) does after a call that changed where the tensor
    /// looks, and no element: a view has the history of its base still.
    pub(super) fn set_moved(&self, node: Arc<dyn Node>) -> Result<()> {
        let edge = self.base().and_then(Tensor::grad_fn);
        match (self.base(), edge) {
            (Some(base), Some(edge)) if slices::is_strided(self, base) => {
                self.follow(base, edge);
                self.set_layer(DispatchKey::Autograd, true)
            }
            _ => self.set_history(node, 0),
        }
    }

    /// How it came about, if it is a view.
    pub fn creation(&self) -> Creation {
        let said = Meta::known(self).map_or(Creation::Plain, |it| it.lock().creation);
        let is_one_of_many = said == Creation::Plain && self.is_one_of_many();
        if is_one_of_many { Creation::OneOfMany } else { said }
    }

    /// Says how it came about.
    pub(super) fn set_creation(&self, creation: Creation) {
        let mut state = Meta::of(self).lock();
        state.creation = creation;
        state.version = self.version();
    }

    /// Whether its dtype is one that gradients can be of: floating or complex.
    pub fn can_have_gradient(&self) -> bool {
        self.dtype().is_floating() || self.dtype().is_complex_number()
    }

    /// Whether no recorded call made it.
    pub fn is_leaf(&self) -> bool {
        self.refresh();
        Meta::known(self).is_none_or(|it| it.lock().edge.is_none())
    }

    /// Says whether gradients are recorded for a leaf, which all its handles see.
    ///
    /// # Errors
    ///
    /// `Runtime` for other dtypes than floating and complex ones, for a tensor that a recorded call
    /// made (use `detach`), and outside of inference mode for one that was made there.
    ///
    /// ```
    /// use opwright_runtime::Tensor;
    ///
    /// let x = Tensor::from_slice(&[2], &[1.0, 2.0])?;
    /// x.set_requires_grad(true)?;
    /// assert!(x.clone().requires_grad() && x.is_leaf());
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn set_requires_grad(&self, requires_grad: bool) -> Result<()> {
        ensure!(
            !requires_grad || self.can_have_gradient(),
            Runtime,
            "only tensors of floating-point or complex dtypes can require gradients, not {}",
            self.dtype()
        );
        if !requires_grad && Meta::known(self).is_none() {
            return Ok(());
        }
        ensure!(
            !requires_grad || !self.is_inference() || is_inference(),
            Runtime,
            "an inference tensor cannot require gradients outside of inference mode; a clone() of \
             it can"
        );
        let mut state = Meta::of(self).lock();
        if state.edge.is_some() {
            ensure!(
                requires_grad,
                Runtime,
                "requires_grad can only be taken from a leaf; detach() makes one of this tensor"
            );
            return Ok(());
        }
        state.requires_grad = requires_grad;
        state.is_detached &= !requires_grad;
        self.set_layer(DispatchKey::Autograd, requires_grad)
    }

    /// The gradient that passes left there.
    pub fn grad(&self) -> Option<Tensor> {
        let state = Meta::known(self)?.lock();
        match &state.place {
            Some(place) => place.lock().clone(),
            None => state.grad.clone(),
        }
    }

    /// Whether passes leave a gradient there although it is a result.
    pub fn retains_grad(&self) -> bool {
        Meta::known(self).is_some_and(|it| it.lock().place.is_some())
    }

    /// Has passes leave a gradient there although it is a result; leaves get theirs anyway.
    ///
    /// # Errors
    ///
    /// `Runtime` if it requires no gradients.
    pub fn retain_grad(&self) -> Result<()> {
        ensure!(
            self.requires_grad(),
            Runtime,
            "a tensor that does not require grad cannot retain one"
        );
        let mut state = Meta::of(self).lock();
        let Some(edge) = state.edge.clone().filter(|_| state.place.is_none()) else {
            return Ok(());
        };
        let place = RetainedGrad::default();
        edge.node.header().hooks().leave(edge.output, place.clone());
        state.place = Some(place);
        Ok(())
    }

    /// The hooks of its gradient; those of a result belong to the call that made it.
    ///
    /// # Errors
    ///
    /// `Runtime` if it requires no gradients.
    pub fn gradient_hooks(&self) -> Result<GradientHooks> {
        ensure!(self.requires_grad(), Runtime, "a tensor that does not require grad has no hooks");
        let mut state = Meta::of(self).lock();
        Ok(match &state.edge {
            Some(edge) => GradientHooks::Result(edge.node.header().hooks().of_output(edge.output)),
            None => {
                let hooks = state.hooks.get_or_insert_default().clone();
                hooks.set_node(&state.accumulate);
                GradientHooks::Leaf(hooks)
            }
        })
    }

    /// The hooks of its gradient, if there ever were some.
    pub fn known_gradient_hooks(&self) -> Option<GradientHooks> {
        let state = Meta::known(self)?.lock();
        match &state.edge {
            Some(edge) => {
                let hooks = edge.node.header().known_hooks()?.known_of_output(edge.output)?;
                Some(GradientHooks::Result(hooks))
            }
            None => state.hooks.clone().map(GradientHooks::Leaf),
        }
    }

    /// Puts a gradient there, or takes it away.
    ///
    /// # Errors
    ///
    /// `Runtime` if it is not like the tensor in shape, dtype and device, or if it is the tensor.
    pub fn set_grad(&self, grad: Option<Tensor>) -> Result<()> {
        if let Some(grad) = &grad {
            ensure!(!grad.is_same(self), Runtime, "a tensor cannot be its own gradient");
            ensure!(
                grad.shape() == self.shape()
                    && grad.dtype() == self.dtype()
                    && grad.device() == self.device(),
                Runtime,
                "the gradient of a tensor of dtype {} and shape {:?} cannot have dtype {} and shape \
                 {:?}",
                self.dtype(),
                self.shape(),
                grad.dtype(),
                grad.shape()
            );
        } else if Meta::known(self).is_none() {
            return Ok(());
        }
        let mut state = Meta::of(self).lock();
        let before = match state.place.clone() {
            Some(place) => {
                drop(state);
                let mut grad = grad;
                std::mem::swap(&mut *place.lock(), &mut grad);
                grad
            }
            None => {
                let before = std::mem::replace(&mut state.grad, grad);
                drop(state);
                before
            }
        };
        // Outside of the lock: the gradient may have a history that leads back here.
        drop(before);
        Ok(())
    }

    /// The recorded call that made it; none for leaves.
    pub fn grad_fn(&self) -> Option<Edge> {
        self.refresh();
        Meta::known(self)?.lock().edge.clone()
    }

    /// Whether this is the only handle of a result of `node`: then whoever lets go of the handle
    /// lets go of one edge to the node. It never waits, so that a garbage collector may ask.
    pub fn is_last_result_of(&self, node: &Arc<dyn Node>) -> bool {
        let Some(meta) = Meta::known(self).filter(|_| self.is_only_handle()) else { return false };
        let Some(state) = meta.state.try_lock() else { return false };
        state.edge.as_ref().is_some_and(|it| edge::is_same(&it.node, node))
    }

    /// The edge that goes with this handle if it is the only one. It never waits.
    pub(super) fn edge_of_only_handle(&self) -> Option<Edge> {
        let meta = Meta::known(self).filter(|_| self.is_only_handle())?;
        meta.state.try_lock()?.edge.clone()
    }

    /// Where its gradient goes: to the call that made it, or to the leaf that it is; none if it
    /// requires no gradients.
    pub fn gradient_edge(&self) -> Option<Edge> {
        self.refresh();
        let mut state = Meta::known(self)?.lock();
        if let Some(edge) = &state.edge {
            return Some(edge.clone());
        }
        if !state.requires_grad {
            return None;
        }
        let node = state.accumulate.upgrade().unwrap_or_else(|| {
            let made = Arc::new(Accumulate::new(self));
            state.accumulate = Arc::downgrade(&made);
            if let Some(hooks) = &state.hooks {
                hooks.set_node(&state.accumulate);
            }
            made
        });
        Some(Edge::new(node, 0))
    }

    /// Says which call made it.
    ///
    /// # Errors
    ///
    /// `Runtime` if it is a leaf that requires gradients.
    pub fn set_history(&self, node: Arc<dyn Node>, output: usize) -> Result<()> {
        let mut edge = Some(Edge::new(node, output));
        if !self.is_known() {
            let make = || Meta::of_result(edge.take().expect("it is made once"), self.version());
            self.keep(DispatchKey::Autograd, make);
        }
        match edge {
            Some(edge) => self.change_history(edge),
            None => self.set_layer(DispatchKey::Autograd, true),
        }
    }

    /// The same of a tensor that something is known of.
    fn change_history(&self, edge: Edge) -> Result<()> {
        let mut state = Meta::of(self).lock();
        ensure!(!state.requires_grad, Runtime, "a leaf that requires gradients has no history");
        let before = state.move_on(edge, self.version());
        self.set_layer(DispatchKey::Autograd, true)?;
        drop(state);
        edge::release(before);
        Ok(())
    }

    /// Lets go of its history: it is a leaf that requires nothing.
    ///
    /// # Errors
    ///
    /// `Runtime` for a view, whose base would still have one.
    pub fn forget_history(&self) -> Result<()> {
        ensure!(
            self.base().is_none_or(|it| !it.requires_grad()),
            Runtime,
            "a view cannot be detached in place: its base keeps its history; use detach()"
        );
        let Some(meta) = Meta::known(self) else { return Ok(()) };
        let mut state = meta.lock();
        // What was recorded before may ask for it.
        state.is_detached |= state.requires_grad;
        state.requires_grad = false;
        let before = state.edge.take();
        if let Some(edge) = &before {
            edge.node.header().hooks().detach(edge.output);
        }
        self.set_layer(DispatchKey::Autograd, false)?;
        drop(state);
        edge::release(before);
        Ok(())
    }

    /// Notes that the tensor has another geometry, or other elements: what was recorded before has
    /// gradients that do not fit any more.
    pub(crate) fn note_replaced(&self) {
        let Some(meta) = Meta::known(self) else { return };
        let mut state = meta.lock();
        if !state.requires_grad {
            return;
        }
        let before = state.replaced.replace(Box::new(Metadata::of(self)));
        // What is recorded from now on has a node of its own.
        let node = std::mem::take(&mut state.accumulate);
        drop(state);
        drop((before, node));
    }

    /// Another tensor over the same elements, without history.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn without_history(&self) -> Result<Tensor> {
        crate::view::apart(self)
    }

    /// The objects of another language that its hooks call, if nothing but this handle leads to
    /// them: for a collector of unreachable objects.
    pub fn hosts(&self, visit: &mut Visit<'_>) {
        if !self.is_only_handle() {
            return;
        }
        let Some(state) = Meta::known(self).and_then(|it| it.state.try_lock()) else { return };
        if let Some(hooks) = state.hooks.as_ref().filter(|it| Arc::strong_count(it) == 1) {
            hooks.hosts(visit);
        }
        if let Some(edge) = state.edge.as_ref() {
            edge.node.hosts_of_only_handle(visit);
        }
    }

    /// Takes the hooks away that [`hosts`](Tensor::hosts) tells of.
    pub fn forget_hosts(&self) {
        if !self.is_only_handle() {
            return;
        }
        let Some(meta) = Meta::known(self) else { return };
        let (hooks, edge) = {
            let mut state = meta.lock();
            (state.hooks.take(), state.edge.clone())
        };
        if let Some(hooks) = hooks {
            hooks.clear();
        }
        if let Some(hooks) = edge.as_ref().and_then(|it| it.node.header().known_hooks()) {
            hooks.clear();
        }
        edge::release(edge);
    }

    /// The object that stands for the tensor in another language, for those who speak it: whoever
    /// reads, sets or clears it sees to it that one thread does at a time, and that it is cleared
    /// before the object goes. Null if there is none.
    #[inline]
    pub fn host(&self) -> *mut () {
        match Meta::known(self).map(|it| it.host.load(Ordering::Relaxed)) {
            Some(host) if !host.is_null() => host,
            _ => self.object(),
        }
    }

    /// Lets an object stand for the tensor until its geometry is replaced, if no other one does.
    #[inline]
    pub fn lend_host(&self, host: *mut ()) {
        if self.object().is_null() {
            self.set_object(host);
        }
    }

    /// Says which object stands for the tensor.
    pub fn set_host(&self, host: *mut ()) {
        self.set_object(host);
        Meta::of(self).host.store(host, Ordering::Relaxed);
    }

    /// Whether an object may stand for the tensor.
    #[inline]
    pub fn may_have_host(&self) -> bool {
        !self.object().is_null() || self.is_known()
    }

    /// Takes an object away that stood for the tensor, if it did and no layer knows the tensor.
    #[inline]
    pub fn clear_lent_host(&self, host: *mut ()) {
        if self.object() == host {
            self.set_object(std::ptr::null_mut());
        }
    }

    /// Takes an object away that stood for the tensor, if it did.
    pub fn clear_host(&self, host: *mut ()) {
        self.clear_lent_host(host);
        if let Some(meta) = Meta::known(self)
            && meta.host.load(Ordering::Relaxed) == host
        {
            meta.host.store(std::ptr::null_mut(), Ordering::Relaxed);
        }
    }
}
