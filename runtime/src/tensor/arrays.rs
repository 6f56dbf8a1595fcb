//! The elements as `ndarray` views, slices and lists.
//!
//! Elements are shared: by other handles, by numpy, by other threads. So what is
//! safe here copies them, or has them for itself; what lends shared ones is
//! `unsafe`.

use std::mem::MaybeUninit;

use ndarray::{
    ArrayD, ArrayViewD, ArrayViewMutD, Axis, IxDyn, RawArrayView, RawArrayViewMut, ShapeBuilder,
    StrideShape,
};

use super::{Tensor, has_internal_overlap};
use crate::geometry::contiguous_strides;
use crate::{DType, Element, Error, Result, buffer, ensure, interrupt, iterate, view};

/// A geometry as `ndarray` takes it: strides without sign, from the lowest
/// address on; some dimensions are reversed afterwards.
struct ArrayShape {
    lowest: *mut u8,
    shape: StrideShape<IxDyn>,
    reversed: Vec<usize>,
}

impl Tensor {
    /// A copy of the elements.
    ///
    /// # Errors
    ///
    /// `Runtime` if `T` is not the type of the elements, `NotImplemented` on the
    /// meta device, `Memory` if there is not enough.
    ///
    /// ```
    /// use opwright_runtime::Tensor;
    /// use opwright_runtime::ndarray::Axis;
    ///
    /// let x = Tensor::from_slice(&[2, 2], &[1.0, 2.0, 3.0, 4.0])?;
    /// let sums = x.array::<f64>()?.sum_axis(Axis(0));
    /// assert_eq!(sums.as_slice(), Some(&[4.0, 6.0][..]));
    /// assert!(x.array::<f32>().is_err());
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn array<T: Element>(&self) -> Result<ArrayD<T>> {
        self.check_dtype::<T>()?;
        let shape: Vec<usize> = self.shape().iter().map(|&size| size as usize).collect();
        ArrayD::from_shape_vec(shape, self.to_vec()?).map_err(Error::runtime)
    }

    /// The elements, to write, of a tensor that nobody shares.
    ///
    /// [`iterate`] writes to any tensor.
    ///
    /// # Errors
    ///
    /// `Runtime` if `T` is not the type of the elements, if there are other
    /// handles to them, if an element is reached twice, or if the strides are so
    /// entangled that it is not obvious that none is; `NotImplemented` on the
    /// meta device.
    ///
    /// ```
    /// use opwright_runtime::{Tensor, view};
    ///
    /// let mut x = Tensor::from_slice(&[2, 2], &[1.0, 2.0, 3.0, 4.0])?;
    /// x.array_mut::<f64>()?[[1, 0]] = 0.0;
    /// assert_eq!(x.to_vec::<f64>()?, [1.0, 2.0, 0.0, 4.0]);
    ///
    /// let _other = view::select(&x, 0, 1)?;
    /// assert!(x.array_mut::<f64>().is_err());
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn array_mut<T: Element>(&mut self) -> Result<ArrayViewMutD<'_, T>> {
        self.check_alone()?;
        // SAFETY: nobody else can reach the elements as long as this handle,
        // the only one, is borrowed.
        unsafe { self.array_view_mut() }
    }

    /// The elements themselves, to read.
    ///
    /// # Errors
    ///
    /// As [`Tensor::array`]; `Runtime` if `T` is `bool` and others wrote other
    /// bytes than 0 and 1.
    ///
    /// # Safety
    ///
    /// Until the view is gone, nobody writes to the elements: not through
    /// another handle or view, not from another thread, not from Python.
    ///
    /// ```
    /// use opwright_runtime::Tensor;
    ///
    /// let x = Tensor::from_slice(&[2], &[1.0, 2.0])?;
    /// // SAFETY: nobody else knows of the tensor, and `sum` does not write.
    /// assert_eq!(unsafe { x.array_view::<f64>()? }.sum(), 3.0);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    ///
    /// A reference to shared elements takes that promise:
    ///
    /// ```compile_fail,E0133
    /// use opwright_runtime::Tensor;
    ///
    /// let mut a = Tensor::from_slice(&[1], &[1.0])?;
    /// let b = a.clone();
    /// let elements = b.array_view::<f64>()?;
    /// a.fill(5.into())?;
    /// assert_eq!(elements[[0]], 1.0);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub unsafe fn array_view<T: Element>(&self) -> Result<ArrayViewD<'_, T>> {
        let whole = self.array_shape(T::DTYPE)?;
        // SAFETY: the pointer is to the first element in memory, and shape and
        // strides stay within the storage, as those of every tensor do. The
        // elements are initialised and of type `T`; they live as long as the
        // borrow of `self`, and the caller vouches that nobody writes.
        let mut view = unsafe {
            RawArrayView::from_shape_ptr(whole.shape, whole.lowest.cast_const().cast())
                .deref_into_view()
        };
        whole.reversed.iter().for_each(|&dim| view.invert_axis(Axis(dim)));
        Ok(view)
    }

    /// The elements themselves, to write.
    ///
    /// # Errors
    ///
    /// As [`Tensor::array_mut`], but for other handles.
    ///
    /// # Safety
    ///
    /// Until the view is gone, nobody else reads the elements or writes to them:
    /// not through another handle or view, not from another thread, not from
    /// Python.
    pub unsafe fn array_view_mut<T: Element>(&mut self) -> Result<ArrayViewMutD<'_, T>> {
        self.check_nested()?;
        let whole = self.array_shape(T::DTYPE)?;
        // SAFETY: as in `array_view`; no element is reached twice, and the caller
        // vouches that nobody else reads or writes.
        let mut view = unsafe {
            RawArrayViewMut::from_shape_ptr(whole.shape, whole.lowest.cast()).deref_into_view_mut()
        };
        whole.reversed.iter().for_each(|&dim| view.invert_axis(Axis(dim)));
        Ok(view)
    }

    /// Room for elements, for a kernel that writes all of them; then
    /// [`Tensor::assume_written`] says so. New memory is not filled with zeros for it.
    ///
    /// # Errors
    ///
    /// As [`Tensor::array_view_mut`].
    ///
    /// # Safety
    ///
    /// As for [`Tensor::array_view_mut`] and [`Tensor::overwrite_ptr`]; nothing but
    /// values is written.
    ///
    /// ```
    /// use opwright_runtime::{DType, Device, Tensor};
    ///
    /// let mut x = Tensor::allocate(&[2], DType::Float64, Device::Cpu)?;
    /// // SAFETY: nobody else knows of the tensor, and each element is written.
    /// unsafe {
    ///     x.overwrite_view::<f64>()?.iter_mut().for_each(|slot| drop(slot.write(7.0)));
    ///     x.assume_written();
    /// }
    /// assert_eq!(x.to_vec::<f64>()?, [7.0, 7.0]);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub unsafe fn overwrite_view<T: Element>(
        &mut self,
    ) -> Result<ArrayViewMutD<'_, MaybeUninit<T>>> {
        self.check_nested()?;
        self.check_dtype::<T>()?;
        self.check_readable()?;
        // SAFETY: the caller reads nothing that was not written before, and has this
        // handle for itself.
        let first = unsafe { self.overwrite_ptr() };
        let whole = self.array_shape_from(first);
        // SAFETY: as in `array_view_mut`, and what is perhaps not initialised need not be.
        let mut view = unsafe {
            RawArrayViewMut::from_shape_ptr(whole.shape, whole.lowest.cast()).deref_into_view_mut()
        };
        whole.reversed.iter().for_each(|&dim| view.invert_axis(Axis(dim)));
        Ok(view)
    }

    /// Fails unless elements can be written at once: none is reached twice, and the strides
    /// tell so.
    ///
    /// # Errors
    ///
    /// As [`Tensor::array_mut`], but for another dtype and other handles.
    pub fn check_nested(&self) -> Result<()> {
        self.check_writable()?;
        ensure!(self.strides_nest(), Runtime, "the strides of this tensor are entangled");
        Ok(())
    }

    fn array_shape(&self, dtype: DType) -> Result<ArrayShape> {
        self.check_elements(dtype)?;
        Ok(self.array_shape_from(self.data_ptr()))
    }

    fn array_shape_from(&self, first: *mut u8) -> ArrayShape {
        let bytes = self.dtype().size() as i64;
        let shape: Vec<usize> = self.shape().iter().map(|&size| size as usize).collect();
        let mut lowest = first;
        let mut reversed = Vec::new();
        if self.numel() == 0 {
            // Without elements any strides would do; `ndarray` wants its own.
            return ArrayShape { lowest, shape: shape.into(), reversed };
        }
        let mut strides = Vec::with_capacity(shape.len());
        for (dim, (&size, &stride)) in self.shape().iter().zip(self.strides()).enumerate() {
            if stride < 0 && size > 1 {
                lowest = lowest.wrapping_offset(((size - 1) * stride * bytes) as isize);
                reversed.push(dim);
            }
            // A dimension of size one may have any stride.
            strides.push(if size == 1 { 0 } else { stride.unsigned_abs() as usize });
        }
        ArrayShape { lowest, shape: shape.strides(strides), reversed }
    }

    /// The elements of a contiguous tensor themselves, to read.
    ///
    /// # Errors
    ///
    /// As [`Tensor::array_view`], and `Runtime` if the tensor is not contiguous.
    ///
    /// # Safety
    ///
    /// As for [`Tensor::array_view`].
    ///
    /// ```
    /// use opwright_runtime::Tensor;
    ///
    /// let x = Tensor::from_slice(&[2, 2], &[1_i32, 2, 3, 4])?;
    /// // SAFETY: nobody else knows of the tensor.
    /// assert_eq!(unsafe { x.as_slice::<i32>()? }, [1, 2, 3, 4]);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    ///
    /// ```compile_fail,E0133
    /// use opwright_runtime::Tensor;
    ///
    /// let mut a = Tensor::from_slice(&[1], &[1.0])?;
    /// let b = a.clone();
    /// let elements = b.as_slice::<f64>()?;
    /// a.fill(5.into())?;
    /// assert_eq!(elements[0], 1.0);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub unsafe fn as_slice<T: Element>(&self) -> Result<&[T]> {
        self.check_flat(T::DTYPE)?;
        // SAFETY: as in `array_view`; contiguous elements are a slice.
        Ok(unsafe { std::slice::from_raw_parts(self.data_ptr().cast(), self.numel()) })
    }

    /// The elements, to write, of a contiguous tensor that nobody shares.
    ///
    /// # Errors
    ///
    /// As [`Tensor::array_mut`], and `Runtime` if the tensor is not contiguous.
    ///
    /// ```
    /// use opwright_runtime::Tensor;
    ///
    /// let mut x = Tensor::from_slice(&[3], &[1.0, 2.0, 3.0])?;
    /// x.as_mut_slice::<f64>()?[1] = 0.0;
    /// assert_eq!(x.to_vec::<f64>()?, [1.0, 0.0, 3.0]);
    ///
    /// let _other = x.clone();
    /// assert!(x.as_mut_slice::<f64>().is_err());
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn as_mut_slice<T: Element>(&mut self) -> Result<&mut [T]> {
        self.check_flat(T::DTYPE)?;
        self.check_alone()?;
        // SAFETY: nobody else can reach the elements as long as this handle, the
        // only one, is borrowed; contiguous elements are a slice, and none is
        // reached twice.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.data_ptr().cast(), self.numel()) })
    }

    fn check_alone(&self) -> Result<()> {
        ensure!(
            self.is_alone(),
            Runtime,
            "the elements of this tensor are shared, so that no reference to them can be had; \
             copy the tensor first, or write to it by `iterate` or `copy_from`"
        );
        Ok(())
    }

    /// Fails unless there are elements, and all are values of this dtype.
    pub(crate) fn check_elements(&self, dtype: DType) -> Result<()> {
        self.check_dtype_of(dtype)?;
        self.check_readable()?;
        ensure!(
            dtype != DType::Bool || self.has_truth_values(),
            Runtime,
            "a bool tensor over shared memory holds other bytes than 0 and 1"
        );
        Ok(())
    }

    /// Whether all elements, of one byte each, are 0 or 1.
    pub(super) fn has_truth_values(&self) -> bool {
        let mut part = self.clone();
        // An element that is stretched is looked at once.
        for dim in (0..self.ndim()).filter(|&dim| self.strides()[dim] == 0) {
            let Ok(first) = view::narrow(&part, dim, 0, 1.min(self.shape()[dim])) else { break };
            part = first;
        }
        let part = part.array_shape_from(part.data_ptr());
        // SAFETY: as in `array`; any byte is a `u8`.
        let bytes = unsafe {
            RawArrayView::from_shape_ptr(part.shape, part.lowest.cast_const()).deref_into_view()
        };
        match bytes.as_slice_memory_order() {
            Some(slice) => {
                let are_truths = |some: &[u8]| some.iter().fold(0, |all, &it| all | it) <= 1;
                interrupt::checked(slice.chunks(1 << 12)).all(are_truths)
            }
            None => interrupt::checked(bytes.iter()).all(|&it| it <= 1),
        }
    }

    fn check_flat(&self, dtype: DType) -> Result<()> {
        self.check_elements(dtype)?;
        ensure!(self.is_contiguous(), Runtime, "expected a contiguous tensor");
        Ok(())
    }

    /// The elements in row-major order, cast to `T`.
    ///
    /// # Errors
    ///
    /// `NotImplemented` on the meta device, `Memory` if there is not enough.
    ///
    /// ```
    /// use opwright_runtime::{Tensor, view};
    ///
    /// let x = Tensor::from_slice(&[3], &[1_u8, 2, 3])?;
    /// assert_eq!(view::flip(&x, 0)?.to_vec::<f32>()?, [3.0, 2.0, 1.0]);
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn to_vec<T: Element>(&self) -> Result<Vec<T>> {
        self.check_readable()?;
        let (source, dtype) = match T::DTYPE {
            // As bytes, of which any but 0 is true and becomes 1.
            DType::Bool => (self.to_dtype(DType::Bool)?, DType::UInt8),
            dtype => (self.clone(), dtype),
        };
        let mut values: Vec<T> = buffer::with_capacity(self.numel())?;
        let slots = values.spare_capacity_mut().as_mut_ptr().cast::<u8>();
        let strides = contiguous_strides(self.shape());
        // SAFETY: there is room for all elements, in a list that is there longer
        // than this tensor; nobody reads one before the copy has written it.
        let mut target =
            unsafe { Tensor::over(slots, (self.shape(), &strides), dtype, Box::new(()), true) }?;
        iterate::copy(&source, &mut target)?;
        drop(target);
        // SAFETY: the copy has written every element, and every truth value is one.
        unsafe { values.set_len(self.numel()) };
        Ok(values)
    }

    /// Fails if an element is reached twice.
    #[inline]
    pub(crate) fn check_writable(&self) -> Result<()> {
        ensure!(
            !has_internal_overlap(self),
            Runtime,
            "unsupported operation: more than one element of the written-to tensor refers to a \
             single memory location. Please copy the tensor before performing the operation."
        );
        Ok(())
    }
}
