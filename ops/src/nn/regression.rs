//! How far numbers are from those they should be.

use std::ops::Sub;
use std::sync::atomic::{AtomicBool, Ordering};

use opwright_macros::native_op;
use opwright_runtime::geometry::broadcast_shapes;
use opwright_runtime::structured::rule;
use opwright_runtime::{Complex, Element, Result, Spec, Tensor, dispatch, ensure, iterate};

use super::loss::{Reduction, warn_of_stretching};

#[native_op(mse_loss.out, rule)]
fn mse_loss_rule(self_: &Tensor, target: &Tensor, reduction: i64) -> Result<Spec> {
    Reduction::of(reduction)?.spec(&[self_, target], "mse_loss")
}

#[native_op(mse_loss.out)]
fn mse_loss_out(self_: &Tensor, target: &Tensor, reduction: i64, out: &mut Tensor) -> Result<()> {
    dispatch!(out.dtype(), "mse_loss", calculated floating, |T| {
        pairwise(self_, target, reduction, out, |d: T| d * d)
    })
}

#[native_op(smooth_l1_loss.out, rule)]
fn smooth_l1_loss_rule(self_: &Tensor, target: &Tensor, reduction: i64, beta: f64) -> Result<Spec> {
    ensure!(beta >= 0.0, Runtime, "negative values for beta are not supported, got {beta}");
    Reduction::of(reduction)?.spec(&[self_, target], "smooth_l1_loss")
}

#[native_op(smooth_l1_loss.out)]
fn smooth_l1_loss_out(
    self_: &Tensor,
    target: &Tensor,
    reduction: i64,
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
fn huber_loss_rule(self_: &Tensor, target: &Tensor, reduction: i64, delta: f64) -> Result<Spec> {
    ensure!(delta > 0.0, Runtime, "non-positive values for delta are not supported, got {delta}");
    Reduction::of(reduction)?.spec(&[self_, target], "huber_loss")
}

#[native_op(huber_loss.out)]
fn huber_loss_out(
    self_: &Tensor,
    target: &Tensor,
    reduction: i64,
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
fn l1_loss(self_: &Tensor, target: &Tensor, reduction: i64) -> Result<Tensor> {
    warn_of_stretching(&[self_, target], "l1_loss");
    let spec = rule::elementwise(&[self_, target])?;
    let is_complex = spec.dtype().is_complex_number();
    let spec = spec.clone().with_dtype(spec.dtype().to_real());
    let spec = Reduction::of(reduction)?.of_losses(spec, "l1_loss")?;
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
    reduction: i64,
    out: &mut Tensor,
    loss: impl Fn(T) -> L + Sync,
) -> Result<()> {
    let shape = broadcast_shapes(&[input.shape(), target.shape()])?;
    Reduction::of(reduction)?.write(&shape, out, |losses| {
        iterate::binary(input, target, losses, |x: T, y: T| loss(x - y))
    })
}

#[native_op(binary_cross_entropy.out, rule)]
fn binary_cross_entropy_rule(
    self_: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: i64,
) -> Result<Spec> {
    ensure!(
        self_.shape() == target.shape(),
        Value,
        "argument 'target' must have the shape of the input, {:?}, but has {:?}",
        self_.shape(),
        target.shape()
    );
    let inputs: Vec<&Tensor> = [self_, target].into_iter().chain(weight).collect();
    Reduction::of(reduction)?.spec(&inputs, "binary_cross_entropy")
}

#[native_op(binary_cross_entropy.out)]
fn binary_cross_entropy_out(
    self_: &Tensor,
    target: &Tensor,
    weight: Option<&Tensor>,
    reduction: i64,
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
        Reduction::of(reduction)?.write(&shape, &mut made, |losses| {
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
