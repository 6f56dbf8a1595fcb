//! Tensors from numbers.

use super::shared::Shared;
use super::{Impl, Keys, LayerMetadata, Tensor};
use crate::geometry::{Dims, element_count};
use crate::tensor::storage::Storage;
use crate::{DType, Device, Element, Result, Scalar, buffer, dispatch, ensure};

use ndarray::ArrayD;

impl Tensor {
    /// A tensor of zeros, written already.
    ///
    /// # Errors
    ///
    /// As [`Tensor::allocate`].
    ///
    /// ```
    /// use opwright_runtime::{DType, Device, Tensor};
    ///
    /// let sums = Tensor::zeroed(&[3], DType::Int64, Device::Cpu)?;
    /// assert_eq!(sums.to_vec::<i64>()?, [0, 0, 0]);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn zeroed(shape: &[i64], dtype: DType, device: Device) -> Result<Tensor> {
        let mut tensor = Tensor::allocate(shape, dtype, Device::Meta)?;
        if device == Device::Cpu {
            let storage = Storage::zeroed(tensor.numel() * dtype.size())?;
            let keys = Keys::new(device);
            keys.set_inference(storage.is_inference());
            let made = tensor.make_unique()?;
            (made.storage, made.keys) = (Some(storage), keys);
        }
        Ok(tensor)
    }

    /// A tensor of equal elements.
    ///
    /// # Errors
    ///
    /// As [`Tensor::allocate`], and `Runtime` if the value does not fit the dtype.
    ///
    /// ```
    /// use opwright_runtime::{DType, Device, Tensor};
    ///
    /// let halves = Tensor::filled(&[2], 0.5.into(), DType::Float32, Device::Cpu)?;
    /// assert_eq!(halves.to_vec::<f32>()?, [0.5, 0.5]);
    /// assert!(Tensor::filled(&[2], 300.into(), DType::UInt8, Device::Cpu).is_err());
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn filled(shape: &[i64], value: Scalar, dtype: DType, device: Device) -> Result<Tensor> {
        let mut tensor = Tensor::allocate(shape, dtype, device)?;
        if device == Device::Cpu {
            tensor.fill(value)?;
        }
        Ok(tensor)
    }

    /// Writes one value to all elements.
    ///
    /// # Errors
    ///
    /// `Runtime` if the value does not fit the dtype or the tensor overlaps
    /// itself, `NotImplemented` on the meta device.
    ///
    /// ```
    /// use opwright_runtime::Tensor;
    ///
    /// let mut x = Tensor::from_slice(&[2], &[1.0, 2.0])?;
    /// x.fill(3.into())?;
    /// assert_eq!(x.to_vec::<f64>()?, [3.0, 3.0]);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn fill(&mut self, value: Scalar) -> Result<()> {
        dispatch!(self.dtype(), "fill", all, |T| {
            let value: T = value.checked()?;
            if self.numel() != 1 {
                let mut once;
                let places = match crate::view::is_stretched(self) {
                    // What a stretched dimension reaches again gets the same number.
                    true => {
                        once = crate::view::unstretched(self)?;
                        &mut once
                    }
                    // Another handle to what was just made would have it zeroed first.
                    false => self,
                };
                return crate::iterate::nullary(places, move || value);
            }
            self.check_readable()?;
            // SAFETY: there is one element, at the pointer, of the type of the dtype; it may be at
            // any address.
            unsafe { self.data_ptr().cast::<T>().write_unaligned(value) };
            Ok(())
        })
    }

    /// A tensor with a copy of these elements, in row-major order.
    ///
    /// # Errors
    ///
    /// `Runtime` if the shape does not hold as many, and as [`Tensor::allocate`].
    ///
    /// ```
    /// use opwright_runtime::{Tensor, view};
    ///
    /// let x = Tensor::from_slice(&[2, 2], &[true, false, false, true])?;
    /// assert_eq!(view::select(&x, 0, 1)?.to_vec::<bool>()?, [false, true]);
    /// assert!(Tensor::from_slice(&[3], &[1.0, 2.0]).is_err());
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn from_slice<T: Element>(shape: &[i64], values: &[T]) -> Result<Tensor> {
        check_count(shape, values.len())?;
        let tensor = Tensor::allocate(shape, T::DTYPE, Device::Cpu)?;
        // SAFETY: the new tensor is contiguous, has as many elements as the
        // slice, and nobody else has its memory; afterwards all are written.
        unsafe {
            let target = tensor.overwrite_ptr().cast::<T>();
            target.copy_from_nonoverlapping(values.as_ptr(), values.len());
            tensor.assume_written();
        }
        Ok(tensor)
    }

    /// A tensor that owns these elements, in row-major order, without a copy
    /// unless there are few.
    ///
    /// # Errors
    ///
    /// As [`Tensor::from_slice`].
    ///
    /// ```
    /// use opwright_runtime::Tensor;
    ///
    /// let squares = (0..4).map(|it| it * it).collect();
    /// assert_eq!(Tensor::from_vec::<i64>(&[4], squares)?.to_vec::<i64>()?, [0, 1, 4, 9]);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn from_vec<T: Element>(shape: &[i64], values: Vec<T>) -> Result<Tensor> {
        const WORTH_KEEPING: usize = 4096;
        if size_of_val(&values[..]) < WORTH_KEEPING {
            return Tensor::from_slice(shape, &values);
        }
        check_count(shape, values.len())?;
        let mut values = values;
        let data = values.as_mut_ptr().cast::<u8>();
        let strides = crate::geometry::contiguous_strides(shape);
        // SAFETY: the vector keeps its elements where they are until it is
        // dropped, they are as many as the shape says, and of the right type.
        // Nobody else has the vector.
        unsafe { Tensor::over(data, (shape, &strides), T::DTYPE, Box::new(values), false) }
    }

    /// A tensor with the elements of an array.
    ///
    /// # Errors
    ///
    /// As [`Tensor::from_slice`].
    ///
    /// ```
    /// use opwright_runtime::Tensor;
    /// use opwright_runtime::ndarray::array;
    ///
    /// let x = Tensor::from_array(array![[1.0, 2.0], [3.0, 4.0]].into_dyn())?;
    /// assert_eq!(x.shape(), [2, 2]);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn from_array<T: Element>(array: ArrayD<T>) -> Result<Tensor> {
        let shape: Dims = array.shape().iter().map(|&size| size as i64).collect();
        if array.is_standard_layout() {
            let (values, offset) = array.into_raw_vec_and_offset();
            let first = offset.unwrap_or(0);
            let count = element_count(&shape)?;
            if first == 0 && values.len() == count {
                return Tensor::from_vec(&shape, values);
            }
            return Tensor::from_slice(&shape, &values[first..first + count]);
        }
        Tensor::from_vec(&shape, buffer::collected(array.iter().copied())?)
    }

    /// A tensor without dimensions.
    ///
    /// # Errors
    ///
    /// `Runtime` if the value does not fit the dtype.
    ///
    /// ```
    /// use opwright_runtime::{DType, Tensor};
    ///
    /// let x = Tensor::from_scalar(2.into(), DType::Float32)?;
    /// assert_eq!((x.ndim(), x.to_vec::<f32>()?), (0, vec![2.0]));
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn from_scalar(value: Scalar, dtype: DType) -> Result<Tensor> {
        dispatch!(dtype, "from_scalar", all, |T| {
            let value: T = value.checked()?;
            Tensor::from_slice(&[], &[value])
        })
    }

    /// A Python number where a tensor is asked for: it has no dimensions, holds
    /// the number whole, and gives way in type promotion.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    pub fn wrapped_number(value: Scalar) -> Result<Tensor> {
        let storage = match value {
            Scalar::Bool(it) => Storage::of_one(it)?,
            Scalar::Int(it) => Storage::of_one(it)?,
            Scalar::Float(it) => Storage::of_one(it)?,
            Scalar::Complex(it) => Storage::of_one(it)?,
        };
        Ok(Tensor(Shared::made_by(|| Impl {
            storage: Some(storage),
            offset: 0,
            count: 1,
            shape: Dims::new(),
            strides: Dims::new(),
            dtype: value.storage_dtype(),
            is_wrapped_number: true,
            is_row_major: true,
            keys: Keys::new(Device::Cpu),
            metadata: LayerMetadata::new(),
        })?))
    }

    /// Access to the metadata of a handle that was just made.
    #[inline]
    pub(super) fn make_unique(&mut self) -> Result<&mut Impl> {
        Shared::make_mut(&mut self.0)
    }
}

fn check_count(shape: &[i64], count: usize) -> Result<()> {
    let expected = element_count(shape)?;
    ensure!(
        expected == count,
        Runtime,
        "shape {shape:?} holds {expected} elements, but {count} were given"
    );
    Ok(())
}
