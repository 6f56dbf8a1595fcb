//! Slots of results: the part of each matrix of a batch, which several threads write.

use std::marker::PhantomData;

use opwright_runtime::Element;
use opwright_runtime::parallel::Pointer;

/// The parts of a result, which several threads write.
pub(super) struct Slots<'a, T> {
    start: Pointer<T>,
    each: usize,
    count: usize,
    results: PhantomData<&'a mut [T]>,
}

/// Parts of one or several results.
pub(super) trait ResultParts: Sync {
    /// Those of one matrix.
    type Parts;

    /// The parts of a matrix.
    ///
    /// # Safety
    ///
    /// Nobody else has those of the same matrix.
    unsafe fn parts(&self, index: usize) -> Self::Parts;
}

impl<'a, T> Slots<'a, T> {
    /// Parts of `each` numbers, as many as there are; any number of them if they are empty.
    pub(super) fn new(values: &'a mut [T], each: usize) -> Slots<'a, T> {
        let count = values.len().checked_div(each).unwrap_or(usize::MAX);
        Slots { start: Pointer(values.as_mut_ptr()), each, count, results: PhantomData }
    }
}

impl<'a, T: Element> ResultParts for Slots<'a, T> {
    type Parts = &'a mut [T];

    unsafe fn parts(&self, index: usize) -> &'a mut [T] {
        assert!(index < self.count, "there is no result of matrix {index}");
        // SAFETY: so many numbers of the list begin there, the list is borrowed for as
        // long as the slice, and nobody else has these numbers, as the caller says.
        unsafe { std::slice::from_raw_parts_mut(self.start.0.add(index * self.each), self.each) }
    }
}

macro_rules! several {
    ($($outputs:ident $at:tt),*) => {
        impl<$($outputs: ResultParts),*> ResultParts for ($($outputs,)*) {
            type Parts = ($($outputs::Parts,)*);

            unsafe fn parts(&self, index: usize) -> Self::Parts {
                // SAFETY: as the caller says.
                unsafe { ($(self.$at.parts(index),)*) }
            }
        }
    };
}

several!(A 0, B 1);
several!(A 0, B 1, C 2);
