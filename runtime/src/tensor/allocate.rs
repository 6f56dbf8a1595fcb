//! Allocation of uninitialised tensors.

use std::ptr;

use super::shared::{Shared, no_block};
use super::storage::Storage;
use super::{Impl, Keys, LayerMetadata, Tensor};
use crate::geometry::{
    Dims, at_most_one, contiguous_strides, element_count, is_row_major, size_overflow, to_dims,
};
use crate::{DType, Device, Result, block_cache};

impl Tensor {
    /// A tensor whose elements are zero until written.
    ///
    /// # Errors
    ///
    /// `Runtime` for a negative size, `Overflow` for sizes whose product is too
    /// large, `Memory` if the system refuses.
    ///
    /// ```
    /// use opwright_runtime::{DType, Device, Tensor};
    ///
    /// let out = Tensor::allocate(&[2, 3], DType::Float32, Device::Cpu)?;
    /// assert_eq!((out.numel(), out.strides()), (6, &[3, 1][..]));
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    #[inline]
    pub fn allocate(shape: &[i64], dtype: DType, device: Device) -> Result<Tensor> {
        let count = element_count(shape)?;
        let bytes = byte_count(count, dtype).ok_or_else(|| size_overflow(shape))?;
        let (storage, block) = match device {
            Device::Cpu => Storage::fresh(bytes).map(|(it, block)| (Some(it), block))?,
            Device::Meta => (None, block_cache::take().ok_or_else(no_block)?),
        };
        let made =
            move || Impl::new(storage, count, to_dims(shape), contiguous_strides(shape), dtype);
        Ok(Tensor(Shared::made_in(block, made)))
    }

    /// The same in the shape of a tensor in memory that is in row-major order, and where its first
    /// element will be.
    #[inline(always)]
    pub(crate) fn allocate_like(tensor: &Tensor, dtype: DType) -> Result<(Tensor, *mut u8)> {
        let (count, ndim) = (tensor.numel(), tensor.ndim());
        if ndim > 1 {
            let made = Tensor::allocate(tensor.shape(), dtype, Device::Cpu)?;
            let first = made.storage().map_or(ptr::null_mut(), Storage::raw_ptr);
            return Ok((made, first));
        }
        let bytes = byte_count(count, dtype).ok_or_else(|| size_overflow(tensor.shape()))?;
        let (storage, block) = Storage::fresh(bytes)?;
        let first = storage.raw_ptr();
        let made = move || {
            let (shape, strides) = (at_most_one(count as i64, ndim), at_most_one(1, ndim));
            Impl::new(Some(storage), count, shape, strides, dtype)
        };
        Ok((Tensor(Shared::made_in(block, made)), first))
    }

    /// The same with other strides, which fill the memory without gaps.
    pub(crate) fn allocate_dense(
        shape: &[i64],
        strides: &[i64],
        dtype: DType,
        device: Device,
    ) -> Result<Tensor> {
        debug_assert_eq!(shape.len(), strides.len());
        let mut tensor = Tensor::allocate(shape, dtype, device)?;
        let made = tensor.make_unique()?;
        made.is_row_major = is_row_major(shape, strides);
        made.strides = to_dims(strides);
        Ok(tensor)
    }
}

impl Impl {
    /// That of a new tensor in row-major order, whose elements are at the start of the storage.
    #[inline(always)]
    fn new(
        storage: Option<Storage>,
        count: usize,
        shape: Dims,
        strides: Dims,
        dtype: DType,
    ) -> Impl {
        let device = if storage.is_some() { Device::Cpu } else { Device::Meta };
        Impl {
            storage,
            offset: 0,
            count,
            shape,
            strides,
            dtype,
            is_wrapped_number: false,
            is_row_major: true,
            keys: Keys::new(device),
            metadata: LayerMetadata::new(),
        }
    }
}

/// The bytes of so many elements.
#[inline(always)]
fn byte_count(count: usize, dtype: DType) -> Option<usize> {
    count.checked_mul(dtype.size())
}
