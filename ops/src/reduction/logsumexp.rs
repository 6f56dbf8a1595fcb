//! Logarithms of sums of exponentials.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::{Float, Number};
use opwright_runtime::geometry::DimSet;
use opwright_runtime::parallel::{self, Pointer};
use opwright_runtime::reduce::{Fold, reduce};
use opwright_runtime::{Complex, DType, Element, Result, Tensor, dispatch, multiversion};
use opwright_vecmath::elementary::Elementary;

use super::space::reduced;
use crate::gradient::restored;
use crate::nn::along_dim::{greatest, total};
use crate::ops::TensorOps;
use crate::reduction::gradient::ratio_of_exponentials;

#[native_op(logsumexp)]
fn logsumexp(self_: &Tensor, dim: &[i64], keepdim: bool) -> Result<Tensor> {
    let dims = DimSet::new_or_full(Some(dim), self_.ndim())?;
    let dtype = self_.dtype().to_floating();
    let mut out = reduced(self_, dims, keepdim, dtype).allocate()?;
    if !out.device().is_meta() {
        let input = self_.to_dtype(dtype)?;
        let lines = Lines::of(&input, dims);
        if let (DType::Float32, Some(lines)) = (dtype, &lines) {
            lines.sum_into::<f32>(&input, &mut out)?;
        } else if let (DType::Float64, Some(lines)) = (dtype, &lines) {
            lines.sum_into::<f64>(&input, &mut out)?;
        } else if dtype.is_complex_number() {
            dispatch!(dtype, "logsumexp", complex_number, |T| {
                logsumexp_into::<T, Complex<f64>>(&input, dims, &mut out)
            })?;
        } else {
            dispatch!(dtype, "logsumexp", calculated floating, |T| {
                logsumexp_into::<T, f64>(&input, dims, &mut out)
            })?;
        }
    }
    Ok(out)
}

/// Elements at equal distances that go into one result.
struct Lines {
    length: usize,
    /// The distance; so many results lie side by side.
    stride: usize,
}

impl Lines {
    /// Those of a contiguous tensor, if the dimensions follow each other.
    fn of(input: &Tensor, dims: DimSet) -> Option<Lines> {
        let first = (0..input.ndim()).find(|&dim| dims.contains(dim))?;
        let end = first + dims.size();
        let are_neighbours = (first..end).all(|dim| dims.contains(dim));
        let size = |shape: &[i64]| shape.iter().product::<i64>() as usize;
        let lines = || Lines {
            length: size(&input.shape()[first..end]),
            stride: size(&input.shape()[end..]),
        };
        (are_neighbours && input.is_contiguous() && input.numel() > 0).then(lines)
    }

    fn sum_into<T: Element + Float + Elementary>(
        &self,
        input: &Tensor,
        out: &mut Tensor,
    ) -> Result<()> {
        let Lines { length, stride } = *self;
        // SAFETY: the result is other memory, and threads that share a tensor do not write to it
        // while an operator reads it.
        let elements = unsafe { input.as_slice::<T>()? };
        let out = out.as_mut_slice::<T>()?;
        let target = Pointer(out.as_mut_ptr());
        let width = WIDTH.min(stride);
        let blocks = stride.div_ceil(width);
        parallel::share(out.len() / stride * blocks, length * width, &|range| {
            for index in range {
                let (outer, column) = (index / blocks, index % blocks * width);
                let elements = &elements[outer * length * stride + column..];
                let width = width.min(stride - column);
                let values = match width {
                    1 if stride == 1 => [of_row(&elements[..length]); WIDTH],
                    _ => of_columns(elements, length, stride, width),
                };
                for (k, &value) in values[..width].iter().enumerate() {
                    let place = outer * stride + column + k;
                    // SAFETY: a result has one place, in one block, and each block is in one range.
                    unsafe { target.at(place as isize).write(value) };
                }
            }
        });
        Ok(())
    }
}

/// How many results are calculated side by side.
const WIDTH: usize = 64;

/// So many exponentials go into one sum before it is added to others, which keeps the rounding
/// error small.
const GROUP: usize = 64;

multiversion! {
    fn of_row<const FMA: bool, T>(row: &[T]) -> T
    where
        [T: Float + Elementary]
    {
        // Taken off first, so that no exponential is too large.
        let greatest = greatest(row);
        let shift = if greatest.is_finite() { greatest } else { T::ZERO };
        let power = |x: T| Elementary::exp::<FMA>(x - shift);
        let sum = total(row, power);
        if greatest.is_finite() && sum < T::constant(2.0) {
            // One outweighs all others, of which the sum keeps few digits.
            let others = total(row, |x| if x < greatest { power(x) } else { T::ZERO });
            return others.ln_1p() + shift;
        }
        sum.ln() + shift
    }

    fn of_columns<const FMA: bool, T>(
        elements: &[T],
        length: usize,
        stride: usize,
        width: usize,
    ) -> [T; WIDTH]
    where
        [T: Float + Elementary]
    {
        let line = |at: usize| &elements[at * stride..][..width];
        let mut shift = [T::LOWEST; WIDTH];
        for at in 0..length {
            for (greatest, &x) in shift.iter_mut().zip(line(at)) {
                *greatest = if x > *greatest { x } else { *greatest };
            }
        }
        shift = shift.map(|it| if it.is_finite() { it } else { T::ZERO });
        let mut sums = [T::ZERO; WIDTH];
        for first in (0..length).step_by(GROUP) {
            let mut group = [T::ZERO; WIDTH];
            for at in first..length.min(first + GROUP) {
                for ((sum, &x), &shift) in group.iter_mut().zip(line(at)).zip(&shift) {
                    *sum = *sum + Elementary::exp::<FMA>(x - shift);
                }
            }
            sums.iter_mut().zip(group).for_each(|(sum, it)| *sum = *sum + it);
        }
        let two = T::constant(2.0);
        let are_tails = sums[..width].iter().any(|&sum| sum < two);
        let mut logs = sums.map(<T as Elementary>::log::<FMA>);
        if are_tails {
            // Where one outweighs all others, the sum keeps few digits of these.
            let mut others = [T::ZERO; WIDTH];
            for at in 0..length {
                for ((sum, &x), &shift) in others.iter_mut().zip(line(at)).zip(&shift) {
                    let power = Elementary::exp::<FMA>(x - shift);
                    *sum = *sum + if x < shift { power } else { T::ZERO };
                }
            }
            for ((log, &sum), others) in logs.iter_mut().zip(&sums).zip(others) {
                *log = if sum < two && sum >= T::ONE { others.ln_1p() } else { *log };
            }
        }
        logs.iter_mut().zip(shift).for_each(|(log, shift)| *log = *log + shift);
        logs
    }
}

fn logsumexp_into<T: Element, S: Exponent>(
    input: &Tensor,
    dims: DimSet,
    out: &mut Tensor,
) -> Result<()> {
    let fold = Fold {
        start: Exponentials::<S>::none(),
        fold: |all: Exponentials<S>, it: T| all.joined(Exponentials::of(it.cast())),
        combine: Exponentials::joined,
        finish: |all: Exponentials<S>| T::cast_from(all.logarithm()),
    };
    reduce(input, dims, out, fold)
}

/// A number in the type in which sums of exponentials are calculated.
pub(crate) trait Exponent: Element + Number {
    /// The real part, and the exponential of what is left.
    fn split(self) -> (f64, Self);

    /// The product with a number that is not negative.
    fn scaled(self, factor: f64) -> Self;

    /// The logarithm of `(self + rest) * exp(exponent)`.
    fn logarithm(self, rest: Self, exponent: f64) -> Self;
}

impl Exponent for f64 {
    fn split(self) -> (f64, f64) {
        (self, 1.0)
    }

    fn scaled(self, factor: f64) -> f64 {
        self * factor
    }

    fn logarithm(self, rest: f64, exponent: f64) -> f64 {
        let share = if rest == 0.0 { 0.0 } else { rest / self };
        exponent + (self.ln() + share)
    }
}

impl Exponent for Complex<f64> {
    fn split(self) -> (f64, Complex<f64>) {
        // What vanishes has no direction.
        let angle = if self.re == f64::NEG_INFINITY { 0.0 } else { self.im };
        (self.re, Complex::cis(angle))
    }

    fn scaled(self, factor: f64) -> Complex<f64> {
        self * factor
    }

    fn logarithm(self, rest: Complex<f64>, exponent: f64) -> Complex<f64> {
        let sum = self + rest;
        Complex::new(exponent + sum.norm().ln(), sum.arg())
    }
}

/// A sum of exponentials: `(sum + rest) * exp(greatest)`, where the rest is what rounding lost.
#[derive(Clone, Copy)]
pub(crate) struct Exponentials<S> {
    greatest: f64,
    sum: S,
    rest: S,
}

impl<S: Exponent> Exponentials<S> {
    /// No summand.
    pub(crate) fn none() -> Exponentials<S> {
        Exponentials { greatest: f64::NEG_INFINITY, sum: S::ZERO, rest: S::ZERO }
    }

    /// The sum of both.
    pub(crate) fn joined(self, other: Exponentials<S>) -> Exponentials<S> {
        // The difference of equal infinities would not be a number.
        if self.greatest == other.greatest {
            return self.added(other);
        }
        let (low, high) =
            if self.greatest <= other.greatest { (self, other) } else { (other, self) };
        let scale = (low.greatest - high.greatest).exp();
        high.added(Exponentials { sum: low.sum.scaled(scale), rest: low.rest.scaled(scale), ..low })
    }

    /// The sum of both, of the same exponent (Knuth).
    fn added(self, other: Exponentials<S>) -> Exponentials<S> {
        let sum = self.sum.plus(other.sum);
        let added = sum.minus(self.sum);
        let lost = self.sum.minus(sum.minus(added)).plus(other.sum.minus(added));
        let rest = self.rest.plus(other.rest).plus(lost);
        Exponentials { greatest: self.greatest, sum, rest }
    }

    /// One exponential.
    pub(crate) fn of(exponent: S) -> Exponentials<S> {
        let (greatest, sum) = exponent.split();
        Exponentials { greatest, sum, rest: S::ZERO }
    }

    /// The logarithm of the sum.
    pub(crate) fn logarithm(self) -> S {
        self.sum.logarithm(self.rest, self.greatest)
    }
}

/// `grad * conj(exp(self - result))`
#[gradient_helper]
pub(crate) fn logsumexp_backward(
    grad: &Tensor,
    self_: &Tensor,
    result: &Tensor,
    dim: &[i64],
    keepdim: bool,
) -> Result<Tensor> {
    let ndim = self_.ndim();
    let dims = DimSet::new_or_full(Some(dim), ndim)?;
    let grad = restored(grad, dims, ndim, keepdim)?;
    let result = restored(result, dims, ndim, keepdim)?;
    grad.mul(&ratio_of_exponentials(self_, &result)?)
}
