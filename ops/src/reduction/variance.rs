//! Variances and standard deviations.

use num_complex::Complex;
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::geometry::DimSet;
use opwright_runtime::structured::Spec;
use opwright_runtime::{DType, Result, Scalar, Tensor, dispatch, ensure, view, warning};

use super::moments::{MomentOutputs, Moments, reduce_moments};
use super::space::reduced;
use super::sums::may_have_overflowed;
use crate::gradient::{listed, quotient, restored};
use crate::ops::{self, TensorOps};
use crate::reduction::gradient::{mean_backward, reduced_count};

/// The variance, or its square root.
#[derive(Clone, Copy)]
enum Measure {
    Variance,
    Deviation,
}

impl Measure {
    /// Writes what is measured of the elements along `dims`, and their means if they are wanted.
    fn run(
        self,
        input: &Tensor,
        dims: DimSet,
        correction: f64,
        out: &mut Tensor,
        mut mean: Option<&mut Tensor>,
    ) -> Result<()> {
        warn_of_few(input, dims, correction);
        self.reduce(input, dims, correction, out, mean.as_deref_mut())?;
        // Squares of smaller dtypes are in the range of `f64`.
        let is_wide = matches!(input.dtype(), DType::Float64 | DType::Complex128);
        let is_wide = is_wide && input.numel() > 0;
        if is_wide
            && (self.may_be_off(out)? || mean.as_deref().map_or(Ok(false), may_have_overflowed)?)
        {
            return self.run_on_shares(input, dims, correction, out, mean);
        }
        Ok(())
    }

    fn reduce(
        self,
        input: &Tensor,
        dims: DimSet,
        correction: f64,
        out: &mut Tensor,
        mean: Option<&mut Tensor>,
    ) -> Result<()> {
        let out = MomentOutputs { measure: out, mean };
        if input.dtype().is_complex_number() {
            let finish = |all: Moments<Complex<f64>>| self.of(all.variance(correction));
            dispatch!(input.dtype(), "std_var", complex_number, |T| {
                reduce_moments::<T, Complex<f64>>(input, dims, out, finish)
            })
        } else {
            let finish = |all: Moments<f64>| self.of(all.variance(correction));
            dispatch!(input.dtype(), "std_var", calculated floating, |T| {
                reduce_moments::<T, f64>(input, dims, out, finish)
            })
        }
    }

    fn of(self, variance: f64) -> f64 {
        match self {
            Measure::Variance => variance,
            Measure::Deviation => variance.sqrt(),
        }
    }

    /// Whether squares may have become infinite or zero on the way.
    fn may_be_off(self, out: &Tensor) -> Result<bool> {
        if out.numel() == 0 {
            return Ok(false);
        }
        let least = match self {
            Measure::Variance => 1e-290,
            Measure::Deviation => 1e-145,
        };
        let out = if out.is_contiguous() { out.clone() } else { out.copy()? };
        // SAFETY: the output is ours while the operator runs.
        let found = unsafe { out.as_slice::<f64>()? };
        Ok(found.iter().any(|&it| it < least || !it.is_finite()))
    }

    /// The same of shares of the greatest number, times this.
    fn run_on_shares(
        self,
        input: &Tensor,
        dims: DimSet,
        correction: f64,
        out: &mut Tensor,
        mean: Option<&mut Tensor>,
    ) -> Result<()> {
        let most = greatest_part(input, dims)?;
        let shares = ops::div::Tensor::call(input, &most)?;
        let mut spread = Tensor::allocate(most.shape(), out.dtype(), out.device())?;
        let mut means = Tensor::allocate(most.shape(), input.dtype(), out.device())?;
        self.reduce(&shares, dims, correction, &mut spread, mean.is_some().then_some(&mut means))?;
        if matches!(self, Measure::Variance) {
            spread = ops::mul::Tensor::call(&spread, &most)?;
        }
        let spread = ops::mul::Tensor::call(&spread, &most)?;
        out.copy_from(&view::reshape(&spread, out.shape())?)?;
        let Some(mean) = mean else { return Ok(()) };
        let means = ops::mul::Tensor::call(&means, &most)?;
        let means = view::reshape(&means, mean.shape())?;
        let is_known = ops::isfinite::Default_::call(&means)?;
        mean.copy_from(&ops::r#where::self_::call(&is_known, &means, mean)?)
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
            self.run(input, dims, divisor(correction)?, &mut out, Some(&mut mean))?;
        }
        Ok((out, mean))
    }
}

/// The greatest absolute value along `dims`, of parts of complex numbers; 1 where that is 0.
fn greatest_part(input: &Tensor, dims: DimSet) -> Result<Tensor> {
    let listed: Vec<i64> =
        (0..input.ndim()).filter(|&it| dims.contains(it)).map(|it| it as i64).collect();
    let most =
        |part: &Tensor| ops::amax::Default_::call(&ops::abs::Default_::call(part)?, &listed, true);
    let most = if input.dtype().is_complex_number() {
        let (real, imag) = (ops::real::Default_::call(input)?, ops::imag::Default_::call(input)?);
        ops::maximum::Default_::call(&most(&real)?, &most(&imag)?)?
    } else {
        most(input)?
    };
    let is_zero = ops::eq::Scalar::call(&most, 0.0.into())?;
    ops::masked_fill::Scalar::call(&most, &is_zero, 1.0.into())
}

/// Nothing is known of how far numbers spread of which there are not more than the correction.
fn warn_of_few(input: &Tensor, dims: DimSet, correction: f64) {
    let sizes = input.shape().iter().enumerate();
    let count: i64 = sizes.filter(|(dim, _)| dims.contains(*dim)).map(|(_, &size)| size).product();
    let has_results = count == 0 || input.numel() > 0;
    if has_results && count as f64 <= correction {
        warning::warn(format_args!(
            "the variance of {count} element(s) with a correction of {correction} is not defined: \
             degrees of freedom is <= 0; pass correction=0 for that of the elements themselves"
        ));
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
    Measure::Variance.run(self_, dims, divisor(correction)?, out, None)
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
    Measure::Deviation.run(self_, dims, divisor(correction)?, out, None)
}

#[native_op(var_mean.correction)]
fn var_mean_correction(
    self_: &Tensor,
    dim: Option<&[i64]>,
    correction: Option<Scalar>,
    keepdim: bool,
) -> Result<(Tensor, Tensor)> {
    Measure::Variance.with_mean(self_, dim, correction, keepdim)
}

#[native_op(std_mean.correction)]
fn std_mean_correction(
    self_: &Tensor,
    dim: Option<&[i64]>,
    correction: Option<Scalar>,
    keepdim: bool,
) -> Result<(Tensor, Tensor)> {
    Measure::Deviation.with_mean(self_, dim, correction, keepdim)
}

/// `2 / (n - correction) * grad * (self - mean(self))`
#[gradient_helper]
pub(crate) fn var_backward(
    grad: &Tensor,
    self_: &Tensor,
    dim: Option<&[i64]>,
    correction: Option<Scalar>,
    keepdim: bool,
) -> Result<Tensor> {
    let ndim = self_.ndim();
    let dims = DimSet::new_or_full(dim, ndim)?;
    let correction = correction.map_or(Ok(1.0), Scalar::to_f64)?;
    let divisor = (reduced_count(self_.shape(), dims) as f64 - correction).max(0.0);
    let grad = restored(grad, dims, ndim, keepdim)?;
    let grad = grad.mul_scalar(Scalar::Float(2.0 / divisor))?;
    let mean = ops::mean::dim::call(self_, Some(&listed(dims, ndim)), true, None)?;
    grad.mul(&self_.sub(&mean)?)
}

/// That of the variance, of `grad / (2 * result)`; 0 where the deviation is.
#[gradient_helper]
pub(crate) fn std_backward(
    result: &Tensor,
    grad: &Tensor,
    self_: &Tensor,
    dim: Option<&[i64]>,
    correction: Option<Scalar>,
    keepdim: bool,
) -> Result<Tensor> {
    let doubled = result.mul_scalar(Scalar::Int(2))?;
    var_backward(&quotient(grad, &doubled)?, self_, dim, correction, keepdim)
}

/// The sum of those of the variance and of the mean, as far as they are wanted.
#[gradient_helper]
pub(crate) fn var_mean_backward(
    grad_var: Option<&Tensor>,
    grad_mean: Option<&Tensor>,
    self_: &Tensor,
    dim: Option<&[i64]>,
    correction: Option<Scalar>,
    keepdim: bool,
) -> Result<Option<Tensor>> {
    let of_var = grad_var.map(|it| var_backward(it, self_, dim, correction, keepdim));
    with_mean(of_var.transpose()?, grad_mean, self_, dim, keepdim)
}

/// The sum of those of the standard deviation and of the mean, as far as they are wanted.
#[gradient_helper]
pub(crate) fn std_mean_backward(
    grad_std: Option<&Tensor>,
    grad_mean: Option<&Tensor>,
    self_: &Tensor,
    result: &Tensor,
    dim: Option<&[i64]>,
    correction: Option<Scalar>,
    keepdim: bool,
) -> Result<Option<Tensor>> {
    let of_std = grad_std.map(|it| std_backward(result, it, self_, dim, correction, keepdim));
    with_mean(of_std.transpose()?, grad_mean, self_, dim, keepdim)
}

/// A gradient and that of a mean, added up.
fn with_mean(
    first: Option<Tensor>,
    grad_mean: Option<&Tensor>,
    self_: &Tensor,
    dim: Option<&[i64]>,
    keepdim: bool,
) -> Result<Option<Tensor>> {
    let numel = self_.numel() as i64;
    let of_mean = |it| mean_backward(it, self_.shape(), dim, numel, keepdim);
    match (first, grad_mean.map(of_mean).transpose()?) {
        (Some(first), Some(second)) => first.add(&second).map(Some),
        (first, second) => Ok(first.or(second)),
    }
}
