//! Losses: what a prediction costs, for each element, as their mean or as their sum.

use opwright_macros::gradient_helper;
use opwright_runtime::{DType, Result, Scalar, Tensor};

use super::copies::to;
use super::masks::kept_where;
use crate::ops::{self, TensorOps};

/// The number of the reduction to a mean.
const MEAN: i64 = 1;

/// `slope * grad`, over the number of elements if the loss is a mean.
fn reduced(grad: &Tensor, slope: &Tensor, reduction: i64) -> Result<Tensor> {
    if reduction == MEAN {
        let count = Scalar::Int(slope.numel() as i64);
        return slope.mul(&grad.div_scalar(count)?);
    }
    slope.mul(grad)
}

fn weighted(slope: Tensor, weight: Option<&Tensor>) -> Result<Tensor> {
    match weight {
        Some(weight) => slope.mul(weight),
        None => Ok(slope),
    }
}

/// `1 - tensor`
fn one_minus(tensor: &Tensor) -> Result<Tensor> {
    ops::rsub::Scalar::call(tensor, Scalar::Int(1), Scalar::Int(1))
}

/// Of squares: `2 * (self - target)`.
#[gradient_helper]
pub(crate) fn mse_loss_backward(
    grad: &Tensor,
    self_: &Tensor,
    target: &Tensor,
    reduction: i64,
) -> Result<Tensor> {
    let slope = self_.sub(target)?.mul_scalar(Scalar::Int(2))?;
    reduced(grad, &slope, reduction)
}

/// Of squares below `beta`, and of sizes above: `d / beta` and `sign(d)`, where
/// `d = self - target`.
#[gradient_helper]
pub(crate) fn smooth_l1_loss_backward(
    grad: &Tensor,
    self_: &Tensor,
    target: &Tensor,
    reduction: i64,
    beta: f64,
) -> Result<Tensor> {
    let difference = self_.sub(target)?;
    let mut slope = difference.sign()?;
    if beta != 0.0 {
        let beta = Scalar::Float(beta);
        let is_near = difference.abs()?.lt_scalar(beta)?;
        slope = ops::r#where::self_::call(&is_near, &difference.div_scalar(beta)?, &slope)?;
    }
    reduced(grad, &slope, reduction)
}

/// Of squares up to `delta`, and of sizes above: `d` and `delta * sign(d)`, where
/// `d = self - target`.
#[gradient_helper]
pub(crate) fn huber_loss_backward(
    grad: &Tensor,
    self_: &Tensor,
    target: &Tensor,
    reduction: i64,
    delta: f64,
) -> Result<Tensor> {
    let (difference, delta) = (self_.sub(target)?, Scalar::Float(delta));
    let is_near = difference.abs()?.le_scalar(delta)?;
    let far = difference.sign()?.mul_scalar(delta)?;
    let slope = ops::r#where::self_::call(&is_near, &difference, &far)?;
    reduced(grad, &slope, reduction)
}

/// `weight * (self - target) / ((1 - self) * self)`; next to 0 and 1 as
/// `weight * ((1 - target) / (1 - self) - target / self)`, with denominators of at least 1e-12.
#[gradient_helper]
pub(crate) fn binary_cross_entropy_backward(
    grad: &Tensor,
    self_: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: i64,
) -> Result<Tensor> {
    let least = Scalar::Float(1e-12);
    let variance = one_minus(self_)?.mul(self_)?;
    let is_edge = variance.lt_scalar(least)?;
    let variance = variance.masked_fill(&is_edge, Scalar::Int(1))?;
    let between = self_.sub(target)?.div(&variance)?;
    let above = one_minus(target)?.div(&one_minus(self_)?.clamp_min(least)?)?;
    let edge = above.sub(&target.div(&self_.clamp_min(least)?)?)?;
    let slope = ops::r#where::self_::call(&is_edge, &edge, &between)?;
    reduced(grad, &weighted(slope, weight)?, reduction)
}

/// Of the target: `weight * (log(1 - self) - log(self))`, of logarithms no less than -100.
#[gradient_helper]
pub(crate) fn binary_cross_entropy_target_backward(
    grad: &Tensor,
    self_: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: i64,
) -> Result<Tensor> {
    let log = |of: &Tensor| of.log()?.clamp_min(Scalar::Int(-100));
    let mut slope = log(&one_minus(self_)?)?.sub(&log(self_)?)?;
    if slope.shape() != target.shape() {
        // It has the shape of the losses.
        let ones = ops::ones_like::Default_::call(target, None, None, None, None, None)?;
        slope = slope.mul(&ones)?;
    }
    reduced(grad, &weighted(slope, weight)?, reduction)
}

/// `-weight[target] * grad` at the target of each row that is not ignored, and 0 elsewhere; over
/// the sum of these weights if the loss is a mean.
#[gradient_helper]
pub(crate) fn nll_loss_backward(
    grad: &Tensor,
    self_: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: i64,
    ignore_index: i64,
    total_weight: &Tensor,
) -> Result<Tensor> {
    let rows = &self_.shape()[..self_.ndim().saturating_sub(1)];
    let target = to(target, DType::Int64)?.reshape(rows)?;
    let counts = target.ne_scalar(Scalar::Int(ignore_index))?;
    let class = kept_where(&target, &counts)?;
    let share = if reduction == MEAN { grad.div(total_weight)? } else { grad.clone() };
    let share = match weight {
        Some(weight) => share.mul(&weight.take(&class)?)?,
        None => share.expand_as(&class)?,
    };
    let at_target = kept_where(&share.neg()?, &counts)?.unsqueeze(-1)?;
    let zeros = ops::zeros_like::Default_::call(self_, None, None, None, None, None)?;
    ops::scatter::src::call(&zeros, -1, &class.unsqueeze(-1)?, &at_target)
}

/// Of distances: `sgn(self - target)`.
#[gradient_helper]
pub(crate) fn l1_loss_backward(
    grad: &Tensor,
    self_: &Tensor,
    target: &Tensor,
    reduction: i64,
) -> Result<Tensor> {
    reduced(grad, &self_.sub(target)?.sgn()?, reduction)
}
