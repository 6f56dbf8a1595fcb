//! What the layer keeps of a tensor.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::accumulate::Accumulate;
use super::{Edge, Node, edge};
use crate::{DispatchKey, Result, Tensor, ensure};

/// What all handles of a tensor share: its history, its gradient.
#[derive(Default)]
pub(super) struct Meta(Mutex<State>);

#[derive(Default)]
pub(super) struct State {
    /// It is a leaf, and gets a gradient.
    pub(super) requires_grad: bool,
    /// The call that made it.
    pub(super) edge: Option<Edge>,
    pub(super) grad: Option<Tensor>,
    /// One node for each leaf, as long as somebody holds it.
    pub(super) accumulate: Weak<Accumulate>,
}

impl Drop for State {
    fn drop(&mut self) {
        edge::release(self.edge.take());
    }
}

impl Meta {
    pub(super) fn of(tensor: &Tensor) -> &Meta {
        tensor.keep(DispatchKey::Autograd, Meta::default)
    }

    fn known(tensor: &Tensor) -> Option<&Meta> {
        tensor.kept(DispatchKey::Autograd)
    }

    /// The state, for this thread alone; a panic of another one left it whole.
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Gradients of tensors.
impl Tensor {
    /// Whether gradients are recorded for it.
    pub fn requires_grad(&self) -> bool {
        let state = Meta::known(self).map(Meta::lock);
        state.is_some_and(|it| it.requires_grad || it.edge.is_some())
    }

    /// Whether no recorded call made it.
    pub fn is_leaf(&self) -> bool {
        Meta::known(self).is_none_or(|it| it.lock().edge.is_none())
    }

    /// Says whether gradients are recorded for a leaf, which all its handles see.
    ///
    /// # Errors
    ///
    /// `Runtime` for other dtypes than floating and complex ones, and for a tensor that a recorded
    /// call made: use `detach`.
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
        let dtype = self.dtype();
        ensure!(
            !requires_grad || dtype.is_floating() || dtype.is_complex_number(),
            Runtime,
            "only tensors of floating-point or complex dtypes can require gradients, not {dtype}"
        );
        if !requires_grad && Meta::known(self).is_none() {
            return Ok(());
        }
        let mut state = Meta::of(self).lock();
        if state.edge.is_some() {
            ensure!(
                requires_grad,
                Runtime,
                "requires_grad can be taken from leaves only; detach() makes one of this tensor"
            );
            return Ok(());
        }
        state.requires_grad = requires_grad;
        self.set_layer(DispatchKey::Autograd, requires_grad)
    }

    /// The gradient that passes left there.
    pub fn grad(&self) -> Option<Tensor> {
        Meta::known(self)?.lock().grad.clone()
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
                "the gradient of a {} tensor of shape {:?} cannot be {} of shape {:?}",
                self.dtype(),
                self.shape(),
                grad.dtype(),
                grad.shape()
            );
        } else if Meta::known(self).is_none() {
            return Ok(());
        }
        let before = std::mem::replace(&mut Meta::of(self).lock().grad, grad);
        // Outside of the lock: the gradient may have a history that leads back here.
        drop(before);
        Ok(())
    }

    /// The recorded call that made it; none for leaves.
    pub fn grad_fn(&self) -> Option<Edge> {
        Meta::known(self)?.lock().edge.clone()
    }

    /// Where its gradient goes: to the call that made it, or to the leaf that it is; none if it
    /// requires no gradients.
    pub fn gradient_edge(&self) -> Option<Edge> {
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
        let mut state = Meta::of(self).lock();
        ensure!(!state.requires_grad, Runtime, "a leaf that requires gradients has no history");
        let before = state.edge.replace(Edge::new(node, output));
        self.set_layer(DispatchKey::Autograd, true)?;
        drop(state);
        edge::release(before);
        Ok(())
    }

    /// Another tensor over the same elements, without history.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn without_history(&self) -> Result<Tensor> {
        crate::view::alias(self)
    }
}
