//! Gradient accumulation into leaves.

use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;

use super::arithmetic::Arithmetic;
use super::hooks::{HookContext, exchange};
use super::meta::Meta;
use super::mode::is_recording;
use super::node::Node;
use super::node::{Call, Gradients, Header};
use crate::{Result, Tensor, ensure, interrupt};

/// Adds what arrives to the gradient of a leaf.
pub struct Accumulate {
    header: Header,
    leaf: Tensor,
}

impl Accumulate {
    pub(super) fn new(leaf: &Tensor) -> Accumulate {
        Accumulate { header: Header::of_leaf(leaf), leaf: leaf.clone() }
    }

    /// The node as one of these, if it is.
    pub fn of(node: &Arc<dyn Node>) -> Option<&Accumulate> {
        if !node.header().is_of_leaf() {
            return None;
        }
        (&**node as &dyn Any).downcast_ref()
    }

    /// The leaf.
    pub fn leaf(&self) -> &Tensor {
        &self.leaf
    }

    /// The gradient, as the hooks of the leaf have it.
    pub(super) fn hooked(
        &self,
        gradient: Tensor,
        context: &HookContext<'_>,
        arithmetic: &dyn Arithmetic,
    ) -> Result<Option<Tensor>> {
        let hooks = Meta::of(&self.leaf).lock().hooks.clone();
        match hooks {
            Some(hooks) => hooks.gradient.run(Some(gradient), context, arithmetic),
            None => Ok(Some(gradient)),
        }
    }

    /// Runs what waits for a gradient to have been added.
    pub(super) fn added(&self) -> Result<()> {
        let hooks = Meta::of(&self.leaf).lock().hooks.clone();
        for hook in hooks.map(|it| it.added.all()).unwrap_or_default() {
            hook(&self.leaf)?;
        }
        Ok(())
    }

    /// Adds a gradient to that of the leaf.
    ///
    /// Arithmetic may take long, and what records it may run anything, so nothing is locked meanwhile:
    /// who reads the gradient does not wait, nor does the child of a fork.
    ///
    /// # Errors
    ///
    /// `Runtime` if the leaf was detached in place since, or has elements of another shape or dtype.
    pub(super) fn add(&self, gradient: Tensor, arithmetic: &dyn Arithmetic) -> Result<()> {
        let Some(before) = self.check(&gradient)? else { return Ok(()) };
        if is_recording() {
            return self.add_recorded(&gradient, arithmetic);
        }
        // A sum that is interrupted would be half of one.
        interrupt::unwatched(|| self.add_in_place(before, gradient, arithmetic))
    }

    /// The gradient that is there, if there is one, for another to be added to; nothing if none is wanted
    /// any more. Refuses one that no longer fits, and says why.
    fn check(&self, gradient: &Tensor) -> Result<Option<Option<Tensor>>> {
        let (is_detached, is_wanted, replaced, before) = {
            let state = Meta::of(&self.leaf).lock();
            let replaced = state.replaced.as_deref();
            (state.is_detached, state.requires_grad, replaced.cloned(), state.grad.clone())
        };
        let shape = gradient.shape();
        ensure!(
            !is_detached,
            Runtime,
            "a leaf of shape {:?} was detached in place after it was used, so that its gradient would \
             be lost; use detach(), which leaves the leaf as it is",
            self.leaf.shape()
        );
        if let Some(now) = replaced {
            ensure!(
                now.shape.as_slice() == shape && now.dtype == gradient.dtype(),
                Runtime,
                "a leaf was given other data after it was used: its gradient has shape {shape:?} and \
                 dtype {}, and it has shape {:?} and dtype {} now",
                gradient.dtype(),
                now.shape.as_slice(),
                now.dtype
            );
        }
        if let Some(before) = &before {
            ensure!(
                before.shape() == shape && before.dtype() == gradient.dtype(),
                Runtime,
                "a leaf was given other data since a gradient was left there: that has shape {:?} and \
                 dtype {}, and the new one has shape {shape:?} and dtype {}; set its grad to None first",
                before.shape(),
                before.dtype(),
                gradient.dtype()
            );
        }
        Ok(is_wanted.then_some(before))
    }

    /// The same of a pass that is recorded; if another pass was faster, its sum is the next one to add
    /// to.
    fn add_recorded(&self, gradient: &Tensor, arithmetic: &dyn Arithmetic) -> Result<()> {
        let meta = Meta::of(&self.leaf);
        loop {
            let before = meta.lock().grad.clone();
            let sum = match &before {
                Some(before) => arithmetic.sum(before, gradient)?,
                None => gradient.clone(),
            };
            let mut state = meta.lock();
            if !state.requires_grad || exchange(&mut state.grad, before.as_ref(), &sum) {
                return Ok(());
            }
        }
    }

    /// The same in the memory of the gradient that was there `before`, if there was one: one pass at a
    /// time. Another pass may have put the first one there since, which is then added to.
    fn add_in_place(
        &self,
        before: Option<Tensor>,
        gradient: Tensor,
        arithmetic: &dyn Arithmetic,
    ) -> Result<()> {
        let meta = Meta::of(&self.leaf);
        let _turn = meta.adding.take();
        if let Some(mut before) = before {
            return arithmetic.add(&mut before, &gradient);
        }
        let first = match is_like(&gradient, &self.leaf) {
            true => gradient,
            false => arithmetic.copied_like(&gradient, &self.leaf)?,
        };
        let mut state = meta.lock();
        if exchange(&mut state.grad, None, &first) {
            return Ok(());
        }
        // Somebody has put one there meanwhile.
        let placed = state.grad.clone();
        drop(state);
        placed.map_or(Ok(()), |mut it| arithmetic.add(&mut it, &first))
    }
}

/// Whether a gradient can become that of the leaf as it is: nobody else has it, and its elements
/// lie as those of the leaf do.
fn is_like(gradient: &Tensor, leaf: &Tensor) -> bool {
    gradient.is_alone() && gradient.is_dense() && gradient.strides() == leaf.strides()
}

impl Node for Accumulate {
    fn header(&self) -> &Header {
        &self.header
    }

    fn name(&self) -> Cow<'static, str> {
        "AccumulateGrad".into()
    }

    fn backward(&self, _: Call<'_>) -> Result<Gradients> {
        // The pass adds the gradient, with the arithmetic that it has.
        Ok(Gradients::new())
    }
}
