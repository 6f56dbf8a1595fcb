//! Logarithms of sums of exponentials.

use opwright_macros::native_op;
use opwright_runtime::dtype::Number;
use opwright_runtime::geometry::DimSet;
use opwright_runtime::reduce::{Fold, reduce};
use opwright_runtime::{Complex, Element, Result, Tensor, dispatch};

use super::space::reduced;

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
        if dtype.is_complex_number() {
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
