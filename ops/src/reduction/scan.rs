//! Scans such as `cumsum` and `cummax`: reductions that keep every intermediate result.

use std::mem::MaybeUninit;

use ndarray::{ArrayView1, ArrayViewMut1};
use num_complex::Complex;
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::{Number, Ordered};
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::parallel::share;
use opwright_runtime::structured::Spec;
use opwright_runtime::{
    DType, Element, Result, Scalar, Tensor, along_dim, bf16, dispatch, dtype_rows, f16, interrupt,
    multiversion, warning,
};

use super::argreduce::{Choice, Greatest, Least};
use super::logsumexp::{Exponent, Exponentials};
use super::runs::{Bytes, Runs, Target, values_of};
use super::space::check_ordered;
use super::sums::total_dtype;
use crate::gradient::{part, product_before, zeros};
use crate::ops::{self, TensorOps};
use crate::reduction::gradient::ratio_of_exponentials;

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

/// How totals go on.
trait Step: Copy + Default {
    fn start<T: Number>() -> T;
    fn next<T: Number>(total: T, value: T) -> T;
}

#[derive(Clone, Copy, Default)]
struct Sums;

#[derive(Clone, Copy, Default)]
struct Products;

impl Step for Sums {
    #[inline(always)]
    fn start<T: Number>() -> T {
        T::ZERO
    }
    #[inline(always)]
    fn next<T: Number>(total: T, value: T) -> T {
        total.plus(value)
    }
}

impl Step for Products {
    #[inline(always)]
    fn start<T: Number>() -> T {
        T::ONE
    }
    #[inline(always)]
    fn next<T: Number>(total: T, value: T) -> T {
        total.times(value)
    }
}

/// What is compiled for a dtype and a step. All that is around it sees elements as bytes.
///
/// Each takes elements, where totals go, and the length of the dimension.
struct Loops {
    /// So many rows, at most [`ROWS`].
    rows: unsafe fn(*const u8, *mut u8, usize, usize),
    /// So many columns.
    columns: unsafe fn(*const u8, *mut u8, usize, usize),
    /// One line, of elements at these distances in bytes.
    line: unsafe fn(*const u8, *mut u8, usize, [isize; 2]),
}

impl Loops {
    fn new<T: Running, S: Step>() -> Loops {
        Loops { rows: rows::<T, S>, columns: columns::<T, S>, line: line::<T, S> }
    }

    /// Writes totals along a dimension, of the dtype of the output.
    fn run(&self, input: &Tensor, dim: usize, out: &mut Tensor) -> Result<()> {
        let dtype = out.dtype();
        let input = if input.dtype() == dtype { input.clone() } else { input.to_dtype(dtype)? };
        let input = values_of(&input)?;
        let target = Target::new(out, &input, dtype)?;
        if input.is_contiguous() && input.ndim() > 0 {
            self.run_dense(&input, dim, target.first());
        } else {
            self.run_lines(&input, dim, &target);
        }
        target.finish()
    }

    /// Of neighbours, with results that are neighbours.
    fn run_dense(&self, input: &Tensor, dim: usize, to: Bytes) {
        let (total, length) = (input.numel(), input.shape()[dim] as usize);
        let width = input.shape()[dim + 1..].iter().product::<i64>() as usize;
        let (from, bytes) = (Bytes(input.data_ptr()), input.dtype().size());
        if total == 0 {
            return;
        }
        let size = length * if width > 1 { width } else { ROWS };
        share(total.div_ceil(size), size, &|range| {
            for start in range.map(|part| part * size) {
                let (from, to) = (from.at(start * bytes), to.at(start * bytes));
                let rows = size.min(total - start) / length;
                // SAFETY: each part has as many elements, and results of its own.
                unsafe {
                    match width > 1 {
                        true => (self.columns)(from, to, length, width),
                        false => (self.rows)(from, to, length, rows),
                    }
                }
            }
        });
    }

    /// Of elements that lie anyhow.
    fn run_lines(&self, input: &Tensor, dim: usize, target: &Target<'_>) {
        let from = Runs::new(input, dim, Bytes(input.data_ptr()));
        let to = Runs::new(target.target(), dim, target.first());
        share(from.count, from.length, &|range| {
            for index in range {
                let strides = [from.stride, to.stride];
                // SAFETY: the lines are elements of the input, and each has results of its own.
                unsafe { (self.line)(from.start(index), to.start(index), from.length, strides) };
            }
        });
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

/// # Safety
///
/// There are so many rows of so many elements, at most [`ROWS`], and room for them elsewhere.
unsafe fn rows<T: Running, S: Step>(from: *const u8, to: *mut u8, length: usize, count: usize) {
    let (from, to, size) = (from.cast::<T>(), to.cast::<MaybeUninit<T>>(), length * count);
    // SAFETY: as above.
    unsafe {
        if count == ROWS {
            let from = std::slice::from_raw_parts(from, size);
            return all_rows(from, std::slice::from_raw_parts_mut(to, size), S::default());
        }
        let mut first = 0;
        while first < size {
            let (mut total, mut at) = (S::start(), 0);
            while at < length {
                let count = BETWEEN_CHECKS.min(length - at);
                interrupt::check_at(count);
                let from = std::slice::from_raw_parts(from.add(first + at), count);
                let to = std::slice::from_raw_parts_mut(to.add(first + at), count);
                total = one_row::<T, S>(from, to, total);
                at += count;
            }
            first += length;
        }
    }
}

/// Goes on along a row. What is written is other memory, as the compiler learns from the parameters.
fn one_row<T: Running, S: Step>(
    from: &[T],
    to: &mut [MaybeUninit<T>],
    total: T::Total,
) -> T::Total {
    // SAFETY: both have as many elements.
    unsafe { run_on::<T, S>(from.as_ptr(), to.as_mut_ptr().cast(), from.len(), total) }
}

/// # Safety
///
/// There are so many columns of so many elements, side by side, and room for them elsewhere.
unsafe fn columns<T: Running, S: Step>(from: *const u8, to: *mut u8, length: usize, width: usize) {
    // SAFETY: as above.
    unsafe {
        let from = std::slice::from_raw_parts(from.cast::<T>(), length * width);
        let to = std::slice::from_raw_parts_mut(to.cast::<MaybeUninit<T>>(), length * width);
        all_columns(from, to, width, S::default());
    }
}

/// # Safety
///
/// There are so many elements at the first distance, and room for as many elsewhere.
unsafe fn line<T: Running, S: Step>(
    mut from: *const u8,
    mut to: *mut u8,
    length: usize,
    strides: [isize; 2],
) {
    let (mut total, mut at) = (S::start::<T::Total>(), 0);
    while at < length {
        interrupt::check_at(at);
        // SAFETY: as above.
        unsafe {
            total = S::next(total, from.cast::<T>().read().cast());
            to.cast::<T>().write(total.cast());
        }
        (from, to) = (from.wrapping_offset(strides[0]), to.wrapping_offset(strides[1]));
        at += 1;
    }
}

multiversion! {
    /// Runs along rows, of which there are [`ROWS`].
    avx512 fn all_rows<T, S>(from: &[T], to: &mut [MaybeUninit<T>], step: S)
    where
        [T: Running, S: Step]
    {
        let _ = step;
        let length = from.len() / ROWS;
        let (from, to, mut at) = (from.as_ptr(), to.as_mut_ptr().cast::<T>(), 0);
        let mut totals = [S::start::<T::Total>(); ROWS];
        let totals = totals.as_mut_ptr();
        while at < length {
            interrupt::check_at(at + STEP);
            let (count, mut row) = (STEP.min(length - at), 0);
            while row < ROWS {
                let start = row * length + at;
                // SAFETY: there are so many rows of this length, and totals.
                unsafe {
                    let total = totals.add(row);
                    *total = run_on::<T, S>(from.add(start), to.add(start), count, *total);
                }
                row += 1;
            }
            at += STEP;
        }
    }

    /// Runs down columns, of which there are `width`.
    avx512 fn all_columns<T, S>(from: &[T], to: &mut [MaybeUninit<T>], width: usize, step: S)
    where
        [T: Running, S: Step]
    {
        let _ = step;
        let (size, mut first) = (from.len(), 0);
        let (from, to) = (from.as_ptr(), to.as_mut_ptr().cast::<T>());
        while first < width {
            let (count, mut start) = (COLUMNS.min(width - first), first);
            let mut totals = [S::start::<T::Total>(); COLUMNS];
            let totals = totals.as_mut_ptr();
            while start < size {
                interrupt::check_at(start + COLUMNS);
                let mut column = 0;
                // SAFETY: each row has so many columns from there on, and there are as many totals.
                unsafe {
                    let (from, to) = (from.add(start), to.add(start));
                    while column < count {
                        let value = from.add(column).read().cast();
                        let total = S::next(totals.add(column).read(), value);
                        totals.add(column).write(total);
                        to.add(column).write(total.cast());
                        column += 1;
                    }
                }
                start += width;
            }
            first += COLUMNS;
        }
    }
}

/// Goes on from a total along so many elements: the one that is reached.
///
/// # Safety
///
/// There are so many elements, and room for as many elsewhere.
#[inline(always)]
unsafe fn run_on<T: Running, S: Step>(
    from: *const T,
    to: *mut T,
    count: usize,
    mut total: T::Total,
) -> T::Total {
    let mut at = 0;
    while at < count {
        // SAFETY: as above.
        unsafe {
            total = S::next(total, from.add(at).read().cast());
            to.add(at).write(total.cast());
        }
        at += 1;
    }
    total
}

#[native_op(cumsum.out)]
fn cumsum_out(self_: &Tensor, dim: i64, _dtype: Option<DType>, out: &mut Tensor) -> Result<()> {
    let dim = wrap_dim(dim, self_.ndim())?;
    warning::check_cast(self_.dtype(), out.dtype());
    let loops = dispatch!(out.dtype(), "cumsum", number, |T| Ok(Loops::new::<T, Sums>()))?;
    loops.run(self_, dim, out)
}

#[native_op(cumprod.out)]
fn cumprod_out(self_: &Tensor, dim: i64, _dtype: Option<DType>, out: &mut Tensor) -> Result<()> {
    let dim = wrap_dim(dim, self_.ndim())?;
    warning::check_cast(self_.dtype(), out.dtype());
    let loops = dispatch!(out.dtype(), "cumprod", number, |T| Ok(Loops::new::<T, Products>()))?;
    loops.run(self_, dim, out)
}

#[native_op(cummax)]
fn cummax(self_: &Tensor, dim: i64) -> Result<(Tensor, Tensor)> {
    let (mut values, mut indices) = allocate_pair(self_, dim)?;
    if !values.device().is_meta() {
        let record =
            dispatch!(self_.dtype(), "cummax", ordered, |T| Ok(record::<T, Greatest> as Record))?;
        run_records(self_, dim, (&mut values, &mut indices), record)?;
    }
    Ok((values, indices))
}

#[native_op(cummin)]
fn cummin(self_: &Tensor, dim: i64) -> Result<(Tensor, Tensor)> {
    let (mut values, mut indices) = allocate_pair(self_, dim)?;
    if !values.device().is_meta() {
        let record =
            dispatch!(self_.dtype(), "cummin", ordered, |T| Ok(record::<T, Least> as Record))?;
        run_records(self_, dim, (&mut values, &mut indices), record)?;
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

/// Writes the best elements so far of a line, and where they are: of so many elements at a distance in
/// bytes, to elements at one of as many elements as it is.
type Record = unsafe fn((*const u8, isize), (*mut u8, *mut i64, usize), usize);

/// Writes records along a dimension to new tensors.
fn run_records(
    input: &Tensor,
    dim: i64,
    (values, places): (&mut Tensor, &mut Tensor),
    record: Record,
) -> Result<()> {
    let dim = wrap_dim(dim, input.ndim())?;
    let input = values_of(input)?;
    let (dtype, size) = (input.dtype(), input.dtype().size());
    let values = Target::new(values, &input, dtype)?;
    let places = Target::new(places, &input, DType::Int64)?;
    let from = Runs::new(&input, dim, Bytes(input.data_ptr()));
    let to = Runs::new(places.target(), dim, places.first());
    let (first, first_value) = (places.first(), values.first());
    share(from.count, from.length, &|range| {
        for index in range {
            let place: *mut i64 = to.start(index).cast();
            let before = (place.addr() - first.at(0).addr()) / size_of::<i64>();
            let distance = to.stride as usize / size_of::<i64>();
            let out = (first_value.at(before * size), place, distance);
            // SAFETY: the lines are elements of the input, and each has results of its own, which lie
            // alike in both tensors.
            unsafe { record((from.start(index), from.stride), out, from.length) };
        }
    });
    places.finish()?;
    values.finish()
}

/// # Safety
///
/// There are so many elements of this type, and room for as many results elsewhere.
unsafe fn record<T: Ordered, C: Choice>(
    (mut from, stride): (*const u8, isize),
    (values, places, distance): (*mut u8, *mut i64, usize),
    length: usize,
) {
    let (mut at, mut best, mut place) = (0, None, 0);
    while at < length {
        interrupt::check_at(at);
        // SAFETY: as above.
        let value = unsafe { from.cast::<T>().read() };
        let found = best.is_none_or(|earlier: T| {
            let has_nan = Ordered::is_nan(value) || Ordered::is_nan(earlier);
            if has_nan { Ordered::is_nan(value) } else { C::is_as_good(value, earlier) }
        });
        if found {
            (best, place) = (Some(value), at as i64);
        }
        // SAFETY: as above.
        unsafe {
            values.cast::<T>().add(at * distance).write(best.unwrap_or(value));
            places.add(at * distance).write(place);
        }
        from = from.wrapping_offset(stride);
        at += 1;
    }
}

#[native_op(logcumsumexp)]
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
        along_dim::unary(
            input,
            out,
            dim,
            |lane: ArrayView1<'_, T>, mut out: ArrayViewMut1<'_, T>| {
                let mut total = Exponentials::<S>::none();
                for (i, (slot, value)) in out.iter_mut().zip(lane).enumerate() {
                    interrupt::check_at(i);
                    total = total.joined(Exponentials::of(value.cast()));
                    *slot = T::cast_from(total.logarithm());
                }
                Ok(())
            },
        )
    }
}

/// Whether there is a zero among the elements; who cannot see them says yes.
fn may_have_zeros(tensor: &Tensor) -> Result<bool> {
    if tensor.device().is_meta() {
        return Ok(true);
    }
    let is_zero = tensor.eq_scalar(Scalar::Int(0))?;
    is_zero.any()?.is_nonzero()
}

/// The sum of all from a place on.
#[gradient_helper]
pub(crate) fn cumsum_backward(grad: &Tensor, dim: i64) -> Result<Tensor> {
    if grad.ndim() == 0 || grad.numel() == 0 {
        return Ok(grad.clone());
    }
    let flipped = grad.flip(&[dim])?;
    flipped.cumsum(dim)?.flip(&[dim])
}

/// Without zeros, the sum of all `grad * conj(result)` from a place on, over `conj(self)`; with
/// some, the product before the place times what is chained behind it.
#[gradient_helper]
pub(crate) fn cumprod_backward(
    grad: &Tensor,
    self_: &Tensor,
    dim: i64,
    result: &Tensor,
) -> Result<Tensor> {
    if self_.ndim() == 0 || self_.numel() == 0 {
        return Ok(grad.clone());
    }
    let conjugate = self_.conj()?;
    if !may_have_zeros(self_)? {
        let product = grad.mul(&result.conj()?)?;
        return cumsum_backward(&product, dim)?.div(&conjugate);
    }
    let dim = wrap_dim(dim, self_.ndim())?;
    let factors = part(&conjugate, dim, 1, self_.shape()[dim])?;
    let behind = chained(grad, &factors, dim)?;
    product_before(&conjugate, dim)?.mul(&behind)
}

/// The sum of all terms from a place on, each times the factors between: from the last one on,
/// `sum[k] = terms[k] + factors[k] * sum[k + 1]`. There is one factor fewer than terms.
fn chained(terms: &Tensor, factors: &Tensor, dim: usize) -> Result<Tensor> {
    let length = terms.shape()[dim];
    let (mut sums, mut factors, mut step) = (terms.clone(), factors.clone(), 1);
    // Each sum has `step` terms already, and each factor is the product of as many.
    while step < length {
        let rest = length - step;
        let later = factors.mul(&part(&sums, dim, step, length)?)?;
        let longer = part(&sums, dim, 0, rest)?.add(&later)?;
        let whole = part(&sums, dim, rest, length)?;
        sums = ops::cat::Default_::call(&[&longer, &whole], dim as i64)?;
        if rest > step {
            let first = part(&factors, dim, 0, rest - step)?;
            factors = first.mul(&part(&factors, dim, step, rest)?)?;
        }
        step *= 2;
    }
    Ok(sums)
}

/// Zeros with the sums of `grad` at the places where the extremes were found.
#[gradient_helper]
pub(crate) fn cummaxmin_backward(
    grad: &Tensor,
    self_: &Tensor,
    indices: &Tensor,
    dim: i64,
) -> Result<Tensor> {
    let zeros = zeros(grad, self_.shape())?;
    zeros.scatter_add(dim, indices, grad)
}

/// The sum over all later places of `grad * conj(exp(self - result))`, in steps from each result
/// to the next one, which do not overflow.
#[gradient_helper]
pub(crate) fn logcumsumexp_backward(
    grad: &Tensor,
    self_: &Tensor,
    result: &Tensor,
    dim: i64,
) -> Result<Tensor> {
    if grad.ndim() == 0 || grad.numel() == 0 {
        return Ok(grad.clone());
    }
    let dim = wrap_dim(dim, self_.ndim())?;
    let length = result.shape()[dim];
    let (before, after) = (part(result, dim, 0, length - 1)?, part(result, dim, 1, length)?);
    let behind = chained(grad, &ratio_of_exponentials(&before, &after)?, dim)?;
    behind.mul(&ratio_of_exponentials(self_, result)?)
}
