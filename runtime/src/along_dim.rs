//! Kernels along a dimension: a lane, as `ndarray` calls such a row, goes in, and one comes out.
//!
//! Lanes of inputs and outputs may differ in length; all other dimensions must
//! agree. A tensor without dimensions is one lane of one element.
//!
//! The functions get references to elements, which others may have handles to;
//! that nobody makes use of these meanwhile is for the caller to see to.

use ndarray::{
    ArrayView1, ArrayViewMut1, Axis, Ix1, RawArrayView, RawArrayViewMut, ShapeBuilder, StrideShape,
};
use smallvec::SmallVec;

use crate::parallel::try_share;
use crate::tensor::{Overlap, overlaps, partial_overlap};
use crate::{DType, Element, Error, Result, Tensor, ensure};

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
/// use opwright_runtime::{Tensor, along_dim};
///
/// let (x, mut out) = (Tensor::from_slice(&[1], &[1.0])?, Tensor::from_slice(&[1], &[0.0])?);
/// along_dim::unary(&x, &mut out, 0, |lane: ArrayView1<'_, f64>, _: ArrayViewMut1<'_, f64>| {
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
    let (ins, outs) = ([(input, T::DTYPE)], [(&*out, O::DTYPE)]);
    visit(&ins, &outs, dim, &|all, starts| {
        // SAFETY: the lanes are of these types, each target is used once, and the
        // caller vouches that nobody uses them meanwhile.
        unsafe { f(all[0].view(starts[0]), all[1].view_mut(starts[1])) }
    })
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
    let (ins, outs) = ([(input, T::DTYPE)], [(&*out.0, O::DTYPE), (&*out.1, P::DTYPE)]);
    visit(&ins, &outs, dim, &|all, starts| {
        // SAFETY: as in `unary`.
        unsafe { f(all[0].view(starts[0]), all[1].view_mut(starts[1]), all[2].view_mut(starts[2])) }
    })
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
    let (ins, outs) = ([(a, T::DTYPE), (b, U::DTYPE)], [(&*out, O::DTYPE)]);
    visit(&ins, &outs, dim, &|all, starts| {
        // SAFETY: as in `unary`.
        unsafe { f(all[0].view(starts[0]), all[1].view(starts[1]), all[2].view_mut(starts[2])) }
    })
}

/// Calls `f(lane, lane of the second input, lane of the third, lane of out)`.
///
/// # Errors
///
/// As [`unary`].
///
/// # Safety
///
/// As for [`unary`].
pub unsafe fn ternary<T: Element, U: Element, V: Element, O: Element>(
    (a, b, c): (&Tensor, &Tensor, &Tensor),
    out: &mut Tensor,
    dim: usize,
    f: impl Fn(
        ArrayView1<'_, T>,
        ArrayView1<'_, U>,
        ArrayView1<'_, V>,
        ArrayViewMut1<'_, O>,
    ) -> Result<()>
    + Sync,
) -> Result<()> {
    let (ins, outs) = ([(a, T::DTYPE), (b, U::DTYPE), (c, V::DTYPE)], [(&*out, O::DTYPE)]);
    visit(&ins, &outs, dim, &|all, starts| {
        // SAFETY: as in `unary`.
        unsafe {
            f(
                all[0].view(starts[0]),
                all[1].view(starts[1]),
                all[2].view(starts[2]),
                all[3].view_mut(starts[3]),
            )
        }
    })
}

/// Calls `f(lane, lane of the second input, lane of the first output, lane of the second)`.
///
/// # Errors
///
/// As [`unary`].
///
/// # Safety
///
/// As for [`unary`].
pub unsafe fn binary_pair<T: Element, U: Element, O: Element, P: Element>(
    a: &Tensor,
    b: &Tensor,
    out: (&mut Tensor, &mut Tensor),
    dim: usize,
    f: impl Fn(
        ArrayView1<'_, T>,
        ArrayView1<'_, U>,
        ArrayViewMut1<'_, O>,
        ArrayViewMut1<'_, P>,
    ) -> Result<()>
    + Sync,
) -> Result<()> {
    let ins = [(a, T::DTYPE), (b, U::DTYPE)];
    let outs = [(&*out.0, O::DTYPE), (&*out.1, P::DTYPE)];
    visit(&ins, &outs, dim, &|all, starts| {
        // SAFETY: as in `unary`.
        unsafe {
            f(
                all[0].view(starts[0]),
                all[1].view(starts[1]),
                all[2].view_mut(starts[2]),
                all[3].view_mut(starts[3]),
            )
        }
    })
}

/// What is done with each lane of all tensors: the tensors, and where their lanes start.
type LaneVisit<'a> = &'a (dyn Fn(&[Lanes<'_>], [*mut u8; MAX_LANES]) -> Result<()> + Sync);

/// Visits the lanes of inputs, which are brought to these dtypes, and of outputs, which have them. It
/// is compiled once for all dtypes.
fn visit(
    inputs: &[(&Tensor, DType)],
    outputs: &[(&Tensor, DType)],
    dim: usize,
    f: LaneVisit<'_>,
) -> Result<()> {
    let mut values = SmallVec::<[Tensor; 2]>::new();
    for (input, dtype) in inputs {
        values.push(input.to_values_of(*dtype)?);
    }
    let mut all = SmallVec::<[Lanes<'_>; MAX_LANES]>::new();
    for (input, (_, dtype)) in values.iter().zip(inputs) {
        all.push(Lanes::new(input, *dtype, dim)?);
    }
    for (out, dtype) in outputs {
        let lanes = Lanes::output(out, *dtype, dim, &all)?;
        all.push(lanes);
    }
    for_each_lane(&all, f)?;
    all[inputs.len()..].iter().for_each(Lanes::finish);
    Ok(())
}

/// The lanes of one tensor.
struct Lanes<'a> {
    tensor: &'a Tensor,
    start: *mut u8,
    length: usize,
    /// In elements.
    stride: isize,
    /// Sizes and strides, in bytes, of the other dimensions.
    others: SmallVec<[(i64, i64); 4]>,
    is_output: bool,
    /// Each lane is filled with zeros when its turn comes: it is in the cache then.
    is_unwritten: bool,
}

// SAFETY: lanes only say where elements are; each lane of an output is used by
// one thread.
unsafe impl Sync for Lanes<'_> {}

/// The most tensors of one kernel.
const MAX_LANES: usize = 4;

impl<'a> Lanes<'a> {
    fn new(tensor: &'a Tensor, dtype: DType, dim: usize) -> Result<Lanes<'a>> {
        Lanes::from(tensor, dtype, dim, tensor.data_ptr())
    }

    /// Those of a tensor whose first element is there.
    fn from(tensor: &'a Tensor, dtype: DType, dim: usize, start: *mut u8) -> Result<Lanes<'a>> {
        tensor.check_dtype_of(dtype)?;
        tensor.check_readable()?;
        let strides = if tensor.ndim() == 0 { &[1] } else { tensor.strides() };
        let (length, stride) = match (shape_of(tensor).get(dim), strides.get(dim)) {
            (Some(&length), Some(&stride)) => (length, stride as isize),
            _ => return Err(Error::out_of_range(format_args!("there is no dimension {dim}"))),
        };
        let others = others(tensor, dim, length);
        let (length, is_output, is_unwritten) = (length as usize, false, false);
        Ok(Lanes { tensor, start, length, stride, others, is_output, is_unwritten })
    }

    fn output(
        out: &'a Tensor,
        dtype: DType,
        dim: usize,
        others: &[Lanes<'_>],
    ) -> Result<Lanes<'a>> {
        out.check_writable()?;
        let is_dense = out.ndim() == 0 || out.strides().get(dim) == Some(&1);
        let unwritten = out.new_ptr().filter(|_| is_dense);
        let mut lanes = match unwritten {
            Some(start) => Lanes::from(out, dtype, dim, start)?,
            None => Lanes::new(out, dtype, dim)?,
        };
        (lanes.is_output, lanes.is_unwritten) = (true, unwritten.is_some());
        for other in others {
            let (one, two) = (shape_of(out), shape_of(other.tensor));
            ensure!(
                one.len() == two.len() && (0..one.len()).all(|it| it == dim || one[it] == two[it]),
                Runtime,
                "shapes {one:?} and {two:?} differ beside dimension {dim}"
            );
            if overlaps(out, other.tensor) != Overlap::No {
                return Err(partial_overlap());
            }
        }
        if !lanes.is_unwritten {
            out.make_values(dtype)?;
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
        for &(size, stride) in self.others.iter().skip(1).rev() {
            start = start.wrapping_offset((index as i64 % size * stride) as isize);
            index /= size as usize;
        }
        // The outermost dimension has what is left: nothing is divided if there is no other.
        let outermost = self.others.first().map_or(0, |&(_, stride)| stride);
        start.wrapping_offset((index as i64 * outermost) as isize)
    }

    /// # Safety
    ///
    /// `start` is from [`Lanes::lane`], `T` is the type of the elements, and
    /// nobody writes to them.
    unsafe fn view<'b, T: Element>(&self, start: *mut u8) -> ArrayView1<'b, T> {
        let (lowest, shape) = self.place(start, size_of::<T>());
        // SAFETY: as above; the elements of a lane are within the storage.
        let mut view = unsafe {
            RawArrayView::from_shape_ptr(shape, lowest.cast_const().cast()).deref_into_view()
        };
        if self.is_reversed() {
            view.invert_axis(Axis(0));
        }
        view
    }

    /// # Safety
    ///
    /// `start` is from [`Lanes::lane`], `O` is the type of the elements, and
    /// nobody else reads or writes them.
    unsafe fn view_mut<'b, O: Element>(&self, start: *mut u8) -> ArrayViewMut1<'b, O> {
        let (lowest, shape) = self.place(start, size_of::<O>());
        if self.is_unwritten {
            // SAFETY: the elements of such a lane lie side by side, and all zeros are a value.
            unsafe { lowest.write_bytes(0, self.length * size_of::<O>()) };
        }
        // SAFETY: as above; the elements of a lane are within the storage, and
        // none is reached twice.
        let mut view =
            unsafe { RawArrayViewMut::from_shape_ptr(shape, lowest.cast()).deref_into_view_mut() };
        if self.is_reversed() {
            view.invert_axis(Axis(0));
        }
        view
    }

    fn is_reversed(&self) -> bool {
        self.stride < 0 && self.length > 1
    }

    /// A lane as `ndarray` takes it: the lowest address, a stride without sign.
    fn place(&self, start: *mut u8, bytes: usize) -> (*mut u8, StrideShape<Ix1>) {
        let mut lowest = start;
        if self.is_reversed() {
            let last = (self.length as isize - 1) * self.stride;
            lowest = lowest.wrapping_offset(last * bytes as isize);
        }
        // A lane of one element may have any stride.
        let stride = if self.length > 1 { self.stride.unsigned_abs() } else { 1 };
        (lowest, (self.length,).strides((stride,)))
    }
}

/// A tensor without dimensions is one lane of one element.
fn shape_of(tensor: &Tensor) -> &[i64] {
    if tensor.ndim() == 0 { &[1] } else { tensor.shape() }
}

/// Sizes and strides, in bytes, of the dimensions beside that of the lanes, which have this length.
fn others(tensor: &Tensor, dim: usize, length: i64) -> SmallVec<[(i64, i64); 4]> {
    let mut others = SmallVec::new();
    let bytes = tensor.dtype().size() as i64;
    if tensor.is_contiguous() && dim + 1 >= tensor.ndim() && length > 0 {
        // One lane follows the other, however many dimensions there are.
        let count = tensor.numel() as i64 / length;
        if count != 1 {
            others.push((count, length * bytes));
        }
        return others;
    }
    for (at, (&size, &stride)) in tensor.shape().iter().zip(tensor.strides()).enumerate() {
        if at != dim {
            // A dimension of size one may have any stride.
            others.push((size, if size > 1 { stride.saturating_mul(bytes) } else { 0 }));
        }
    }
    others
}

/// Calls `f` with the start of each lane, in all tensors.
fn for_each_lane(all: &[Lanes<'_>], f: LaneVisit<'_>) -> Result<()> {
    // However many lanes there are, nothing would be written.
    if all.iter().all(|it| it.length == 0 || !it.is_output) {
        return Ok(());
    }
    let count = all[0].others.iter().map(|&(size, _)| size).product::<i64>() as usize;
    let weight = all.iter().map(|it| it.length).max().unwrap_or(1);
    try_share(count, weight, &|range| {
        for index in range {
            let mut starts = [std::ptr::null_mut(); MAX_LANES];
            for (start, lanes) in starts.iter_mut().zip(all) {
                *start = lanes.lane(index);
            }
            f(all, starts)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::unary;
    use crate::{DType, Device, Tensor};

    #[test]
    fn each_lane_has_its_turn() {
        for (shape, dim, expected) in [
            (&[][..], 0, 1),
            (&[5], 0, 1),
            (&[2, 3, 4], 2, 6),
            (&[2, 3, 4], 1, 8),
            (&[0, 4], 1, 0),
            (&[2, 0, 4], 2, 0),
        ] {
            let [input, mut out] = [0, 1].map(|_| {
                Tensor::allocate(shape, DType::Float32, Device::Cpu).expect("there is memory")
            });
            let count = AtomicUsize::new(0);
            // SAFETY: the function uses nothing but its lanes.
            let done = unsafe {
                unary::<f32, f32>(&input, &mut out, dim, |lane, mut out| {
                    out.assign(&lane);
                    count.fetch_add(1, Ordering::Relaxed);
                    Ok(())
                })
            };
            assert!(done.is_ok() && count.into_inner() == expected, "{shape:?} {dim}");
        }
    }
}
