//! A pointer that several threads use.

/// A pointer that several threads use, each for elements of its own.
#[derive(Clone, Copy)]
pub(crate) struct Shared<T>(pub(crate) *mut T);

// SAFETY: a pointer alone does nothing; what is read and written through it is
// for the loops to say, which give every thread elements of its own to write.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// The pointer to the element at an offset.
    ///
    /// # Safety
    ///
    /// It is within the same memory, or just behind it.
    #[inline(always)]
    pub(crate) unsafe fn at(&self, offset: isize) -> *mut T {
        // SAFETY: as above.
        unsafe { self.0.offset(offset) }
    }
}
