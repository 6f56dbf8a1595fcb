//! Tensors over memory that is there already.

use std::any::Any;
use std::ptr::NonNull;

use super::shared::Shared;
use super::storage::Storage;
use super::{Impl, Keys, LayerMetadata, Tensor};
use crate::geometry::{element_count, is_row_major, size_overflow, to_dims};
use crate::{DType, Device, Result, ensure, fail, view};

impl Tensor {
    /// A tensor over memory that somebody else allocated, without a copy.
    ///
    /// Elements of dtype `bool` may be any bytes; all but 0 are true.
    ///
    /// # Errors
    ///
    /// `Runtime` or `Overflow` for an impossible shape, `Value` if `shape` and
    /// `strides` differ in length or `data` is not aligned for the dtype.
    ///
    /// # Safety
    ///
    /// Every element that `shape` and `strides` (in elements) reach from
    /// `data` is initialised and valid for reads and writes as long as `owner`
    /// lives. Writes by others, while it lives, follow the aliasing contract of
    /// [`Tensor`].
    pub unsafe fn from_foreign(
        data: *mut u8,
        shape: &[i64],
        strides: &[i64],
        dtype: DType,
        owner: Box<dyn Any + Send + Sync>,
    ) -> Result<Tensor> {
        // SAFETY: the caller vouches for the elements.
        unsafe { Tensor::over(data, (shape, strides), dtype, owner, true) }
    }

    /// The same; not `is_lent` if the owner leaves the memory to the tensor.
    ///
    /// # Safety
    ///
    /// As for [`Tensor::from_foreign`]; the owner then uses no element.
    pub(super) unsafe fn over(
        data: *mut u8,
        (shape, strides): (&[i64], &[i64]),
        dtype: DType,
        owner: Box<dyn Any + Send + Sync>,
        is_lent: bool,
    ) -> Result<Tensor> {
        ensure!(shape.len() == strides.len(), Value, "shape and strides differ in length");
        let count = element_count(shape)?;
        if count == 0 {
            return Tensor::allocate(shape, dtype, crate::Device::Cpu);
        }
        ensure!(!data.is_null(), Value, "the memory is at address zero");
        ensure!(
            data.addr().is_multiple_of(alignment(dtype)),
            Value,
            "the memory at {data:p} is not aligned for {dtype}"
        );
        let (low, high) = super::view::reach(shape, strides).ok_or_else(|| size_overflow(shape))?;
        let size = dtype.size() as i64;
        let bytes = (high - low + 1).checked_mul(size).ok_or_else(|| size_overflow(shape))?;
        let Some(start) = first_byte(data, low * size, bytes) else {
            fail!(Value, "shape {shape:?} and strides {strides:?} reach out of all memory");
        };
        // SAFETY: the caller vouches for every element that is reached, and
        // these are the bytes from the first to the last of them.
        let storage = unsafe { Storage::foreign(start, bytes as usize, owner, is_lent) }?;
        Ok(Tensor(Shared::new(Impl {
            storage: Some(storage),
            offset: -low,
            count,
            is_row_major: is_row_major(shape, strides),
            shape: to_dims(shape),
            strides: to_dims(strides),
            dtype,
            is_wrapped_number: false,
            keys: Keys::new(Device::Cpu),
            metadata: LayerMetadata::new(),
        })?))
    }

    /// A tensor over a storage that others have, too; `strides` and `offset` count elements.
    ///
    /// # Errors
    ///
    /// As [`view::as_strided`]; `Value` if the storage is not aligned for the dtype.
    ///
    /// ```
    /// use opwright_runtime::{DType, Tensor};
    ///
    /// let x = Tensor::from_slice(&[4], &[1_i64, 2, 3, 4])?;
    /// let storage = x.storage().expect("it has elements");
    /// let odd = Tensor::over_storage(storage, DType::Int64, &[2], &[2], 0)?;
    /// assert_eq!(odd.to_vec::<i64>()?, [1, 3]);
    /// assert!(Tensor::over_storage(storage, DType::Int64, &[3], &[2], 0).is_err());
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn over_storage(
        storage: &Storage,
        dtype: DType,
        shape: &[i64],
        strides: &[i64],
        offset: i64,
    ) -> Result<Tensor> {
        ensure!(
            storage.address().is_multiple_of(alignment(dtype)),
            Value,
            "the memory at {:#x} is not aligned for {dtype}",
            storage.address()
        );
        let nothing = Tensor(Shared::new(Impl {
            storage: Some(storage.clone()),
            offset: 0,
            count: 0,
            is_row_major: true,
            shape: to_dims(&[0]),
            strides: to_dims(&[1]),
            dtype,
            is_wrapped_number: false,
            keys: Keys::new(Device::Cpu),
            metadata: LayerMetadata::new(),
        })?);
        view::apart(&view::as_strided(&nothing, shape, strides, offset)?)
    }
}

/// Where `bytes` begin that are reached from `data` on, `low` of them below it;
/// none if there cannot be so many.
fn first_byte(data: *mut u8, low: i64, bytes: i64) -> Option<NonNull<u8>> {
    let start = data.addr().checked_add_signed(isize::try_from(low).ok()?)?;
    start.checked_add(usize::try_from(bytes).ok()?)?;
    NonNull::new(data.with_addr(start))
}

/// What Rust wants the address of an element to be a multiple of.
fn alignment(dtype: DType) -> usize {
    match dtype {
        DType::Complex64 => align_of::<f32>(),
        DType::Complex128 => align_of::<f64>(),
        other => other.size(),
    }
}
