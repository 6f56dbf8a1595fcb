//! Gathers strided elements, or those of another dtype, into contiguous blocks.

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

/// Copies elements of one dtype to another.
#[derive(Clone, Copy)]
pub(super) struct Gather {
    copy: CastLoop,
    /// The bytes of an element where it comes from.
    read: usize,
    /// The bytes of an element where it goes.
    size: usize,
    casts: bool,
}

impl Gather {
    pub(super) fn new(from: DType, to: DType) -> Gather {
        let casts = from != to;
        Gather { copy: cast_loop(from, to), read: from.size(), size: to.size(), casts }
    }

    /// The bytes of an element where it goes.
    #[inline]
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// The bytes of an element where it comes from.
    #[inline]
    pub(super) fn read(&self) -> usize {
        self.read
    }

    /// Whether elements are of another dtype where they come from.
    #[inline]
    pub(super) fn casts(&self) -> bool {
        self.casts
    }

    /// Whether elements at this distance can be taken as they lie.
    #[inline]
    pub(super) fn is_dense(&self, stride: isize) -> bool {
        stride == self.size as isize && !self.casts
    }

    /// Casts `count` elements at a distance to `target`.
    ///
    /// # Safety
    ///
    /// They are there, and there is room for them elsewhere.
    #[inline]
    pub(super) unsafe fn copy(
        &self,
        target: *mut u8,
        first: *const u8,
        stride: isize,
        count: usize,
    ) {
        // SAFETY: as above.
        unsafe { (self.copy)(target, self.size as isize, first, stride, count) };
    }
}
