//! Elements at a distance, brought side by side.

use std::mem::MaybeUninit;

use super::source::MOST;
use crate::DType;
use crate::iterate::{CastLoop, cast_loop};

/// Room for as many elements as one loop folds.
pub(super) struct Scratch([MaybeUninit<u128>; MOST]);

impl Scratch {
    #[inline(always)]
    pub(super) fn new() -> Scratch {
        Scratch([MaybeUninit::uninit(); MOST])
    }

    #[inline]
    pub(super) fn as_mut_ptr(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

/// Copies elements of one dtype.
#[derive(Clone, Copy)]
pub(super) struct Gather {
    copy: CastLoop,
    size: usize,
}

impl Gather {
    pub(super) fn of(dtype: DType) -> Gather {
        Gather { copy: cast_loop(dtype, dtype), size: dtype.size() }
    }

    /// The bytes of an element.
    #[inline]
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Whether elements at this distance are side by side.
    #[inline]
    pub(super) fn is_dense(&self, stride: isize) -> bool {
        stride == self.size as isize
    }

    /// Copies `count` elements at a distance to `target`.
    ///
    /// # Safety
    ///
    /// They are there, and there is room for them elsewhere.
    #[inline]
    pub(super) unsafe fn copy(&self, target: *mut u8, first: *const u8, stride: isize, count: usize) {
        // SAFETY: as above.
        unsafe { (self.copy)(target, self.size as isize, first, stride, count) };
    }
}
