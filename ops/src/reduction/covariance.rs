//! Covariance and correlation of variables, whose observations are the columns of a matrix.

use opwright_macros::native_op;
use opwright_runtime::{Result, Scalar, Tensor, ensure, warning};

use crate::ops::{self, TensorOps};

#[native_op(cov)]
fn cov(
    self_: &Tensor,
    correction: i64,
    fweights: Option<&Tensor>,
    aweights: Option<&Tensor>,
) -> Result<Tensor> {
    check_variables(self_)?;
    ensure!(!self_.dtype().is_boolean(), Runtime, "bool dtype is not supported for input");
    let rows = if self_.ndim() < 2 { self_.reshape(&[1, -1])? } else { self_.clone() };
    let count = rows.shape()[1];
    let weights = weights(count, fweights, aweights)?;
    let (mean, factor) = match &weights {
        None => {
            let sum = ops::sum::dim_IntList::call(&rows, Some(&[1]), false, None)?;
            (
                sum.div_scalar(Scalar::Int(count))?,
                Weighting::Known(count.saturating_sub(correction)),
            )
        }
        Some(weights) => {
            let total = weights.sum()?;
            ensure!(
                total.device().is_meta() || total.is_nonzero()?,
                Runtime,
                "weights sum to zero, can't be normalized"
            );
            let sum = ops::sum::dim_IntList::call(&rows.mul(weights)?, Some(&[1]), false, None)?;
            (sum.div(&total)?, weighted_factor(weights, aweights, &total, correction)?)
        }
    };
    let centered = rows.sub(&mean.unsqueeze(1)?)?;
    let other = match &weights {
        None => centered.clone(),
        Some(weights) => centered.mul(weights)?,
    };
    let products = centered.mm(&other.t()?.conj()?)?;
    let normalized = match factor {
        Weighting::Known(factor) => products.div_scalar(Scalar::Int(checked(factor)))?,
        Weighting::Weighted(factor) => products.div(&factor)?,
    };
    normalized.squeeze()
}

/// What the sum of products is divided by.
enum Weighting {
    Known(i64),
    Weighted(Tensor),
}

fn weighted_factor(
    weights: &Tensor,
    aweights: Option<&Tensor>,
    total: &Tensor,
    correction: i64,
) -> Result<Weighting> {
    let factor = match aweights {
        Some(aweights) if correction != 0 => {
            let squares = weights.mul(aweights)?.sum()?.div(total)?;
            total.sub(&squares.mul_scalar(Scalar::Int(correction))?)?
        }
        _ => ops::sub::Scalar::call(total, Scalar::Int(correction), Scalar::Int(1))?,
    };
    if factor.device().is_meta() || factor.gt_scalar(Scalar::Int(0))?.is_nonzero()? {
        return Ok(Weighting::Weighted(factor));
    }
    Ok(Weighting::Known(checked(0)))
}

/// Warns of a factor that is not positive, for which there is 0.
fn checked(factor: i64) -> i64 {
    if factor <= 0 {
        warning::warn(
            "cov(): degrees of freedom is <= 0. Correction should be strictly less than the number \
             of observations.",
        );
    }
    factor.max(0)
}

fn check_variables(tensor: &Tensor) -> Result<()> {
    ensure!(
        tensor.ndim() <= 2,
        Runtime,
        "expected input to have two or fewer dimensions but got an input with {} dimensions",
        tensor.ndim()
    );
    Ok(())
}

/// How much each observation counts: the product of both kinds of weights.
fn weights(
    count: i64,
    fweights: Option<&Tensor>,
    aweights: Option<&Tensor>,
) -> Result<Option<Tensor>> {
    if let Some(weights) = fweights {
        let dtype = weights.dtype();
        let is_integral = dtype.is_integral() && !dtype.is_boolean();
        check_weights("fweights", weights, count, is_integral, "integral")?;
    }
    if let Some(weights) = aweights {
        check_weights("aweights", weights, count, weights.dtype().is_floating(), "floating point")?;
    }
    match (fweights, aweights) {
        (Some(one), Some(other)) => one.mul(other).map(Some),
        (one, other) => Ok(one.or(other).cloned()),
    }
}

fn check_weights(
    name: &str,
    weights: &Tensor,
    count: i64,
    has_kind: bool,
    kind: &str,
) -> Result<()> {
    ensure!(
        weights.ndim() <= 1,
        Runtime,
        "expected {name} to have one or fewer dimensions but got {name} with {} dimensions",
        weights.ndim()
    );
    ensure!(
        has_kind,
        Runtime,
        "expected {name} to have {kind} dtype but got {name} with {} dtype",
        weights.dtype().name()
    );
    ensure!(
        weights.numel() as i64 == count,
        Runtime,
        "expected {name} to have the same numel as there are observations in the input but got {} \
         != {count}",
        weights.numel()
    );
    if count > 0 && !weights.device().is_meta() {
        let is_negative = weights.lt_scalar(Scalar::Int(0))?.any()?.is_nonzero()?;
        ensure!(!is_negative, Runtime, "{name} cannot be negative");
    }
    Ok(())
}

#[native_op(corrcoef)]
fn corrcoef(self_: &Tensor) -> Result<Tensor> {
    check_variables(self_)?;
    let covariance = ops::cov::Default_::call(self_, 1, None, None)?;
    if covariance.ndim() == 0 {
        // 1, or no number where the covariance is none.
        return covariance.div(&covariance);
    }
    let variance = real(&ops::diagonal::Default_::call(&covariance, 0, 0, 1)?)?;
    let deviation = variance.sqrt()?;
    let rows = covariance.div(&deviation.unsqueeze(1)?)?;
    let both = rows.div(&deviation.unsqueeze(0)?)?;
    if both.dtype().is_complex_number() {
        let (re, im) = (ops::real::Default_::call(&both)?, ops::imag::Default_::call(&both)?);
        return ops::complex::Default_::call(&bounded(&re)?, &bounded(&im)?);
    }
    bounded(&both)
}

fn real(tensor: &Tensor) -> Result<Tensor> {
    match tensor.dtype().is_complex_number() {
        true => ops::real::Default_::call(tensor),
        false => Ok(tensor.clone()),
    }
}

/// Rounding may lead beyond what coefficients can be.
fn bounded(tensor: &Tensor) -> Result<Tensor> {
    ops::clamp::Default_::call(tensor, Some(Scalar::Int(-1)), Some(Scalar::Int(1)))
}
