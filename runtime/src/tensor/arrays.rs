//! The elements as `ndarray` views and slices.

use ndarray::{ArrayViewD, ArrayViewMutD, Axis, IxDyn, RawArrayViewMut, ShapeBuilder};

use super::{Tensor, has_internal_overlap};
use crate::{Element, Result, ensure};

impl Tensor {
    /// The elements, to read.
    ///
    /// Until the view is gone, nobody may write to them (see the module's
    /// section on aliasing).
    ///
    /// # Errors
    ///
    /// `Runtime` if `T` is not the type of the elements, `NotImplemented` on the
    /// meta device.
    pub fn array<T: Element>(&self) -> Result<ArrayViewD<'_, T>> {
        // SAFETY: the elements are initialised and of type `T`; they live as
        // long as the borrow of `self`, and by contract nobody writes.
        Ok(unsafe { self.raw_array::<T>()?.deref_into_view() })
    }

    /// The elements, to write.
    ///
    /// # Errors
    ///
    /// As [`Tensor::array`], and `Runtime` if an element is reached twice.
    pub fn array_mut<T: Element>(&mut self) -> Result<ArrayViewMutD<'_, T>> {
        self.check_writable()?;
        // SAFETY: as in `array`; no element is reached twice, and by contract
        // nobody else reads or writes.
        Ok(unsafe { self.raw_array::<T>()?.deref_into_view_mut() })
    }

    fn raw_array<T: Element>(&self) -> Result<RawArrayViewMut<T, IxDyn>> {
        self.check_dtype::<T>()?;
        self.check_readable()?;
        let shape: Vec<usize> = self.shape().iter().map(|&size| size as usize).collect();
        // `ndarray` takes strides without sign, from the lowest address on.
        let mut lowest = self.data_ptr().cast::<T>();
        let mut strides = Vec::with_capacity(shape.len());
        for (&size, &stride) in self.shape().iter().zip(self.strides()) {
            if stride < 0 && size > 1 {
                lowest = lowest.wrapping_offset(((size - 1) * stride) as isize);
            }
            strides.push(if size > 1 { stride.unsigned_abs() as usize } else { 0 });
        }
        if self.count() == 0 {
            strides.fill(0);
        }
        // SAFETY: the pointer is to the first element in memory, and shape and
        // strides stay within the storage, as those of every tensor do.
        let mut view = unsafe { RawArrayViewMut::from_shape_ptr(shape.strides(strides), lowest) };
        for (dim, (&size, &stride)) in self.shape().iter().zip(self.strides()).enumerate() {
            if stride < 0 && size > 1 {
                view.invert_axis(Axis(dim));
            }
        }
        Ok(view)
    }

    /// The elements of a contiguous tensor, to read; the contract of
    /// [`Tensor::array`] holds.
    ///
    /// # Errors
    ///
    /// As [`Tensor::array`], and `Runtime` if the tensor is not contiguous.
    pub fn as_slice<T: Element>(&self) -> Result<&[T]> {
        self.check_flat::<T>()?;
        // SAFETY: as in `array`; contiguous elements are a slice.
        Ok(unsafe { std::slice::from_raw_parts(self.data_ptr().cast(), self.count()) })
    }

    /// The elements of a contiguous tensor, to write; the contract of
    /// [`Tensor::array_mut`] holds.
    ///
    /// # Errors
    ///
    /// As [`Tensor::as_slice`].
    pub fn as_mut_slice<T: Element>(&mut self) -> Result<&mut [T]> {
        self.check_flat::<T>()?;
        // SAFETY: as in `array_mut`; contiguous elements are a slice, and none
        // is reached twice.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.data_ptr().cast(), self.count()) })
    }

    fn check_flat<T: Element>(&self) -> Result<()> {
        self.check_dtype::<T>()?;
        self.check_readable()?;
        ensure!(self.is_contiguous(), Runtime, "expected a contiguous tensor");
        Ok(())
    }

    /// The elements in row-major order, cast to `T`.
    ///
    /// # Errors
    ///
    /// `NotImplemented` on the meta device, `Memory` if there is not enough.
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        Ok(self.to_dtype(T::DTYPE)?.to_contiguous()?.as_slice()?.to_vec())
    }

    /// Fails if an element is reached twice.
    #[inline]
    pub(crate) fn check_writable(&self) -> Result<()> {
        ensure!(
            !has_internal_overlap(self),
            Runtime,
            "unsupported operation: more than one element of the written-to tensor refers to a \
             single memory location. Please clone() the tensor before performing the operation."
        );
        Ok(())
    }
}
