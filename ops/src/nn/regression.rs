//! Regression losses: distances of numbers from their targets.

use std::ops::Sub;
use std::sync::atomic::{AtomicBool, Ordering};

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::geometry::broadcast_shapes;
use opwright_runtime::structured::rule;
use opwright_runtime::{
    Complex, Element, Reduction, Result, Scalar, Spec, Tensor, dispatch, ensure, iterate,
};

use super::loss::{ReduceLosses, warn_of_stretching};
use crate::ops::{self, TensorOps};

#[native_op(mse_loss.out, rule)]
fn mse_loss_rule(self_: &Tensor, target: &Tensor, reduction: Reduction) -> Result<Spec> {
    reduction.spec(&[self_, target], "mse_loss")
}

#[native_op(mse_loss.out)]
fn mse_loss_out(
    self_: &Tensor,
    target: &Tensor,
    reduction: Reduction,
    out: &mut Tensor,
) -> Result<()> {
    dispatch!(out.dtype(), "mse_loss", calculated floating, |T| {
        pairwise(self_, target, reduction, out, |d: T| d * d)
    })
}

#[native_op(smooth_l1_loss.out, rule)]
fn smooth_l1_loss_rule(
    self_: &Tensor,
    target: &Tensor,
    reduction: Reduction,
    beta: f64,
) -> Result<Spec> {
    ensure!(beta >= 0.0, Runtime, "negative values for beta are not supported, got {beta}");
    reduction.spec(&[self_, target], "smooth_l1_loss")
}

#[native_op(smooth_l1_loss.out)]
fn smooth_l1_loss_out(
    self_: &Tensor,
    target: &Tensor,
    reduction: Reduction,
    beta: f64,
    out: &mut Tensor,
) -> Result<()> {
    dispatch!(out.dtype(), "smooth_l1_loss", calculated floating, |T| {
        let beta = beta as T;
        pairwise(self_, target, reduction, out, |d: T| {
            let d = d.abs();
            if d < beta { 0.5 * d * d / beta } else { d - 0.5 * beta }
        })
    })
}

#[native_op(huber_loss.out, rule)]
fn huber_loss_rule(
    self_: &Tensor,
    target: &Tensor,
    reduction: Reduction,
    delta: f64,
) -> Result<Spec> {
    ensure!(delta > 0.0, Runtime, "non-positive values for delta are not supported, got {delta}");
    reduction.spec(&[self_, target], "huber_loss")
}

#[native_op(huber_loss.out)]
fn huber_loss_out(
    self_: &Tensor,
    target: &Tensor,
    reduction: Reduction,
    delta: f64,
    out: &mut Tensor,
) -> Result<()> {
    dispatch!(out.dtype(), "huber_loss", calculated floating, |T| {
        let delta = delta as T;
        pairwise(self_, target, reduction, out, |d: T| {
            let d = d.abs();
            if d <= delta { 0.5 * d * d } else { delta * (d - 0.5 * delta) }
        })
    })
}

#[native_op(l1_loss)]
fn l1_loss(self_: &Tensor, target: &Tensor, reduction: Reduction) -> Result<Tensor> {
    warn_of_stretching(&[self_, target], "l1_loss");
    let spec = rule::elementwise(&[self_, target])?;
    let is_complex = spec.dtype().is_complex_number();
    let spec = spec.clone().with_dtype(spec.dtype().to_real());
    let spec = reduction.of_losses(spec, "l1_loss")?;
    let mut out = spec.allocate()?;
    if spec.device().is_meta() {
        return Ok(out);
    }
    if is_complex {
        type C = Complex<f64>;
        pairwise(self_, target, reduction, &mut out, |d: C| d.norm())?;
    } else {
        dispatch!(out.dtype(), "l1_loss", calculated floating, |T| {
            pairwise(self_, target, reduction, &mut out, |d: T| d.abs())
        })?;
    }
    Ok(out)
}

/// Writes the losses of all differences, reduced.
fn pairwise<T: Element + Sub<Output = T>, L: Element>(
    input: &Tensor,
    target: &Tensor,
    reduction: Reduction,
    out: &mut Tensor,
    loss: impl Fn(T) -> L + Sync,
) -> Result<()> {
    let shape = broadcast_shapes(&[input.shape(), target.shape()])?;
    reduction.write(&shape, out, |losses| {
        iterate::binary(input, target, losses, |x: T, y: T| loss(x - y))
    })
}

#[native_op(binary_cross_entropy.out, rule)]
fn binary_cross_entropy_rule(
    self_: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: Reduction,
) -> Result<Spec> {
    ensure!(
        self_.shape() == target.shape(),
        Value,
        "argument 'target' must have the shape of the input, {:?}, but has {:?}",
        self_.shape(),
        target.shape()
    );
    let inputs: Vec<&Tensor> = [self_, target].into_iter().chain(weight).collect();
    reduction.spec(&inputs, "binary_cross_entropy")
}

#[native_op(binary_cross_entropy.out)]
fn binary_cross_entropy_out(
    self_: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: Reduction,
    out: &mut Tensor,
) -> Result<()> {
    let shapes: Vec<&[i64]> =
        [self_, target].into_iter().chain(weight).map(Tensor::shape).collect();
    let shape = broadcast_shapes(&shapes)?;
    let one = Tensor::from_scalar(1.into(), out.dtype())?;
    let is_outside = AtomicBool::new(false);
    // Nothing is written if a probability is refused.
    let mut made = Tensor::allocate(out.shape(), out.dtype(), out.device())?;
    dispatch!(out.dtype(), "binary_cross_entropy", calculated floating, |T| {
        reduction.write(&shape, &mut made, |losses| {
            iterate::ternary(self_, target, weight.unwrap_or(&one), losses, |x: T, y: T, w: T| {
                if !(0.0..=1.0).contains(&x) {
                    is_outside.store(true, Ordering::Relaxed);
                }
                // A logarithm of 0 counts as -100, so that the loss stays finite.
                let (yes, no) = (x.ln().max(-100.0), (-x).ln_1p().max(-100.0));
                ((y - 1.0) * no - y * yes) * w
            })
        })
    })?;
    ensure!(
        !is_outside.load(Ordering::Relaxed),
        Runtime,
        "all elements of input should be between 0 and 1"
    );
    out.copy_from(&made)
}

/// `slope * grad`, over the number of elements if the loss is a mean.
fn reduced(grad: &Tensor, slope: &Tensor, reduction: Reduction) -> Result<Tensor> {
    if reduction == Reduction::Mean {
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
    reduction: Reduction,
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
    reduction: Reduction,
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
    reduction: Reduction,
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
    reduction: Reduction,
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
    reduction: Reduction,
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

/// Of distances: `sgn(self - target)`.
#[gradient_helper]
pub(crate) fn l1_loss_backward(
    grad: &Tensor,
    self_: &Tensor,
    target: &Tensor,
    reduction: Reduction,
) -> Result<Tensor> {
    reduced(grad, &self_.sub(target)?.sgn()?, reduction)
}
