//! Copies between tensors: casts, compaction, devices.

use super::Tensor;
use crate::structured::Spec;
use crate::{DType, Device, Element, Result, iterate, view};

impl Tensor {
    /// Copies the elements of `source`, stretched to this tensor's shape and
    /// cast to its dtype.
    ///
    /// On the meta device only the shapes are looked at.
    ///
    /// # Errors
    ///
    /// `Runtime` if `source` does not stretch to the shape, if this tensor
    /// reaches an element twice, or if the two overlap in part;
    /// `NotImplemented` if only `source` is on the meta device.
    ///
    /// ```
    /// use opwright_runtime::{DType, Device, Tensor};
    ///
    /// let mut out = Tensor::allocate(&[2, 2], DType::Float64, Device::Cpu)?;
    /// out.copy_from(&Tensor::from_slice(&[2], &[1_i64, 2])?)?;
    /// assert_eq!(out.to_vec::<f64>()?, [1.0, 2.0, 1.0, 2.0]);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn copy_from(&mut self, source: &Tensor) -> Result<()> {
        if self.device().is_meta() {
            view::expand(source, self.shape())?;
            return Ok(());
        }
        iterate::copy(source, self)
    }

    /// A copy that shares no memory, in row-major order.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    ///
    /// ```
    /// use opwright_runtime::Tensor;
    ///
    /// let x = Tensor::from_slice(&[2], &[1.0, 2.0])?;
    /// x.copy()?.fill(0.into())?;
    /// assert_eq!(x.to_vec::<f64>()?, [1.0, 2.0]);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn copy(&self) -> Result<Tensor> {
        self.copied(self.dtype())
    }

    /// A copy of all elements, which lie in memory as those of this tensor do, but for gaps.
    ///
    /// # Errors
    ///
    /// As [`copy`](Tensor::copy).
    ///
    /// ```
    /// use opwright_runtime::{Tensor, view};
    ///
    /// let x = view::transpose(&Tensor::from_slice(&[2, 3], &[0.0; 6])?, 0, 1)?;
    /// assert_eq!(x.copy_in_layout()?.strides(), [1, 3]);
    /// assert_eq!(x.copy()?.strides(), [2, 1]);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn copy_in_layout(&self) -> Result<Tensor> {
        if self.is_contiguous() {
            return self.copy();
        }
        let mut result = Spec::elementwise(&[self])?.allocate()?;
        result.copy_from(self)?;
        Ok(result)
    }

    /// This tensor if it is contiguous already, else a copy that is.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    ///
    /// ```
    /// use opwright_runtime::{Tensor, view};
    ///
    /// let x = view::transpose(&Tensor::from_slice(&[2, 2], &[1.0, 2.0, 3.0, 4.0])?, 0, 1)?;
    /// assert_eq!(x.to_contiguous()?.to_vec::<f64>()?, [1.0, 3.0, 2.0, 4.0]);
    /// assert_eq!(x.to_contiguous()?.strides(), [2, 1]);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn to_contiguous(&self) -> Result<Tensor> {
        if self.is_contiguous() { Ok(self.clone()) } else { self.copied(self.dtype()) }
    }

    /// This tensor if it has that dtype already, else a copy cast to it.
    ///
    /// # Errors
    ///
    /// `Memory` if there is not enough.
    ///
    /// ```
    /// use opwright_runtime::{DType, Tensor};
    ///
    /// let x = Tensor::from_slice(&[2], &[1.9, -1.9])?;
    /// assert_eq!(x.to_dtype(DType::Int32)?.to_vec::<i32>()?, [1, -1]);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn to_dtype(&self, dtype: DType) -> Result<Tensor> {
        if self.dtype() == dtype { Ok(self.clone()) } else { self.copied(dtype) }
    }

    /// Elements that can be borrowed as values of `T`: this tensor, cast if need
    /// be. A `bool` is borrowed only if its byte is 0 or 1, so where others wrote
    /// other bytes to shared memory a copy is made, in which these are true.
    ///
    /// # Errors
    ///
    /// `NotImplemented` on the meta device, `Memory` if there is not enough.
    ///
    /// ```
    /// use opwright_runtime::{DType, Tensor, view};
    ///
    /// let bytes = view::reinterpret(&Tensor::from_slice(&[3], &[0_u8, 1, 7])?, DType::Bool)?;
    /// assert_eq!(bytes.to_values::<bool>()?.to_vec::<bool>()?, [false, true, true]);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn to_values<T: Element>(&self) -> Result<Tensor> {
        self.to_values_of(T::DTYPE)
    }

    /// The same of a dtype.
    pub(crate) fn to_values_of(&self, dtype: DType) -> Result<Tensor> {
        self.check_readable()?;
        if self.dtype() == dtype && (dtype != DType::Bool || self.has_truth_values()) {
            return Ok(self.clone());
        }
        self.copied(dtype)
    }

    /// Makes 1 of every `bool` whose byte is neither 0 nor 1, so that it can be
    /// borrowed to be written.
    pub(crate) fn make_values(&self, dtype: DType) -> Result<()> {
        if dtype == DType::Bool && !self.has_truth_values() {
            self.clone().copy_from(self)?;
        }
        Ok(())
    }

    fn copied(&self, dtype: DType) -> Result<Tensor> {
        let mut result = Tensor::allocate(self.shape(), dtype, self.device())?;
        result.copy_from(self)?;
        Ok(result)
    }

    /// This tensor on another device; towards the meta device the elements are lost.
    ///
    /// # Errors
    ///
    /// `NotImplemented` from the meta device to any other.
    pub fn to_device(&self, device: Device) -> Result<Tensor> {
        if self.device() == device {
            return Ok(self.clone());
        }
        self.check_readable()?;
        Tensor::allocate(self.shape(), self.dtype(), device)
    }
}
