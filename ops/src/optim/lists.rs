//! Lists that say of each parameter what a step needs.

use std::fmt;

use opwright_runtime::{Result, Tensor, ensure, structured};

use crate::ops;

/// That parameters have a dtype that steps are calculated in.
pub(super) fn check_parameters(parameters: &[&mut Tensor]) -> Result<()> {
    for (at, parameter) in parameters.iter().enumerate() {
        ensure!(
            parameter.dtype().is_floating(),
            Runtime,
            "parameter {at} must be of a floating dtype, but is {}",
            parameter.dtype()
        );
    }
    Ok(())
}

/// That a list has a tensor for each parameter, which is like that.
pub(super) fn check_like(
    name: &str,
    list: &[&mut Tensor],
    parameters: &[&mut Tensor],
) -> Result<()> {
    check_length(name, list.len(), parameters.len())?;
    for (at, (tensor, parameter)) in list.iter().zip(parameters).enumerate() {
        ensure!(
            tensor.dtype() == parameter.dtype(),
            Runtime,
            "`{name}[{at}]` must be {}, as parameter {at} is, but is {}",
            parameter.dtype(),
            tensor.dtype()
        );
        ensure!(
            tensor.shape() == parameter.shape(),
            Runtime,
            "`{name}[{at}]` must have the shape {:?} of parameter {at}, but has {:?}",
            parameter.shape(),
            tensor.shape()
        );
    }
    Ok(())
}

pub(super) fn check_length(name: &str, length: usize, parameters: usize) -> Result<()> {
    ensure!(
        length == parameters,
        Runtime,
        "`{name}` must have a tensor for each of the {parameters} parameters, but has {length}"
    );
    Ok(())
}

/// The number in a tensor of one element.
pub(super) fn number(name: impl fmt::Display, tensor: &Tensor) -> Result<f64> {
    structured::number(name, tensor)?.to_f64()
}

/// Whether a step is not to be taken, since somebody has found that gradients are infinite.
pub(super) fn is_skipped(found_inf: Option<&Tensor>) -> Result<bool> {
    found_inf.map_or(Ok(false), |found| Ok(number("found_inf", found)? != 0.0))
}

/// Divides gradients by what a loss was multiplied with.
pub(super) fn unscale(grads: &mut [&mut Tensor], grad_scale: Option<&Tensor>) -> Result<()> {
    if let Some(scale) = grad_scale {
        number("grad_scale", scale)?;
        grads.iter_mut().try_for_each(|it| ops::div_::Tensor::call(it, scale))?;
    }
    Ok(())
}

/// Whether there is nothing to write to.
pub(super) fn is_meta(parameters: &[&mut Tensor]) -> bool {
    parameters.iter().any(|it| it.device().is_meta())
}
