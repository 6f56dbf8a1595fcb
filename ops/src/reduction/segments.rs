//! Reductions of segments: neighbours along a dimension, which come to one element each.
//!
//! Segments are given by their lengths, or by where each begins and the last one ends. Both become
//! offsets in memory that nobody else has, and are checked there before an element is read.

use ndarray::{ArrayView1, ArrayViewMut1, s};
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::{Element, Float, Ordered};
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::op::variant;
use opwright_runtime::structured::common_device;
use opwright_runtime::{
    DType, ReductionType, Result, Scalar, Spec, Tensor, along_dim, buffer, dispatch, ensure, fail,
    interrupt, view,
};

use super::extremes::{greater, lesser};
use crate::gradient::check_saved;
use crate::indexing::scatter_reduce::neutral;
use crate::ops::{self, TensorOps};

#[native_op(segment_reduce.out, rule)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn segment_reduce_rule(
    data: &Tensor,
    reduce: &str,
    lengths: Option<&Tensor>,
    indices: Option<&Tensor>,
    offsets: Option<&Tensor>,
    axis: i64,
    _unsafe: bool,
    initial: Option<Scalar>,
) -> Result<Spec> {
    ensure!(
        indices.is_none(),
        Runtime,
        "segment_reduce(): indices based reduction is not supported yet."
    );
    SegmentReduction::new(reduce, initial)?;
    let segments = Segments::new(data, lengths, offsets, axis)?;
    let device = common_device(&[data, segments.bounds])?;
    Ok(Spec::new(&segments.reduced_shape(data), data.dtype(), device))
}

#[native_op(segment_reduce.out)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn segment_reduce_out(
    data: &Tensor,
    reduce: &str,
    lengths: Option<&Tensor>,
    _indices: Option<&Tensor>,
    offsets: Option<&Tensor>,
    axis: i64,
    r#unsafe: bool,
    initial: Option<Scalar>,
    out: &mut Tensor,
) -> Result<()> {
    let segments = Segments::new(data, lengths, offsets, axis)?;
    let reduction = SegmentReduction::new(reduce, initial)?;
    let offsets = segments.offsets(data, !r#unsafe)?;
    dispatch!(data.dtype(), "segment_reduce", calculated floating, |T| {
        let write = |out: &mut Tensor| {
            // SAFETY: the function uses nothing but its lanes, and threads that share a tensor leave
            // it alone while an operator uses it.
            unsafe {
                along_dim::binary::<T, i64, T>(data, &offsets, out, segments.axis, |a, b, c| {
                    reduction.write(a, b, c)
                })
            }
        };
        written(out, T::DTYPE, write)
    })
}

/// Lets something write elements of this dtype.
fn written(
    out: &mut Tensor,
    dtype: DType,
    write: impl FnOnce(&mut Tensor) -> Result<()>,
) -> Result<()> {
    if out.dtype() == dtype {
        return write(out);
    }
    let mut found = Tensor::allocate(out.shape(), dtype, out.device())?;
    write(&mut found)?;
    out.copy_from(&found)
}

/// The segments along a dimension, by their lengths or by offsets.
struct Segments<'a> {
    bounds: &'a Tensor,
    are_offsets: bool,
    axis: usize,
}

impl<'a> Segments<'a> {
    /// Fails unless they go with the data; numbers are not looked at.
    fn new(
        data: &Tensor,
        lengths: Option<&'a Tensor>,
        offsets: Option<&'a Tensor>,
        axis: i64,
    ) -> Result<Segments<'a>> {
        let axis = wrap_dim(axis, data.ndim())?;
        let (bounds, name) = match (offsets, lengths) {
            (Some(offsets), _) => (offsets, "offsets"),
            (None, Some(lengths)) => (lengths, "lengths"),
            (None, None) => {
                fail!(Runtime, "segment_reduce(): Either lengths or offsets must be defined.")
            }
        };
        for (tensor, fits) in [
            (data, data.dtype().is_floating()),
            (bounds, matches!(bounds.dtype(), DType::Int32 | DType::Int64)),
        ] {
            if !fits {
                return Err(tensor.dtype().unsupported("segment_reduce"));
            }
        }
        ensure!(
            axis + 1 == bounds.ndim() && axis < data.ndim(),
            Runtime,
            "segment_reduce(): Expected axis to be the last dimension of {name} but got {axis}."
        );
        ensure!(
            bounds.shape()[..axis] == data.shape()[..axis],
            Runtime,
            "segment_reduce(): Expected {name} of shape {:?} to have the first {axis} sizes of data of \
             shape {:?}",
            bounds.shape(),
            data.shape()
        );
        let are_offsets = offsets.is_some();
        ensure!(
            !are_offsets || bounds.shape()[axis] > 0,
            Runtime,
            "segment_reduce(): Expected offsets to have an element more than there are segments, but \
             got none"
        );
        Ok(Segments { bounds, are_offsets, axis })
    }

    fn count(&self) -> i64 {
        self.bounds.shape()[self.axis] - i64::from(self.are_offsets)
    }

    /// With the segments in place of their elements.
    fn reduced_shape(&self, data: &Tensor) -> Vec<i64> {
        let mut shape = data.shape().to_vec();
        shape[self.axis] = self.count();
        shape
    }

    /// Where each segment begins and the last one ends, for each lane of the data. All are within it
    /// and none lies before the one in front; `is_whole` says that lengths have to add up to the size.
    fn offsets(&self, data: &Tensor, is_whole: bool) -> Result<Tensor> {
        let size = data.shape()[self.axis];
        let count = self.count() as usize + 1;
        let given = self.bounds.to_vec::<i64>()?;
        let offsets = if self.are_offsets {
            for row in given.chunks_exact(count) {
                check_offsets(row, size)?;
            }
            given
        } else {
            let rows = data.shape()[..self.axis].iter().product::<i64>() as usize;
            offsets_of(&given, rows, count - 1, size, is_whole)?
        };
        let mut shape = data.shape().to_vec();
        shape[self.axis] = count as i64;
        let expanded = shape.clone();
        shape[self.axis + 1..].fill(1);
        view::expand(&Tensor::from_vec(&shape, offsets)?, &expanded)
    }
}

/// Fails unless offsets rise within the data.
fn check_offsets(offsets: &[i64], size: i64) -> Result<()> {
    let is_within = |it: &i64| (0..=size).contains(it);
    ensure!(
        offsets.is_sorted() && offsets.iter().all(is_within),
        Runtime,
        "segment_reduce(): Expected offsets from 0 to {size}, none of which is less than the one before"
    );
    Ok(())
}

/// Offsets of segments of these lengths, for each row of them.
fn offsets_of(
    lengths: &[i64],
    rows: usize,
    count: usize,
    size: i64,
    is_whole: bool,
) -> Result<Vec<i64>> {
    let mut offsets = buffer::with_capacity(rows.saturating_mul(count + 1))?;
    for row in 0..rows {
        let mut end = 0;
        offsets.push(end);
        for &length in &lengths[row * count..][..count] {
            ensure!(length >= 0, Runtime, "lengths contains negative value!");
            // No sum is so great that the next one overflows: it is at most the size.
            ensure!(
                length <= size - end,
                Runtime,
                "segment_reduce(): Expected all rows of lengths along axis to sum to \
                 data.size(lengths.dim()-1), which is {size}, but one has a greater sum"
            );
            end += length;
            offsets.push(end);
        }
        ensure!(
            end == size || !is_whole,
            Runtime,
            "segment_reduce(): Expected all rows of lengths along axis to sum to \
             data.size(lengths.dim()-1), which is {size}, when !unsafe, but one has the sum {end}"
        );
    }
    Ok(offsets)
}

/// How the elements of a segment are combined, and with what.
#[derive(Clone, Copy)]
struct SegmentReduction {
    kind: ReductionType,
    initial: Option<f64>,
}

impl SegmentReduction {
    fn new(word: &str, initial: Option<Scalar>) -> Result<SegmentReduction> {
        let kind = match word {
            "max" => ReductionType::Amax,
            "min" => ReductionType::Amin,
            _ => variant(word)?,
        };
        Ok(SegmentReduction { kind, initial: initial.map(Scalar::to_f64).transpose()? })
    }

    /// What the elements are combined with.
    fn start(self) -> Result<f64> {
        self.initial.map_or_else(|| neutral(self.kind, DType::Float64).to_f64(), Ok)
    }

    /// Writes what each segment of a lane comes to.
    fn write<T: Element + Float>(
        self,
        values: ArrayView1<'_, T>,
        offsets: ArrayView1<'_, i64>,
        mut found: ArrayViewMut1<'_, T>,
    ) -> Result<()> {
        let start = self.start()?;
        for (bounds, found) in interrupt::checked(offsets.windows(2).into_iter().zip(&mut found)) {
            let segment = values.slice(s![bounds[0] as usize..bounds[1] as usize]);
            *found = self.reduced(start, segment).cast();
        }
        Ok(())
    }

    /// What a segment comes to.
    fn reduced<T: Element + Float>(self, start: f64, segment: ArrayView1<'_, T>) -> f64 {
        let values = interrupt::checked(segment.iter().map(|it| it.as_f64()));
        match self.kind {
            ReductionType::Sum => values.fold(start, |sum, it| sum + it),
            ReductionType::Mean if segment.is_empty() => self.initial.unwrap_or(f64::NAN),
            ReductionType::Mean => values.fold(start, |sum, it| sum + it) / segment.len() as f64,
            ReductionType::Prod => values.fold(start, |product, it| product * it),
            ReductionType::Amax => values.fold(start, greater),
            ReductionType::Amin => values.fold(start, lesser),
        }
    }

    /// Writes the gradient of each element of a lane, from those of the segments.
    fn write_slopes<T: Element + Float>(
        self,
        values: ArrayView1<'_, T>,
        offsets: ArrayView1<'_, i64>,
        grads: ArrayView1<'_, T>,
        mut slopes: ArrayViewMut1<'_, T>,
    ) -> Result<()> {
        slopes.fill(T::ZERO);
        let start = self.start()?;
        for (bounds, grad) in interrupt::checked(offsets.windows(2).into_iter().zip(grads)) {
            let part = s![bounds[0] as usize..bounds[1] as usize];
            let (segment, mut slopes) = (values.slice(part), slopes.slice_mut(part));
            match self.kind {
                ReductionType::Sum => slopes.fill(*grad),
                ReductionType::Mean => {
                    slopes.fill((grad.as_f64() / segment.len() as f64).cast());
                }
                ReductionType::Prod => write_products(start, segment, *grad, slopes)?,
                ReductionType::Amax | ReductionType::Amin => {
                    let extreme: T = self.reduced(start, segment).cast();
                    write_shares(extreme, segment, *grad, slopes);
                }
            }
        }
        Ok(())
    }
}

/// To each element that is the extreme one an equal share.
fn write_shares<T: Element + Float>(
    extreme: T,
    segment: ArrayView1<'_, T>,
    grad: T,
    mut slopes: ArrayViewMut1<'_, T>,
) {
    let is_extreme = |it: T| it == extreme || Ordered::is_nan(it);
    let count = segment.iter().filter(|it| is_extreme(**it)).count();
    let share = (grad.as_f64() / count as f64).cast();
    for (slope, &value) in slopes.iter_mut().zip(segment) {
        if is_extreme(value) {
            *slope = share;
        }
    }
}

/// To each factor the product of all others. Those behind it are multiplied first, since one divides
/// by no zero.
fn write_products<T: Element + Float>(
    start: f64,
    segment: ArrayView1<'_, T>,
    grad: T,
    mut slopes: ArrayViewMut1<'_, T>,
) -> Result<()> {
    let mut behind = buffer::filled(segment.len(), 1.0)?;
    let mut product = 1.0;
    for (slot, value) in behind.iter_mut().zip(segment).rev() {
        *slot = product;
        product *= value.as_f64();
    }
    let mut before = start;
    for ((slope, value), behind) in slopes.iter_mut().zip(segment).zip(behind) {
        *slope = (grad.as_f64() * (before * behind)).cast();
        before *= value.as_f64();
    }
    Ok(())
}

#[native_op(_segment_reduce_backward.out, rule)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn segment_reduce_backward_rule(
    grad: &Tensor,
    output: &Tensor,
    data: &Tensor,
    reduce: &str,
    lengths: Option<&Tensor>,
    offsets: Option<&Tensor>,
    axis: i64,
    initial: Option<Scalar>,
) -> Result<Spec> {
    SegmentReduction::new(reduce, initial)?;
    let segments = Segments::new(data, lengths, offsets, axis)?;
    let shape = segments.reduced_shape(data);
    check_saved(data, "grad", Some(grad), &shape)?;
    check_saved(data, "output", Some(output), &shape)?;
    let device = common_device(&[data, segments.bounds])?;
    Ok(Spec::new(data.shape(), data.dtype(), device))
}

#[native_op(_segment_reduce_backward.out)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn segment_reduce_backward_out(
    grad: &Tensor,
    _output: &Tensor,
    data: &Tensor,
    reduce: &str,
    lengths: Option<&Tensor>,
    offsets: Option<&Tensor>,
    axis: i64,
    initial: Option<Scalar>,
    out: &mut Tensor,
) -> Result<()> {
    let segments = Segments::new(data, lengths, offsets, axis)?;
    let reduction = SegmentReduction::new(reduce, initial)?;
    let offsets = segments.offsets(data, false)?;
    dispatch!(data.dtype(), "segment_reduce", calculated floating, |T| {
        let write = |out: &mut Tensor| {
            let inputs = (data, &offsets, grad);
            // SAFETY: the function uses nothing but its lanes, and threads that share a tensor leave
            // it alone while an operator uses it.
            unsafe {
                along_dim::ternary::<T, i64, T, T>(inputs, out, segments.axis, |a, b, c, d| {
                    reduction.write_slopes(a, b, c, d)
                })
            }
        };
        written(out, T::DTYPE, write)
    })
}

/// Of the gradient of the result, which each element of a segment has multiplied with its slope.
#[gradient_helper]
#[allow(clippy::too_many_arguments, reason = "as many as the operator has")]
pub(crate) fn segment_reduce_double_backward(
    grad: &Tensor,
    output: &Tensor,
    data: &Tensor,
    reduce: &str,
    lengths: Option<&Tensor>,
    offsets: Option<&Tensor>,
    axis: i64,
    initial: Option<Scalar>,
) -> Result<Tensor> {
    let ones = ops::ones_like::Default_::call(output, None, None, None, None, None)?;
    let slopes = ops::_segment_reduce_backward::Default_::call(
        &ones, output, data, reduce, lengths, offsets, axis, initial,
    )?;
    let products = grad.mul(&slopes)?;
    ops::segment_reduce::Default_::call(&products, "sum", lengths, None, offsets, axis, true, None)
}

/// Of the data whose slopes were taken: they depend on it in products alone.
#[gradient_helper]
pub(crate) fn segment_reduce_slopes_backward(grad: &Tensor, reduce: &str) -> Result<Tensor> {
    ensure!(
        reduce != "prod",
        NotImplemented,
        "the second gradient of products of segments is not implemented"
    );
    ops::zeros_like::Default_::call(grad, None, None, None, None, None)
}
