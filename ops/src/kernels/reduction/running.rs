//! Reductions that keep every intermediate result.

use std::mem::MaybeUninit;
use std::ops::Range;

use ndarray::{ArrayView1, ArrayViewMut1};
use num_complex::Complex;
use opwright_macros::native_op;
use opwright_runtime::dtype::{Number, Ordered};
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::parallel::{Pointer, share};
use opwright_runtime::structured::Spec;
use opwright_runtime::tensor::{Overlap, overlaps};
use opwright_runtime::{
    DType, Element, Result, Tensor, bf16, dispatch, dtype_rows, f16, interrupt, lanes,
    multiversion, warning,
};

use super::logsumexp::{Exponent, Exponentials};
use super::space::check_ordered;
use super::sums::total_dtype;

/// A number, and what running totals of it are kept in: there is no tree of
/// partial sums here to keep rounding errors small.
trait Running: Element + Number {
    type Total: Element + Number;
}

macro_rules! running {
    ($($ty:ty => $total:ty;)*) => {$(
        impl Running for $ty {
            type Total = $total;
        }
    )*};
}

macro_rules! integers {
    ({} boolean $b:tt narrow { $($narrow:tt)* } wide { $($wide:tt)* } $($others:tt)*) => {
        integers! { $($narrow)* $($wide)* }
    };
    ($($(#[$about:meta])* $dtype:ident: $ty:ty = $number:literal $row:tt)*) => {
        running! { $($ty => $ty;)* }
    };
}

dtype_rows! { integers {} }

running! {
    f16 => f64;
    bf16 => f64;
    f32 => f64;
    f64 => f64;
    Complex<f32> => Complex<f64>;
    Complex<f64> => Complex<f64>;
}

#[native_op(cumsum.out, rule)]
fn total_rule(self_: &Tensor, dim: i64, dtype: Option<DType>) -> Result<Spec> {
    wrap_dim(dim, self_.ndim())?;
    let result = dtype.unwrap_or(total_dtype(self_.dtype()));
    if result.is_boolean() {
        return Err(result.unsupported("cumulative"));
    }
    let spec = Spec::like(self_).with_dtype(result);
    Ok(if dtype.is_some() { spec } else { spec.casting() })
}

/// Writes what `next` makes of the total so far and each element.
fn run<T: Running>(
    input: &Tensor,
    dim: usize,
    out: &mut Tensor,
    start: T::Total,
    next: impl Fn(T::Total, T::Total) -> T::Total + Sync,
) -> Result<()> {
    let is_dense = input.is_contiguous() && out.is_contiguous() && input.shape() == out.shape();
    let is_apart = input.dtype() == T::DTYPE && overlaps(input, out) == Overlap::No;
    if !is_dense || !is_apart || input.ndim() == 0 || input.numel() == 0 {
        return run_lanes::<T>(input, dim, out, start, next);
    }
    let length = input.shape()[dim] as usize;
    let width = input.shape()[dim + 1..].iter().product::<i64>() as usize;
    if width > 1 {
        return run_dense::<T>(input, out, length * width, 1, |from, to| {
            columns(from, to, width, start, &next);
        });
    }
    run_dense::<T>(input, out, length, ROWS, |from, to| {
        if from.len() == ROWS * length {
            return rows(from, to, start, &next);
        }
        for (from, to) in from.chunks_exact(length).zip(to.chunks_exact_mut(length)) {
            row(from, to, start, &next);
        }
    })
}

/// Calls `f` with so many parts of a contiguous tensor at once, or with those that are left, and
/// with what is written for them: all of it.
fn run_dense<T: Running>(
    input: &Tensor,
    out: &mut Tensor,
    length: usize,
    parts: usize,
    f: impl Fn(&[T], &mut [MaybeUninit<T>]) + Sync,
) -> Result<()> {
    let (total, size) = (input.numel(), length * parts);
    let part = |index: usize| index * size..total.min((index + 1) * size);
    // SAFETY: the output is other memory, all of which is written, and threads that share a tensor
    // leave it alone while an operator uses it.
    unsafe {
        let from = input.as_slice::<T>()?;
        let mut to = out.overwrite_view::<T>()?;
        let to = Pointer(to.as_mut_ptr());
        share(total.div_ceil(size), size, &|range| {
            for Range { start, end } in range.map(part) {
                let to = std::slice::from_raw_parts_mut(to.at(start as isize), end - start);
                f(&from[start..end], to);
            }
        });
        out.assume_written();
    }
    Ok(())
}

/// As [`run`], of elements that lie anyhow.
fn run_lanes<T: Running>(
    input: &Tensor,
    dim: usize,
    out: &mut Tensor,
    start: T::Total,
    next: impl Fn(T::Total, T::Total) -> T::Total + Sync,
) -> Result<()> {
    // SAFETY: the function uses nothing but its lanes, and threads that share a
    // tensor leave it alone while an operator uses it.
    unsafe {
        lanes::unary(input, out, dim, |lane: ArrayView1<'_, T>, mut out: ArrayViewMut1<'_, T>| {
            let mut total = start;
            for (i, (slot, value)) in out.iter_mut().zip(lane).enumerate() {
                interrupt::check_at(i);
                total = next(total, value.cast());
                *slot = total.cast();
            }
            Ok(())
        })
    }
}

/// So many rows have totals at once: one addition does not wait for another.
const ROWS: usize = 4;

/// So many elements of each row are added before those of the next one: a processor looks ahead
/// farther than that.
const STEP: usize = 8;

/// So many columns have totals at once.
const COLUMNS: usize = 1024;

/// How many elements of a row are added between two checks for an interrupt.
const BETWEEN_CHECKS: usize = 1 << 16;

multiversion! {
    /// Runs along rows, of which there are so many.
    wide fn rows<T, F>(from: &[T], to: &mut [MaybeUninit<T>], start: T::Total, next: &F)
    where
        [T: Running, F: Fn(T::Total, T::Total) -> T::Total]
    {
        let length = from.len() / ROWS;
        let from: [&[T]; ROWS] = std::array::from_fn(|row| &from[row * length..][..length]);
        let mut slots = to.chunks_exact_mut(length);
        let mut to: [&mut [_]; ROWS] = std::array::from_fn(|_| slots.next().unwrap_or_default());
        let mut totals = [start; ROWS];
        for at in (0..length).step_by(STEP) {
            interrupt::check_at(at + STEP);
            let step = at..length.min(at + STEP);
            for ((total, from), to) in totals.iter_mut().zip(from).zip(&mut to) {
                *total = run_on(&from[step.clone()], &mut to[step.clone()], *total, next);
            }
        }
    }

    /// Runs down columns, of which there are `width`.
    wide fn columns<T, F>(
        from: &[T],
        to: &mut [MaybeUninit<T>],
        width: usize,
        start: T::Total,
        next: &F,
    )
    where
        [T: Running, F: Fn(T::Total, T::Total) -> T::Total]
    {
        for first in (0..width).step_by(COLUMNS) {
            let count = COLUMNS.min(width - first);
            let mut totals = [start; COLUMNS];
            let both = from.chunks_exact(width).zip(to.chunks_exact_mut(width));
            for (row, (from, to)) in both.enumerate() {
                interrupt::check_at((row + 1) * COLUMNS);
                let (from, to) = (&from[first..][..count], &mut to[first..][..count]);
                for ((total, value), slot) in totals.iter_mut().zip(from).zip(to) {
                    *total = next(*total, value.cast());
                    slot.write(total.cast());
                }
            }
        }
    }
}

/// Runs along one row.
fn row<T: Running>(
    from: &[T],
    to: &mut [MaybeUninit<T>],
    start: T::Total,
    next: &impl Fn(T::Total, T::Total) -> T::Total,
) {
    let parts = from.chunks(BETWEEN_CHECKS).zip(to.chunks_mut(BETWEEN_CHECKS));
    parts.fold(start, |total, (from, to)| {
        interrupt::check_at(from.len());
        run_on(from, to, total, next)
    });
}

/// Goes on from a total: the one that is reached.
#[inline(always)]
fn run_on<T: Running>(
    from: &[T],
    to: &mut [MaybeUninit<T>],
    start: T::Total,
    next: &impl Fn(T::Total, T::Total) -> T::Total,
) -> T::Total {
    from.iter().zip(to).fold(start, |total, (value, slot)| {
        let total = next(total, value.cast());
        slot.write(total.cast());
        total
    })
}

#[native_op(cumsum.out)]
fn cumsum_out(self_: &Tensor, dim: i64, _dtype: Option<DType>, out: &mut Tensor) -> Result<()> {
    let dim = wrap_dim(dim, self_.ndim())?;
    warning::check_cast(self_.dtype(), out.dtype());
    dispatch!(out.dtype(), "cumsum", number, |T| {
        run::<T>(self_, dim, out, <T as Running>::Total::ZERO, Number::plus)
    })
}

#[native_op(cumprod.out)]
fn cumprod_out(self_: &Tensor, dim: i64, _dtype: Option<DType>, out: &mut Tensor) -> Result<()> {
    let dim = wrap_dim(dim, self_.ndim())?;
    warning::check_cast(self_.dtype(), out.dtype());
    dispatch!(out.dtype(), "cumprod", number, |T| {
        run::<T>(self_, dim, out, <T as Running>::Total::ONE, Number::times)
    })
}

/// The greatest elements so far along `dim`, and where they were last found, as
/// a named tuple `(values, indices)`. From a NaN on, all are NaN.
///
/// ```python
/// >>> opwright.cummax(opwright.tensor([1, 3, 2, 3]), dim=0)
/// cummax(values=tensor([1, 3, 3, 3], dtype=int64, shape=(4,)), indices=tensor([0, 1, 1, 3], dtype=int64, shape=(4,)))
/// ```
#[native_op(
    "cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)",
    key = CPU | Meta,
    variants = "function, method",
    out
)]
fn cummax(self_: &Tensor, dim: i64) -> Result<(Tensor, Tensor)> {
    let (mut values, mut indices) = allocate_pair(self_, dim)?;
    if !values.device().is_meta() {
        dispatch!(self_.dtype(), "cummax", ordered, |T| {
            record::<T>(self_, dim, (&mut values, &mut indices), |a, b| a >= b)
        })?;
    }
    Ok((values, indices))
}

/// The least elements so far along `dim`, and where they were last found, as a
/// named tuple `(values, indices)`. From a NaN on, all are NaN.
///
/// ```python
/// >>> opwright.cummin(opwright.tensor([3, 1, 2, 1]), dim=0)
/// cummin(values=tensor([3, 1, 1, 1], dtype=int64, shape=(4,)), indices=tensor([0, 1, 1, 3], dtype=int64, shape=(4,)))
/// ```
#[native_op(
    "cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)",
    key = CPU | Meta,
    variants = "function, method",
    out
)]
fn cummin(self_: &Tensor, dim: i64) -> Result<(Tensor, Tensor)> {
    let (mut values, mut indices) = allocate_pair(self_, dim)?;
    if !values.device().is_meta() {
        dispatch!(self_.dtype(), "cummin", ordered, |T| {
            record::<T>(self_, dim, (&mut values, &mut indices), |a, b| a <= b)
        })?;
    }
    Ok((values, indices))
}

fn allocate_pair(input: &Tensor, dim: i64) -> Result<(Tensor, Tensor)> {
    wrap_dim(dim, input.ndim())?;
    check_ordered(input)?;
    let values = Tensor::allocate(input.shape(), input.dtype(), input.device())?;
    let indices = Tensor::allocate(input.shape(), DType::Int64, input.device())?;
    Ok((values, indices))
}

/// Writes the best element so far, and where it is.
fn record<T: Element + Ordered>(
    input: &Tensor,
    dim: i64,
    out: (&mut Tensor, &mut Tensor),
    is_as_good: impl Fn(T, T) -> bool + Sync,
) -> Result<()> {
    let dim = wrap_dim(dim, input.ndim())?;
    // SAFETY: the function uses nothing but its lanes, and threads that share a
    // tensor leave it alone while an operator uses it.
    unsafe {
        lanes::unary_pair(
            input,
            out,
            dim,
            |lane: ArrayView1<'_, T>,
             mut values: ArrayViewMut1<'_, T>,
             mut places: ArrayViewMut1<'_, i64>| {
                let mut best: Option<(T, i64)> = None;
                for (i, &value) in lane.iter().enumerate() {
                    interrupt::check_at(i);
                    let found = match best {
                        Some((earlier, _))
                            if value.is_not_a_number() || earlier.is_not_a_number() =>
                        {
                            value.is_not_a_number()
                        }
                        Some((earlier, _)) => is_as_good(value, earlier),
                        None => true,
                    };
                    let (value, place) =
                        if found { (value, i as i64) } else { best.unwrap_or((value, 0)) };
                    best = Some((value, place));
                    (values[i], places[i]) = (value, place);
                }
                Ok(())
            },
        )
    }
}

/// The logarithm of the running sum of exponentials along `dim`, without
/// overflow. Integers give the default dtype.
///
/// ```python
/// >>> opwright.logcumsumexp(opwright.tensor([0.0, 0.0, 0.0]), dim=0)
/// tensor([0.0000, 0.6931, 1.0986], dtype=float32, shape=(3,))
/// ```
#[native_op(
    "logcumsumexp(Tensor self, int dim) -> Tensor",
    key = CPU | Meta,
    variants = "function, method",
    out
)]
fn logcumsumexp(self_: &Tensor, dim: i64) -> Result<Tensor> {
    let dim = wrap_dim(dim, self_.ndim())?;
    let dtype = self_.dtype().to_floating();
    let mut out = Tensor::allocate(self_.shape(), dtype, self_.device())?;
    if !out.device().is_meta() {
        if dtype.is_complex_number() {
            dispatch!(dtype, "logcumsumexp", complex_number, |T| {
                logcumsumexp_into::<T, Complex<f64>>(self_, dim, &mut out)
            })?;
        } else {
            dispatch!(dtype, "logcumsumexp", floating, |T| {
                logcumsumexp_into::<T, f64>(self_, dim, &mut out)
            })?;
        }
    }
    Ok(out)
}

fn logcumsumexp_into<T: Element, S: Exponent>(
    input: &Tensor,
    dim: usize,
    out: &mut Tensor,
) -> Result<()> {
    // SAFETY: the function uses nothing but its lanes, and threads that share a
    // tensor leave it alone while an operator uses it.
    unsafe {
        lanes::unary(input, out, dim, |lane: ArrayView1<'_, T>, mut out: ArrayViewMut1<'_, T>| {
            let mut total = Exponentials::<S>::none();
            for (i, (slot, value)) in out.iter_mut().zip(lane).enumerate() {
                interrupt::check_at(i);
                total = total.joined(Exponentials::of(value.cast()));
                *slot = T::cast_from(total.logarithm());
            }
            Ok(())
        })
    }
}
