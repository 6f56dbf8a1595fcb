//! Logarithms of sums of exponentials.

use opwright_macros::native_op;
use opwright_runtime::dtype::{Float, Number};
use opwright_runtime::geometry::DimSet;
use opwright_runtime::parallel::{self, Pointer};
use opwright_runtime::reduce::{Fold, reduce};
use opwright_runtime::{Complex, DType, Element, Result, Tensor, dispatch, multiversion};

use super::space::reduced;
use crate::kernels::elementwise::analytic::Analytic;
use crate::kernels::nn::lines::{greatest, total};

/// `log(sum(exp(x)))` along `dim`, one or a list, without overflow. Integers
/// give the default dtype; of no elements the result is negative infinity.
///
/// ```python
/// >>> opwright.logsumexp(opwright.tensor([0.0, 0.0]), dim=0)
/// tensor(0.6931, dtype=float32, shape=())
/// ```
#[native_op(
    "logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
    key = CPU | Meta,
    variants = "function, method",
    out
)]
fn logsumexp(self_: &Tensor, dim: &[i64], keepdim: bool) -> Result<Tensor> {
    let dims = DimSet::new_or_full(Some(dim), self_.ndim())?;
    let dtype = self_.dtype().to_floating();
    let mut out = reduced(self_, dims, keepdim, dtype).allocate()?;
    if !out.device().is_meta() {
        let input = self_.to_dtype(dtype)?;
        let row = length_of_rows(&input, dims);
        if let (DType::Float32, Some(row)) = (dtype, row) {
            over_rows::<f32>(&input, row, &mut out)?;
        } else if let (DType::Float64, Some(row)) = (dtype, row) {
            over_rows::<f64>(&input, row, &mut out)?;
        } else if dtype.is_complex_number() {
            dispatch!(dtype, "logsumexp", complex_number, |T| {
                logsumexp_into::<T, Complex<f64>>(&input, dims, &mut out)
            })?;
        } else {
            dispatch!(dtype, "logsumexp", floating, |T| {
                logsumexp_into::<T, f64>(&input, dims, &mut out)
            })?;
        }
    }
    Ok(out)
}

/// How many elements side by side go into one result, if they lie so.
fn length_of_rows(input: &Tensor, dims: DimSet) -> Option<usize> {
    let first = input.ndim() - dims.size();
    let are_last = (first..input.ndim()).all(|dim| dims.contains(dim));
    let length = || input.shape()[first..].iter().product::<i64>() as usize;
    (are_last && input.is_contiguous() && input.numel() > 0).then(length)
}

/// The same for rows of a contiguous tensor.
fn over_rows<T: Element + Float + Analytic>(
    input: &Tensor,
    length: usize,
    out: &mut Tensor,
) -> Result<()> {
    // SAFETY: the result is other memory, and threads that share a tensor do not write to it while
    // an operator reads it.
    let elements = unsafe { input.as_slice::<T>()? };
    let out = out.as_mut_slice::<T>()?;
    let target = Pointer(out.as_mut_ptr());
    parallel::share(out.len(), length, &|rows| {
        for row in rows {
            let value = of_row(&elements[row * length..][..length]);
            // SAFETY: there are as many results as rows, and each row is in one range.
            unsafe { target.at(row as isize).write(value) };
        }
    });
    Ok(())
}

multiversion! {
    fn of_row<const FUSED: bool, T>(row: &[T]) -> T
    where
        [T: Float + Analytic]
    {
        // Taken off first, so that no exponential is too large.
        let greatest = greatest(row);
        let shift = if greatest.is_finite() { greatest } else { T::ZERO };
        total(row, |x| (x - shift).exponential::<FUSED>()).ln() + shift
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

    /// The logarithm of `self * exp(exponent)`.
    fn logarithm(self, exponent: f64) -> Self;
}

impl Exponent for f64 {
    fn split(self) -> (f64, f64) {
        (self, 1.0)
    }

    fn scaled(self, factor: f64) -> f64 {
        self * factor
    }

    fn logarithm(self, exponent: f64) -> f64 {
        exponent + self.ln()
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

    fn logarithm(self, exponent: f64) -> Complex<f64> {
        Complex::new(exponent + self.norm().ln(), self.arg())
    }
}

/// A sum of exponentials: `sum * exp(greatest)`.
#[derive(Clone, Copy)]
pub(crate) struct Exponentials<S> {
    greatest: f64,
    sum: S,
}

impl<S: Exponent> Exponentials<S> {
    /// No summand.
    pub(crate) fn none() -> Exponentials<S> {
        Exponentials { greatest: f64::NEG_INFINITY, sum: S::ZERO }
    }

    /// The sum of both.
    pub(crate) fn joined(self, other: Exponentials<S>) -> Exponentials<S> {
        // The difference of equal infinities would not be a number.
        if self.greatest == other.greatest {
            return Exponentials { greatest: self.greatest, sum: self.sum.plus(other.sum) };
        }
        let (low, high) =
            if self.greatest <= other.greatest { (self, other) } else { (other, self) };
        let scale = (low.greatest - high.greatest).exp();
        Exponentials { greatest: high.greatest, sum: high.sum.plus(low.sum.scaled(scale)) }
    }

    /// One exponential.
    pub(crate) fn of(exponent: S) -> Exponentials<S> {
        let (greatest, sum) = exponent.split();
        Exponentials { greatest, sum }
    }

    /// The logarithm of the sum.
    pub(crate) fn logarithm(self) -> S {
        self.sum.logarithm(self.greatest)
    }
}
