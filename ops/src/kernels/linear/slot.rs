//! Where the elements of a product go.

use std::mem::MaybeUninit;

use opwright_runtime::dtype::Number;

/// An element that the product is added to, or room for a new one.
pub(crate) trait Slot<T>: Send + Sized {
    /// Whether there is an element.
    const IS_THERE: bool;

    /// The element that is there.
    fn get(&self) -> Option<T>;

    /// Puts another one there.
    fn set(&mut self, value: T);

    /// The place in memory.
    fn place(first: *mut Self) -> *mut T;
}

impl<T: Number> Slot<T> for T {
    const IS_THERE: bool = true;

    #[inline(always)]
    fn get(&self) -> Option<T> {
        Some(*self)
    }

    #[inline(always)]
    fn set(&mut self, value: T) {
        *self = value;
    }

    fn place(first: *mut T) -> *mut T {
        first
    }
}

impl<T: Number> Slot<T> for MaybeUninit<T> {
    const IS_THERE: bool = false;

    #[inline(always)]
    fn get(&self) -> Option<T> {
        None
    }

    #[inline(always)]
    fn set(&mut self, value: T) {
        self.write(value);
    }

    fn place(first: *mut MaybeUninit<T>) -> *mut T {
        first.cast()
    }
}
