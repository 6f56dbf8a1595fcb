//! Kernels along one dimension: a lane goes in, a lane comes out.
//!
//! Lanes of inputs and outputs may differ in length; all other dimensions must
//! agree. A tensor without dimensions is one lane of one element.
//!
//! The functions get references to elements, which others may have handles to;
//! that nobody makes use of these meanwhile is for the caller to see to.

use ndarray::{
    ArrayView1, ArrayViewMut1, Axis, Ix1, RawArrayView, RawArrayViewMut, ShapeBuilder, StrideShape,
};

use crate::geometry::{Dims, to_dims};
use crate::parallel::try_share;
use crate::tensor::{Overlap, overlaps, partial_overlap};
use crate::{Element, Result, Tensor, ensure, view};

/// Calls `f(lane, lane of out)` for each lane along `dim`, until one fails.
///
/// # Errors
///
/// `Runtime` if shapes do not go together, if `out` is not of dtype `O`,
/// overlaps an input, or reaches an element twice; `Index` if there is no such
/// dimension; `NotImplemented` on the meta device; what `f` reports.
///
/// # Safety
///
/// While it runs, `f` reaches the elements of these tensors through its arguments
/// only, and no other thread writes to those of the inputs, or uses those of the
/// output.
///
/// ```compile_fail,E0133
/// use opwright_runtime::ndarray::{ArrayView1, ArrayViewMut1};
/// use opwright_runtime::{Tensor, lanes};
///
/// let (x, mut out) = (Tensor::from_slice(&[1], &[1.0])?, Tensor::from_slice(&[1], &[0.0])?);
/// lanes::unary(&x, &mut out, 0, |lane: ArrayView1<'_, f64>, _: ArrayViewMut1<'_, f64>| {
///     x.clone().fill(5.into())?;
///     assert_eq!(lane[0], 1.0);
///     Ok(())
/// })?;
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
pub unsafe fn unary<T: Element, O: Element>(
    input: &Tensor,
    out: &mut Tensor,
    dim: usize,
    f: impl Fn(ArrayView1<'_, T>, ArrayViewMut1<'_, O>) -> Result<()> + Sync,
) -> Result<()> {
    let input = input.to_values::<T>()?;
    let input = Lanes::new::<T>(&input, dim)?;
    let out = Lanes::output::<O>(out, dim, &[&input])?;
    for_each_lane(&[&input, &out], &|[lane, target, ..]| {
        // SAFETY: the lanes are of these types, each target is used once, and the
        // caller vouches that nobody uses them meanwhile.
        unsafe { f(input.view(lane), out.view_mut(target)) }
    })?;
    out.finish();
    Ok(())
}

/// Calls `f(lane, lane of the first output, lane of the second)`.
///
/// # Errors
///
/// As [`unary`].
///
/// # Safety
///
/// As for [`unary`].
pub unsafe fn unary_pair<T: Element, O: Element, P: Element>(
    input: &Tensor,
    out: (&mut Tensor, &mut Tensor),
    dim: usize,
    f: impl Fn(ArrayView1<'_, T>, ArrayViewMut1<'_, O>, ArrayViewMut1<'_, P>) -> Result<()> + Sync,
) -> Result<()> {
    let input = input.to_values::<T>()?;
    let input = Lanes::new::<T>(&input, dim)?;
    let first = Lanes::output::<O>(out.0, dim, &[&input])?;
    let second = Lanes::output::<P>(out.1, dim, &[&input, &first])?;
    for_each_lane(&[&input, &first, &second], &|[lane, a, b, _]| {
        // SAFETY: the lanes are of these types, each target is used once, and the
        // caller vouches that nobody uses them meanwhile.
        unsafe { f(input.view(lane), first.view_mut(a), second.view_mut(b)) }
    })?;
    [first, second].iter().for_each(Lanes::finish);
    Ok(())
}

/// Calls `f(lane, lane of the second input, lane of out)`.
///
/// # Errors
///
/// As [`unary`].
///
/// # Safety
///
/// As for [`unary`].
pub unsafe fn binary<T: Element, U: Element, O: Element>(
    a: &Tensor,
    b: &Tensor,
    out: &mut Tensor,
    dim: usize,
    f: impl Fn(ArrayView1<'_, T>, ArrayView1<'_, U>, ArrayViewMut1<'_, O>) -> Result<()> + Sync,
) -> Result<()> {
    let (a, b) = (a.to_values::<T>()?, b.to_values::<U>()?);
    let (a, b) = (Lanes::new::<T>(&a, dim)?, Lanes::new::<U>(&b, dim)?);
    let out = Lanes::output::<O>(out, dim, &[&a, &b])?;
    for_each_lane(&[&a, &b, &out], &|[first, second, target, _]| {
        // SAFETY: the lanes are of these types, each target is used once, and the
        // caller vouches that nobody uses them meanwhile.
        unsafe { f(a.view(first), b.view(second), out.view_mut(target)) }
    })?;
    out.finish();
    Ok(())
}

/// The lanes of one tensor.
struct Lanes {
    tensor: Tensor,
    start: *mut u8,
    length: usize,
    /// In elements.
    stride: isize,
    /// The other dimensions, strides in bytes.
    shape: Dims,
    strides: Dims,
    is_output: bool,
    /// Each lane is filled with zeros when its turn comes: it is in the cache then.
    is_unwritten: bool,
}

// SAFETY: lanes only say where elements are; each lane of an output is used by
// one thread.
unsafe impl Sync for Lanes {}

/// The most tensors of one kernel.
const MAX_LANES: usize = 4;

impl Lanes {
    fn new<T: Element>(tensor: &Tensor, dim: usize) -> Result<Lanes> {
        tensor.check_readable()?;
        Lanes::from::<T>(tensor, dim, tensor.data_ptr())
    }

    /// Those of a tensor whose first element is there.
    fn from<T: Element>(tensor: &Tensor, dim: usize, start: *mut u8) -> Result<Lanes> {
        tensor.check_dtype::<T>()?;
        tensor.check_readable()?;
        let tensor = if tensor.ndim() == 0 { view::unsqueeze(tensor, 0)? } else { tensor.clone() };
        ensure!(dim < tensor.ndim(), Index, "there is no dimension {dim}");
        let bytes = tensor.dtype().size() as i64;
        let (mut shape, mut strides) = (to_dims(tensor.shape()), to_dims(tensor.strides()));
        let (length, stride) = (shape.remove(dim) as usize, strides.remove(dim) as isize);
        for (stride, &size) in strides.iter_mut().zip(&shape) {
            // A dimension of size one may have any stride.
            *stride = if size > 1 { stride.saturating_mul(bytes) } else { 0 };
        }
        let (is_output, is_unwritten) = (false, false);
        Ok(Lanes { start, tensor, length, stride, shape, strides, is_output, is_unwritten })
    }

    fn output<O: Element>(out: &Tensor, dim: usize, others: &[&Lanes]) -> Result<Lanes> {
        out.check_writable()?;
        let is_dense = out.ndim() == 0 || out.strides().get(dim) == Some(&1);
        let unwritten = out.new_ptr().filter(|_| is_dense);
        let mut lanes = match unwritten {
            Some(start) => Lanes::from::<O>(out, dim, start)?,
            None => Lanes::new::<O>(out, dim)?,
        };
        (lanes.is_output, lanes.is_unwritten) = (true, unwritten.is_some());
        for other in others {
            ensure!(
                lanes.shape == other.shape,
                Runtime,
                "shapes {:?} and {:?} differ beside dimension {dim}",
                lanes.tensor.shape(),
                other.tensor.shape()
            );
            if overlaps(&lanes.tensor, &other.tensor) != Overlap::No {
                return Err(partial_overlap());
            }
        }
        if !lanes.is_unwritten {
            out.make_values::<O>()?;
        }
        Ok(lanes)
    }

    /// All lanes have been written.
    fn finish(&self) {
        if self.is_unwritten && self.length > 0 {
            // SAFETY: each lane was filled with zeros at least, and they are all elements.
            unsafe { self.tensor.assume_written() };
        }
    }

    fn lane(&self, mut index: usize) -> *mut u8 {
        let mut start = self.start;
        for (&size, &stride) in self.shape.iter().zip(&self.strides).skip(1).rev() {
            start = start.wrapping_offset((index as i64 % size * stride) as isize);
            index /= size as usize;
        }
        // The outermost dimension has what is left: nothing is divided if there is no other.
        let outermost = self.strides.first().copied().unwrap_or(0);
        start.wrapping_offset((index as i64 * outermost) as isize)
    }

    /// # Safety
    ///
    /// `start` is from [`Lanes::lane`], `T` is the type of the elements, and
    /// nobody writes to them.
    unsafe fn view<'a, T: Element>(&self, start: *mut u8) -> ArrayView1<'a, T> {
        let (lowest, shape) = self.place::<T>(start);
        // SAFETY: as above; the elements of a lane are within the storage.
        let mut view =
            unsafe { RawArrayView::from_shape_ptr(shape, lowest.cast_const()).deref_into_view() };
        if self.is_reversed() {
            view.invert_axis(Axis(0));
        }
        view
    }

    /// # Safety
    ///
    /// `start` is from [`Lanes::lane`], `O` is the type of the elements, and
    /// nobody else reads or writes them.
    unsafe fn view_mut<'a, O: Element>(&self, start: *mut u8) -> ArrayViewMut1<'a, O> {
        let (lowest, shape) = self.place::<O>(start);
        if self.is_unwritten {
            // SAFETY: the elements of such a lane lie side by side, and all zeros are a value.
            unsafe { lowest.write_bytes(0, self.length) };
        }
        // SAFETY: as above; the elements of a lane are within the storage, and
        // none is reached twice.
        let mut view =
            unsafe { RawArrayViewMut::from_shape_ptr(shape, lowest).deref_into_view_mut() };
        if self.is_reversed() {
            view.invert_axis(Axis(0));
        }
        view
    }

    fn is_reversed(&self) -> bool {
        self.stride < 0 && self.length > 1
    }

    /// A lane as `ndarray` takes it: the lowest address, a stride without sign.
    fn place<T: Element>(&self, start: *mut u8) -> (*mut T, StrideShape<Ix1>) {
        let mut lowest = start.cast::<T>();
        if self.is_reversed() {
            lowest = lowest.wrapping_offset((self.length as isize - 1) * self.stride);
        }
        // A lane of one element may have any stride.
        let stride = if self.length > 1 { self.stride.unsigned_abs() } else { 1 };
        (lowest, (self.length,).strides((stride,)))
    }
}

/// Calls `f` with the start of each lane, in all tensors.
fn for_each_lane(
    all: &[&Lanes],
    f: &(dyn Fn([*mut u8; MAX_LANES]) -> Result<()> + Sync),
) -> Result<()> {
    // However many lanes there are, nothing would be written.
    if all.iter().all(|it| it.length == 0 || !it.is_output) {
        return Ok(());
    }
    let count = all[0].shape.iter().product::<i64>() as usize;
    let weight = all.iter().map(|it| it.length).max().unwrap_or(1);
    try_share(count, weight, &|range| {
        for index in range {
            let mut starts = [std::ptr::null_mut(); MAX_LANES];
            for (start, lanes) in starts.iter_mut().zip(all) {
                *start = lanes.lane(index);
            }
            f(starts)?;
        }
        Ok(())
    })
}
