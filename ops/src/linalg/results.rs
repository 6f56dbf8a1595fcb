//! Results of decompositions: so many numbers for each matrix of a batch.

use opwright_runtime::dtype::Number;
use opwright_runtime::{Device, Element, Result, Tensor, buffer};

use super::batch::Batch;
use super::slots::Slots;

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
        Slots::new(&mut self.values, self.tail.iter().product())
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
