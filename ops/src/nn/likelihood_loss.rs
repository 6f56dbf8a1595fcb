//! Losses that are likelihoods: of counts, and of one distribution under another.

use opwright_macros::native_op;
use opwright_runtime::{Reduction, Result, Scalar, Tensor};

use super::loss::reduced_losses;
use crate::ops::{self, TensorOps};

#[native_op(kl_div)]
fn kl_div(
    self_: &Tensor,
    target: &Tensor,
    reduction: Reduction,
    log_target: bool,
) -> Result<Tensor> {
    let losses = match log_target {
        true => target.exp()?.mul(&target.sub(self_)?)?,
        // Of a probability of 0 nothing, though its logarithm is infinite.
        false => target.xlogy(target)?.sub(&target.mul(self_)?)?,
    };
    reduced_losses(losses, reduction)
}

#[native_op(poisson_nll_loss)]
fn poisson_nll_loss(
    input: &Tensor,
    target: &Tensor,
    log_input: bool,
    full: bool,
    eps: f64,
    reduction: Reduction,
) -> Result<Tensor> {
    let mut losses = match log_input {
        true => input.exp()?.sub(&target.mul(input)?)?,
        false => {
            let logarithm = input.add_scalar(Scalar::Float(eps))?.log()?;
            input.sub(&target.mul(&logarithm)?)?
        }
    };
    if full {
        losses = losses.add(&log_factorial(target)?)?;
    }
    reduced_losses(losses, reduction)
}

/// The logarithm of a factorial by Stirling's formula; 0 up to 1.
fn log_factorial(count: &Tensor) -> Result<Tensor> {
    let root = count.mul_scalar(Scalar::Float(std::f64::consts::TAU))?.log()?;
    let root = root.mul_scalar(Scalar::Float(0.5))?;
    let stirling = count.mul(&count.log()?)?.sub(count)?.add(&root)?;
    ops::masked_fill::Scalar::call(&stirling, &count.le_scalar(Scalar::Int(1))?, Scalar::Int(0))
}
