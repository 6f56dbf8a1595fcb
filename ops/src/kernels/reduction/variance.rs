//! Variances and standard deviations.

use num_complex::Complex;
use opwright_macros::native_op;
use opwright_runtime::geometry::DimSet;
use opwright_runtime::structured::Spec;
use opwright_runtime::{DType, Result, Scalar, Tensor, dispatch, ensure, view, warning};

use super::moments::{Moments, Outputs, reduce_moments};
use super::space::reduced;
use crate::ops;

/// The variance, or its square root.
#[derive(Clone, Copy)]
enum Measure {
    Variance,
    Deviation,
}

impl Measure {
    fn run(self, input: &Tensor, dims: DimSet, correction: f64, out: Outputs<'_>) -> Result<()> {
        warn_of_few(input, dims, correction);
        if input.dtype().is_complex_number() {
            let finish = |all: Moments<Complex<f64>>| self.of(all.variance(correction));
            dispatch!(input.dtype(), "std_var", complex_number, |T| {
                reduce_moments::<T, Complex<f64>>(input, dims, out, finish)
            })
        } else {
            let finish = |all: Moments<f64>| self.of(all.variance(correction));
            dispatch!(input.dtype(), "std_var", floating, |T| {
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
            let correction = divisor(correction)?;
            let outputs = Outputs { measure: &mut out, mean: Some(&mut mean) };
            self.run(input, dims, correction, outputs)?;
            if matches!(self, Measure::Deviation) && squares_may_be_off(input, &out)? {
                deviation_of_shares(input, dims, correction, &mut out)?;
            }
        }
        Ok((out, mean))
    }
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
    Measure::Variance.run(self_, dims, divisor(correction)?, Outputs { measure: out, mean: None })
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
    let correction = divisor(correction)?;
    Measure::Deviation.run(self_, dims, correction, Outputs { measure: out, mean: None })?;
    if squares_may_be_off(self_, out)? {
        return deviation_of_shares(self_, dims, correction, out);
    }
    Ok(())
}

/// Whether squares may have become infinite or zero on the way to a deviation.
fn squares_may_be_off(input: &Tensor, out: &Tensor) -> Result<bool> {
    if input.dtype() != DType::Float64 || input.numel() == 0 || !out.is_contiguous() {
        // Squares of smaller dtypes are usual numbers of `f64`.
        return Ok(false);
    }
    // SAFETY: the output is ours while the operator runs.
    let found = unsafe { out.as_slice::<f64>()? };
    Ok(found.iter().any(|&it| it < 1e-150 || !it.is_finite()))
}

/// The deviation of shares of the greatest number, times this.
fn deviation_of_shares(
    input: &Tensor,
    dims: DimSet,
    correction: f64,
    out: &mut Tensor,
) -> Result<()> {
    let listed: Vec<i64> =
        (0..input.ndim()).filter(|&it| dims.contains(it)).map(|it| it as i64).collect();
    let most = ops::amax::Default_::call(&ops::abs::Default_::call(input)?, &listed, true)?;
    let is_zero = ops::eq::Scalar::call(&most, 0.0.into())?;
    let most = ops::masked_fill::Scalar::call(&most, &is_zero, 1.0.into())?;
    let shares = ops::div::Tensor::call(input, &most)?;
    let mut deviations = Tensor::allocate(most.shape(), out.dtype(), out.device())?;
    let outputs = Outputs { measure: &mut deviations, mean: None };
    Measure::Deviation.run(&shares, dims, correction, outputs)?;
    let deviations = ops::mul::Tensor::call(&deviations, &most)?;
    out.copy_from(&view::reshape(&deviations, out.shape())?)
}

#[native_op(
    "var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)",
    key = CPU | Meta
)]
fn var_mean_correction(
    self_: &Tensor,
    dim: Option<&[i64]>,
    correction: Option<Scalar>,
    keepdim: bool,
) -> Result<(Tensor, Tensor)> {
    Measure::Variance.with_mean(self_, dim, correction, keepdim)
}

#[native_op(
    "std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)",
    key = CPU | Meta
)]
fn std_mean_correction(
    self_: &Tensor,
    dim: Option<&[i64]>,
    correction: Option<Scalar>,
    keepdim: bool,
) -> Result<(Tensor, Tensor)> {
    Measure::Deviation.with_mean(self_, dim, correction, keepdim)
}
