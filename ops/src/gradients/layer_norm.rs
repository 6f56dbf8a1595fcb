//! Rows brought to mean 0 and variance 1.

use opwright_macros::gradient_helper;
use opwright_runtime::autograd::is_recording;
use opwright_runtime::{DType, Result, Scalar, Tensor};

use super::copies::{to, widened};
use super::masks::wanted;
use crate::ops::{self, TensorOps};

fn mean(tensor: &Tensor, dims: &[i64]) -> Result<Tensor> {
    ops::mean::dim::call(tensor, Some(dims), true, None)
}

/// The sum over these dimensions, of which there may be none.
fn sum(tensor: &Tensor, dims: &[i64]) -> Result<Tensor> {
    if dims.is_empty() {
        return Ok(tensor.clone());
    }
    ops::sum::dim_IntList::call(tensor, Some(dims), false, None)
}

/// The rows at mean 0 and variance 1, and one over their standard deviations, as functions of the
/// input.
fn normalized(input: &Tensor, dims: &[i64], eps: f64) -> Result<(Tensor, Tensor)> {
    let centered = input.sub(&mean(input, dims)?)?;
    let variance = mean(&centered.mul(&centered)?, dims)?;
    let rstd = variance.add_scalar(Scalar::Float(eps))?.rsqrt()?;
    Ok((centered.mul(&rstd)?, rstd))
}

/// `rstd * (h - mean(h) - x * mean(h * x))`, where `h = grad * weight`.
fn of_input(
    grad: &Tensor,
    weight: Option<&Tensor>,
    (x, rstd): (&Tensor, &Tensor),
    dims: &[i64],
) -> Result<Tensor> {
    let scaled = weight.map_or_else(|| Ok(grad.clone()), |weight| grad.mul(weight))?;
    let along = x.mul(&mean(&scaled.mul(x)?, dims)?)?;
    rstd.mul(&scaled.sub(&mean(&scaled, dims)?)?.sub(&along)?)
}

/// Of the input `rstd * (h - mean(h) - x * mean(h * x))`, where `x` is the normalized input and
/// `h = grad * weight`; of weight and bias the sums of `grad * x` and of `grad` over the rows.
///
/// What was saved of the forward call does not depend on the input as far as recording knows, so
/// that it is calculated anew there.
#[gradient_helper]
#[allow(clippy::too_many_arguments, reason = "as many as the formula says")]
pub(crate) fn native_layer_norm_backward(
    grad: &Tensor,
    input: &Tensor,
    normalized_shape: &[i64],
    mean: &Tensor,
    rstd: &Tensor,
    weight: Option<&Tensor>,
    bias: Option<&Tensor>,
    eps: f64,
    mask: &[bool],
) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
    let leading = input.ndim().saturating_sub(normalized_shape.len()) as i64;
    let rows: Vec<i64> = (0..leading).collect();
    let dims: Vec<i64> = (leading..input.ndim() as i64).collect();
    let (grad, wide) = (widened(grad)?, widened(input)?);
    let is_saved_exactly = wide.dtype() == input.dtype();
    let (x, rstd) = match is_saved_exactly && !is_recording() {
        true => (wide.sub(mean)?.mul(rstd)?, rstd.clone()),
        false => normalized(&wide, &dims, eps)?,
    };
    let dtype_of = |it: Option<&Tensor>| it.map_or(DType::Float32, Tensor::dtype);
    let of_input =
        wanted(mask, 0, || to(&of_input(&grad, weight, (&x, &rstd), &dims)?, input.dtype()))?;
    let of_weight = wanted(mask, 1, || to(&sum(&grad.mul(&x)?, &rows)?, dtype_of(weight)))?;
    let of_bias = wanted(mask, 2, || to(&sum(&grad, &rows)?, dtype_of(bias)))?;
    Ok((of_input, of_weight, of_bias))
}
