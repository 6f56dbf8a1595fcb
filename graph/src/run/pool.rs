//! Buffer reuse: memory of temporaries, kept for those of later nodes and calls.

use std::sync::atomic::{AtomicBool, Ordering};

use opwright_runtime::lock::Lock;
use opwright_runtime::op::Value;
use opwright_runtime::{DType, Tensor};

use crate::model::variable::is_exclusive;

/// What is smaller is allocated as fast as it is found here.
const LEAST_BYTES: usize = 4096;

/// So many buffers are kept at most.
const MOST: usize = 16;

/// A buffer that so many calls had no use for is given back to the system.
const IDLE_CALLS: u8 = 8;

/// The buffers that one call has at hand.
#[derive(Default)]
pub(crate) struct Pool(Vec<PooledBuffer>);

/// Memory that nobody else has.
struct PooledBuffer {
    tensor: Tensor,
    /// How many calls ago it was used last.
    idle: u8,
}

impl Pool {
    /// A buffer with elements of this dtype in this shape.
    pub(crate) fn take(&mut self, shape: &[i64], dtype: DType) -> Option<Tensor> {
        let fits = |it: &PooledBuffer| it.tensor.dtype() == dtype && it.tensor.shape() == shape;
        let at = self.0.iter().rposition(fits)?;
        Some(self.0.swap_remove(at).tensor)
    }

    /// Whether there is any.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keeps a buffer.
    pub(crate) fn put(&mut self, tensor: Tensor) {
        if self.0.len() < MOST {
            self.0.push(PooledBuffer { tensor, idle: 0 });
        }
    }

    /// Keeps the memory of a value that is read no more, if it is large and nobody else has it.
    #[inline]
    pub(crate) fn end(&mut self, value: Value) {
        if let Value::Tensor(it) = value
            && it.numel() * it.dtype().size() >= LEAST_BYTES
            && is_exclusive(&it)
        {
            self.put(it);
        }
    }
}

/// The buffers that a function keeps between its calls; two calls at once never have the same.
#[derive(Default)]
pub(crate) struct SharedPool {
    buffers: Lock<Vec<PooledBuffer>>,
    has_some: AtomicBool,
}

impl SharedPool {
    /// All of them, for a call.
    #[inline]
    pub(crate) fn take(&self) -> Pool {
        if !self.has_some.load(Ordering::Relaxed) {
            return Pool::default();
        }
        Pool(self.replaced(Vec::new()))
    }

    /// Takes those back that a call has left.
    #[inline]
    pub(crate) fn put(&self, pool: Pool) {
        if !pool.0.is_empty() {
            self.put_all(pool);
        }
    }

    fn put_all(&self, mut pool: Pool) {
        pool.0.retain_mut(|it| {
            it.idle += 1;
            it.idle <= IDLE_CALLS
        });
        // What others have put there meanwhile is as good.
        let others = self.replaced(Vec::new());
        pool.0.extend(others);
        let surplus = pool.0.split_off(pool.0.len().min(MOST));
        let replaced = self.replaced(pool.0);
        drop((surplus, replaced));
    }

    /// Gives all of them back to the system.
    pub(crate) fn free(&self) {
        drop(self.replaced(Vec::new()));
    }

    fn replaced(&self, by: Vec<PooledBuffer>) -> Vec<PooledBuffer> {
        let mut kept = self.buffers.lock();
        self.has_some.store(!by.is_empty(), Ordering::Relaxed);
        std::mem::replace(&mut *kept, by)
    }
}
