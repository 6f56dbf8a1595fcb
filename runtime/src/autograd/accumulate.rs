//! Where gradients of leaves end.

use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;

use super::hooks::{Moment, exchange};
use super::meta::Meta;
use super::node::{Call, Gradients, Header};
use super::{Arithmetic, Node, is_recording};
use crate::{Result, Tensor, interrupt};

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
    pub(super) fn hooked(&self, gradient: Tensor, moment: &Moment<'_>) -> Result<Tensor> {
        let hooks = Meta::of(&self.leaf).lock().hooks.clone();
        match hooks {
            Some(hooks) => hooks.gradient.run(gradient, moment),
            None => Ok(gradient),
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

    /// Adds a gradient to that of the leaf, with which no other pass interferes.
    pub(super) fn add(&self, gradient: Tensor, arithmetic: &dyn Arithmetic) -> Result<()> {
        if is_recording() {
            return self.add_recorded(gradient, arithmetic);
        }
        // Whoever waits for the lock may hold what an answer to Ctrl-C needs.
        interrupt::unwatched(|| self.add_locked(gradient, arithmetic))
    }

    /// The same of a pass that is recorded. What records a call may run anything, so the lock is not
    /// held meanwhile; if another pass was faster, its sum is the next one to add to.
    fn add_recorded(&self, gradient: Tensor, arithmetic: &dyn Arithmetic) -> Result<()> {
        let meta = Meta::of(&self.leaf);
        loop {
            let before = meta.lock().grad.clone();
            let sum = match &before {
                Some(before) => arithmetic.sum(before, &gradient)?,
                None => gradient.clone(),
            };
            let mut state = meta.lock();
            if !state.requires_grad || exchange(&mut state.grad, before.as_ref(), &sum) {
                return Ok(());
            }
        }
    }

    fn add_locked(&self, gradient: Tensor, arithmetic: &dyn Arithmetic) -> Result<()> {
        let mut state = Meta::of(&self.leaf).lock();
        if !state.requires_grad {
            return Ok(());
        }
        let sum = match &mut state.grad {
            None if is_like(&gradient, &self.leaf) => gradient,
            None => arithmetic.copied_like(&gradient, &self.leaf)?,
            Some(before) => return arithmetic.add(before, &gradient),
        };
        let before = state.grad.replace(sum);
        drop(state);
        drop(before);
        Ok(())
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
