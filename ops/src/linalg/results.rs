//! Results of decompositions: so many numbers for each matrix of a batch.

use std::marker::PhantomData;

use opwright_runtime::dtype::Number;
use opwright_runtime::parallel::Pointer;
use opwright_runtime::{Device, Element, Result, Tensor, buffer};

use super::batch::Batch;

/// A result of all matrices.
pub(super) struct Results<T> {
    /// None on the meta device.
    values: Vec<T>,
    tail: Vec<usize>,
}

impl<T: Element + Number> Results<T> {
    /// Room for an array of these sizes for each matrix.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub(super) fn new(batch: &Batch, tail: &[usize]) -> Result<Results<T>> {
        let each = tail.iter().fold(1, |all: usize, &size| all.saturating_mul(size));
        let count = if batch.is_meta() { 0 } else { batch.count().saturating_mul(each) };
        Ok(Results { values: buffer::filled(count, T::ZERO)?, tail: tail.to_vec() })
    }

    /// The parts that are to be written, one for each matrix.
    pub(super) fn slots(&mut self) -> Slots<'_, T> {
        let each = self.tail.iter().product();
        let count = self.values.len().checked_div(each).unwrap_or(usize::MAX);
        Slots { start: Pointer(self.values.as_mut_ptr()), each, count, results: PhantomData }
    }

    /// A tensor of them.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub(super) fn tensor(self, batch: &Batch) -> Result<Tensor> {
        let shape = batch.shape(&self.tail);
        match batch.is_meta() {
            true => Tensor::allocate(&shape, T::DTYPE, Device::Meta),
            false => Tensor::from_vec(&shape, self.values),
        }
    }
}

/// The parts of a result, which several threads write.
pub(super) struct Slots<'a, T> {
    start: Pointer<T>,
    each: usize,
    count: usize,
    results: PhantomData<&'a mut [T]>,
}

/// Parts of one or several results.
pub(super) trait Outputs: Sync {
    /// Those of one matrix.
    type Parts;

    /// The parts of a matrix.
    ///
    /// # Safety
    ///
    /// Nobody else has those of the same matrix.
    unsafe fn parts(&self, index: usize) -> Self::Parts;
}

impl<'a, T: Element> Outputs for Slots<'a, T> {
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
        impl<$($outputs: Outputs),*> Outputs for ($($outputs,)*) {
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
