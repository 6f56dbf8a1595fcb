//! Tensors that a call keeps until it is over.

use std::cell::{Cell, UnsafeCell};
use std::mem::MaybeUninit;

use opwright_runtime::Tensor;
use opwright_runtime::resolve::MAX_PARAMS;

/// Each parameter and the receiver are read once.
const ROOM: usize = MAX_PARAMS + 1;

/// Tensors that are lent as long as the call lasts, in memory of its own.
pub(super) struct HeldTensors {
    count: Cell<usize>,
    tensors: [UnsafeCell<MaybeUninit<Tensor>>; ROOM],
}

impl HeldTensors {
    #[inline(always)]
    pub(super) const fn new() -> HeldTensors {
        HeldTensors {
            count: Cell::new(0),
            tensors: [const { UnsafeCell::new(MaybeUninit::uninit()) }; ROOM],
        }
    }

    /// Keeps a tensor, and lends it.
    ///
    /// # Panics
    ///
    /// When there is no room, which there is for each parameter.
    pub(super) fn keep(&self, tensor: Tensor) -> &Tensor {
        let at = self.count.get();
        let place = self.tensors[at].get();
        self.count.set(at + 1);
        // SAFETY: nobody has been lent a place behind those that are counted.
        unsafe { (*place).write(tensor) }
    }
}

impl Drop for HeldTensors {
    #[inline(always)]
    fn drop(&mut self) {
        for tensor in &mut self.tensors[..self.count.get()] {
            // SAFETY: the places that are counted were written, and nobody borrows them any more.
            unsafe { tensor.get_mut().assume_init_drop() }
        }
    }
}
