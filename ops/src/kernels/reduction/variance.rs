//! Variances and standard deviations.

use std::ops::{Add, Div, Mul, Sub};

use num_complex::Complex;
use opwright_macros::native_op;
use opwright_runtime::dtype::FloatOrComplex;
use opwright_runtime::geometry::DimSet;
use opwright_runtime::reduce::{Fold, reduce, reduce_indexed_pair};
use opwright_runtime::structured::Spec;
use opwright_runtime::{Element, Result, Scalar, Tensor, dispatch, ensure};

use super::space::reduced;
use crate::ops;

/// What moments are computed in.
trait Working:
    Element
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
{
    fn squared_length(self) -> f64;
}

impl Working for f64 {
    #[inline(always)]
    fn squared_length(self) -> f64 {
        self * self
    }
}

impl Working for Complex<f64> {
    #[inline(always)]
    fn squared_length(self) -> f64 {
        self.norm_sqr()
    }
}

/// Number, mean and squared distances of some elements.
///
/// Sums are of distances from the first element, which is near the mean as
/// seen from zero, so that nothing cancels. Two groups are joined as in T. Chan,
/// G. Golub, R. LeVeque, "Updating formulae and a pairwise algorithm for
/// computing sample variances", 1979.
#[derive(Clone, Copy)]
struct Moments<W> {
    count: f64,
    origin: W,
    sum: W,
    squares: f64,
}

impl<W: Working> Moments<W> {
    fn none() -> Moments<W> {
        Moments { count: 0.0, origin: W::default(), sum: W::default(), squares: 0.0 }
    }

    #[inline(always)]
    fn with(self, value: W) -> Moments<W> {
        let origin = if self.count == 0.0 { value } else { self.origin };
        let distance = value - origin;
        Moments {
            count: self.count + 1.0,
            origin,
            sum: self.sum + distance,
            squares: self.squares + distance.squared_length(),
        }
    }

    fn mean(self) -> W {
        // Without elements there is no mean, so not a number.
        self.origin + self.sum / self.count
    }

    /// The sum of squared distances from the mean.
    fn spread(self) -> f64 {
        if self.count == 0.0 {
            return 0.0;
        }
        // Rounding must not make it negative; `max` would swallow NaN.
        let spread = self.squares - self.sum.squared_length() / self.count;
        if spread < 0.0 { 0.0 } else { spread }
    }

    fn joined(self, other: Moments<W>) -> Moments<W> {
        if self.count == 0.0 || other.count == 0.0 {
            return if self.count == 0.0 { other } else { self };
        }
        let count = self.count + other.count;
        let (mean, other_mean) = (self.mean(), other.mean());
        let distance = other_mean - mean;
        let between = distance.squared_length() * self.count * other.count / count;
        Moments {
            count,
            origin: mean + distance * (other.count / count),
            sum: W::default(),
            squares: self.spread() + other.spread() + between,
        }
    }

    fn variance(self, correction: f64) -> f64 {
        // A negative number of degrees of freedom is none.
        self.spread() / (self.count - correction).max(0.0)
    }
}

/// Writes a function of the variance, and the mean if there is a tensor for it.
fn moments_into<T: FloatOrComplex, W: Working>(
    input: &Tensor,
    dims: DimSet,
    (out, mean): (&mut Tensor, Option<&mut Tensor>),
    finish: impl Fn(Moments<W>) -> f64 + Sync,
) -> Result<()> {
    let start = Moments::none();
    let combine = Moments::joined;
    let finish = |all: Moments<W>| T::Part::cast_from(finish(all));
    match mean {
        None => {
            let fold = |all: Moments<W>, it: T| all.with(it.cast());
            reduce(input, dims, out, Fold { start, fold, combine, finish })
        }
        Some(mean) => {
            let fold = |all: Moments<W>, it: T, _| all.with(it.cast());
            let finish = |all: Moments<W>| (finish(all), T::cast_from(all.mean()));
            reduce_indexed_pair(input, dims, (out, mean), Fold { start, fold, combine, finish })
        }
    }
}

/// The variance, or its square root.
#[derive(Clone, Copy)]
enum Measure {
    Variance,
    Deviation,
}

impl Measure {
    fn run(
        self,
        input: &Tensor,
        dims: DimSet,
        correction: f64,
        out: (&mut Tensor, Option<&mut Tensor>),
    ) -> Result<()> {
        if input.dtype().is_complex_number() {
            dispatch!(input.dtype(), "std_var", complex_number, |T| {
                moments_into::<T, Complex<f64>>(input, dims, out, move |all| {
                    self.of(all.variance(correction))
                })
            })
        } else {
            dispatch!(input.dtype(), "std_var", floating, |T| {
                moments_into::<T, f64>(input, dims, out, move |all| {
                    self.of(all.variance(correction))
                })
            })
        }
    }

    fn of(self, variance: f64) -> f64 {
        match self {
            Measure::Variance => variance,
            Measure::Deviation => variance.sqrt(),
        }
    }

    fn with_mean(
        self,
        input: &Tensor,
        dim: Option<&[i64]>,
        correction: Option<Scalar>,
        keepdim: bool,
    ) -> Result<(Tensor, Tensor)> {
        let dims = DimSet::new_or_full(dim, input.ndim())?;
        let spec = spread_rule(input, dim, keepdim)?;
        let (mut out, mut mean) = (spec.allocate()?, spec.with_dtype(input.dtype()).allocate()?);
        if !out.device().is_meta() {
            self.run(input, dims, divisor(correction)?, (&mut out, Some(&mut mean)))?;
        }
        Ok((out, mean))
    }
}

fn spread_rule(input: &Tensor, dim: Option<&[i64]>, keepdim: bool) -> Result<Spec> {
    let dtype = input.dtype();
    ensure!(
        dtype.is_floating() || dtype.is_complex_number(),
        Runtime,
        "std and var only support floating point and complex dtypes, but got: {}",
        dtype.title()
    );
    let dims = DimSet::new_or_full(dim, input.ndim())?;
    Ok(reduced(input, dims, keepdim, dtype.to_real()))
}

/// What is taken from the number of elements.
fn divisor(correction: Option<Scalar>) -> Result<f64> {
    correction.map_or(Ok(1.0), Scalar::to_f64)
}

fn unbiased_correction(unbiased: bool) -> Option<Scalar> {
    Some(Scalar::Int(i64::from(unbiased)))
}

#[native_op(var)]
fn var(self_: &Tensor, unbiased: bool) -> Result<Tensor> {
    ops::var::correction::call(self_, None, unbiased_correction(unbiased), false)
}

#[native_op(var.dim)]
fn var_dim(self_: &Tensor, dim: Option<&[i64]>, unbiased: bool, keepdim: bool) -> Result<Tensor> {
    ops::var::correction::call(self_, dim, unbiased_correction(unbiased), keepdim)
}

#[native_op(var.out)]
fn var_dim_out(
    self_: &Tensor,
    dim: Option<&[i64]>,
    unbiased: bool,
    keepdim: bool,
    out: &mut Tensor,
) -> Result<()> {
    ops::var::correction_out::call(self_, dim, unbiased_correction(unbiased), keepdim, out)
}

#[native_op(var.correction_out, rule)]
fn var_rule(
    self_: &Tensor,
    dim: Option<&[i64]>,
    _correction: Option<Scalar>,
    keepdim: bool,
) -> Result<Spec> {
    spread_rule(self_, dim, keepdim)
}

#[native_op(var.correction_out)]
fn var_out(
    self_: &Tensor,
    dim: Option<&[i64]>,
    correction: Option<Scalar>,
    _keepdim: bool,
    out: &mut Tensor,
) -> Result<()> {
    let dims = DimSet::new_or_full(dim, self_.ndim())?;
    Measure::Variance.run(self_, dims, divisor(correction)?, (out, None))
}

#[native_op(std)]
fn std_whole(self_: &Tensor, unbiased: bool) -> Result<Tensor> {
    ops::std::correction::call(self_, None, unbiased_correction(unbiased), false)
}

#[native_op(std.dim)]
fn std_dim(self_: &Tensor, dim: Option<&[i64]>, unbiased: bool, keepdim: bool) -> Result<Tensor> {
    ops::std::correction::call(self_, dim, unbiased_correction(unbiased), keepdim)
}

#[native_op(std.out)]
fn std_dim_out(
    self_: &Tensor,
    dim: Option<&[i64]>,
    unbiased: bool,
    keepdim: bool,
    out: &mut Tensor,
) -> Result<()> {
    ops::std::correction_out::call(self_, dim, unbiased_correction(unbiased), keepdim, out)
}

#[native_op(std.correction_out, rule)]
fn std_rule(
    self_: &Tensor,
    dim: Option<&[i64]>,
    _correction: Option<Scalar>,
    keepdim: bool,
) -> Result<Spec> {
    spread_rule(self_, dim, keepdim)
}

#[native_op(std.correction_out)]
fn std_out(
    self_: &Tensor,
    dim: Option<&[i64]>,
    correction: Option<Scalar>,
    _keepdim: bool,
    out: &mut Tensor,
) -> Result<()> {
    let dims = DimSet::new_or_full(dim, self_.ndim())?;
    Measure::Deviation.run(self_, dims, divisor(correction)?, (out, None))
}

/// The variance and the mean, from one pass; see `var`.
#[native_op("var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)", composite)]
fn var_mean(self_: &Tensor, unbiased: bool) -> Result<(Tensor, Tensor)> {
    ops::var_mean::correction::call(self_, None, unbiased_correction(unbiased), false)
}

#[native_op(
    "var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)",
    composite
)]
fn var_mean_dim(
    self_: &Tensor,
    dim: Option<&[i64]>,
    unbiased: bool,
    keepdim: bool,
) -> Result<(Tensor, Tensor)> {
    ops::var_mean::correction::call(self_, dim, unbiased_correction(unbiased), keepdim)
}

#[native_op(
    "var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)",
    explicit
)]
fn var_mean_correction(
    self_: &Tensor,
    dim: Option<&[i64]>,
    correction: Option<Scalar>,
    keepdim: bool,
) -> Result<(Tensor, Tensor)> {
    Measure::Variance.with_mean(self_, dim, correction, keepdim)
}

/// The standard deviation and the mean, from one pass; see `std`.
#[native_op("std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)", composite)]
fn std_mean(self_: &Tensor, unbiased: bool) -> Result<(Tensor, Tensor)> {
    ops::std_mean::correction::call(self_, None, unbiased_correction(unbiased), false)
}

#[native_op(
    "std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)",
    composite
)]
fn std_mean_dim(
    self_: &Tensor,
    dim: Option<&[i64]>,
    unbiased: bool,
    keepdim: bool,
) -> Result<(Tensor, Tensor)> {
    ops::std_mean::correction::call(self_, dim, unbiased_correction(unbiased), keepdim)
}

#[native_op(
    "std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)",
    explicit
)]
fn std_mean_correction(
    self_: &Tensor,
    dim: Option<&[i64]>,
    correction: Option<Scalar>,
    keepdim: bool,
) -> Result<(Tensor, Tensor)> {
    Measure::Deviation.with_mean(self_, dim, correction, keepdim)
}
