//! Replaces the storage behind a handle.

use super::{Keys, LayerMetadata, Placement, Tensor};
use crate::geometry::{contiguous_strides, element_count, size_overflow, to_dims};
use crate::{Device, Result, Storage, ensure};

impl Tensor {
    /// Puts this handle over a storage, which grows if it is too small; `strides` and `offset`
    /// count elements, and without strides they are those of row-major order. What layers know of
    /// the tensor stays, but that it is a view.
    ///
    /// # Errors
    ///
    /// `Runtime` on the meta device, for a negative offset or stride, for strides that are not as
    /// many as sizes, or if the storage is too small and cannot be resized; `Value` if it is not
    /// aligned for the dtype; `Memory` if there is not enough.
    ///
    /// ```
    /// use opwright_runtime::Tensor;
    ///
    /// let x = Tensor::from_slice(&[2], &[1_i64, 2])?;
    /// let storage = x.storage().expect("it has elements").clone();
    /// let mut y = Tensor::from_slice(&[1], &[0_i64])?;
    /// y.set_storage(&storage, 1, &[2], None)?;
    /// assert_eq!((y.to_vec::<i64>()?, storage.bytes()), (vec![2, 0], 24));
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn set_storage(
        &mut self,
        storage: &Storage,
        offset: i64,
        shape: &[i64],
        strides: Option<&[i64]>,
    ) -> Result<()> {
        ensure!(!self.device().is_meta(), Runtime, "a meta tensor cannot be put over a storage");
        ensure!(offset >= 0, Runtime, "the storage offset must not be negative, not {offset}");
        let row_major = contiguous_strides(shape);
        let strides = strides.unwrap_or(&row_major);
        ensure!(
            strides.len() == shape.len(),
            Runtime,
            "there must be as many strides as sizes, not {} for {}",
            strides.len(),
            shape.len()
        );
        ensure!(
            strides.iter().all(|&it| it >= 0),
            Runtime,
            "strides must not be negative, not {strides:?}"
        );
        let needed = self.bytes_reached(offset, shape, strides)?;
        if needed > storage.bytes() {
            storage.resize(needed)?;
        }
        let mut set = Tensor::over_storage(storage, self.dtype(), shape, strides, offset)?;
        if element_count(shape)? == 0 {
            set = set.with_checked_geometry(Placement {
                shape: to_dims(shape),
                strides: to_dims(strides),
                offset,
            })?;
        }
        self.replace_memory(set)
    }

    /// Up to which byte of the storage elements reach.
    fn bytes_reached(&self, offset: i64, shape: &[i64], strides: &[i64]) -> Result<usize> {
        let overflow = || size_overflow(shape);
        if element_count(shape)? == 0 {
            return Ok(0);
        }
        let (_, high) = super::view::reach(shape, strides).ok_or_else(overflow)?;
        let count = high.checked_add(offset).and_then(|it| it.checked_add(1));
        let bytes = count.and_then(|it| it.checked_mul(self.dtype().size() as i64));
        bytes.and_then(|it| usize::try_from(it).ok()).ok_or_else(overflow)
    }

    /// Gives this handle the memory and the geometry of another tensor of its dtype; both see then
    /// what is written to either.
    ///
    /// # Errors
    ///
    /// `Runtime` if the other one has another dtype or is on another device, `Memory` if there is
    /// not enough.
    ///
    /// ```
    /// use opwright_runtime::Tensor;
    ///
    /// let x = Tensor::from_slice(&[2], &[1_i64, 2])?;
    /// let mut y = Tensor::from_slice(&[1], &[0_i64])?;
    /// y.set_tensor(&x)?;
    /// y.fill(7.into())?;
    /// assert_eq!(x.to_vec::<i64>()?, [7, 7]);
    /// assert!(y.set_tensor(&Tensor::from_slice(&[1], &[0.5])?).is_err());
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn set_tensor(&mut self, source: &Tensor) -> Result<()> {
        ensure!(
            self.dtype() == source.dtype(),
            Runtime,
            "a tensor of {} cannot be put over elements of {}; convert them first",
            self.dtype(),
            source.dtype()
        );
        ensure!(
            self.device() == source.device(),
            Runtime,
            "a tensor on {} cannot be put over memory on {}",
            self.device(),
            source.device()
        );
        self.replace_memory(super::view::apart(source)?)
    }

    /// Leaves the memory to others: no elements, in one dimension.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn set_empty(&mut self) -> Result<()> {
        let device: Device = self.device();
        self.replace_memory(Tensor::allocate(&[0], self.dtype(), device)?)
    }

    fn replace_memory(&mut self, mut other: Tensor) -> Result<()> {
        let made = other.make_unique()?;
        (made.keys, made.metadata) = (Keys::of_moved(self), LayerMetadata::of_moved(self));
        *self = other;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DispatchKey, view};

    #[test]
    fn who_left_its_base_has_not_its_memory_alone() {
        let base = Tensor::from_slice(&[2], &[1_i64, 2]).unwrap();
        let other = Tensor::from_slice(&[2], &[3_i64, 4]).unwrap();
        let mut x = view::narrow(&base, 0, 0, 1).unwrap();
        drop(base);
        x.set_tensor(&other).unwrap();
        assert!(x.as_mut_slice::<i64>().is_err());
        drop(other);
        assert_eq!(x.as_mut_slice::<i64>().unwrap(), [3, 4]);
    }

    #[test]
    fn so_has_who_was_resized() {
        let base = Tensor::from_slice(&[2], &[1_i64, 2]).unwrap();
        let mut x = view::narrow(&base, 0, 0, 1).unwrap();
        drop(base);
        x.set_shape(&[100]).unwrap();
        let other = view::apart(&x).unwrap();
        assert!(x.as_mut_slice::<i64>().is_err());
        drop(other);
        assert!(x.as_mut_slice::<i64>().is_ok());
    }

    #[test]
    fn layers_of_the_tensor_stay() {
        let x = Tensor::from_slice(&[2], &[1_i64, 2]).unwrap();
        let mut y = Tensor::from_slice(&[1], &[0_i64]).unwrap();
        y.set_layer(DispatchKey::Autograd, true).unwrap();
        y.set_storage(x.storage().unwrap(), 0, &[2], None).unwrap();
        assert!(y.keys().contains(DispatchKey::Autograd) && !x.keys().has_layers());
        y.set_empty().unwrap();
        assert_eq!((y.shape(), y.numel()), (&[0][..], 0));
    }
}
