//! Activations that are straight lines, piece by piece.

use std::cmp::Ordering;

use opwright_macros::native_op;
use opwright_runtime::dtype::Real;
use opwright_runtime::{DType, Result, Scalar, Tensor, ensure, iterate};

use super::apply::{fresh, inplace};
use crate::kernels::calculate::calculate;

#[native_op(relu)]
fn relu(self_: &Tensor) -> Result<Tensor> {
    check_number(self_)?;
    fresh(self_, &rectify)
}

#[native_op(relu_)]
fn relu_(self_: &mut Tensor) -> Result<()> {
    check_number(self_)?;
    inplace(self_, &rectify)
}

fn check_number(tensor: &Tensor) -> Result<()> {
    ensure!(tensor.dtype() != DType::Bool, Runtime, "Boolean inputs not supported for relu");
    Ok(())
}

fn rectify(input: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "relu", real, |T| iterate::unary(input, out, rectified::<T>))
}

fn rectified<T: Real>(x: T) -> T {
    // Not `x > 0`: what is not a number stays.
    if x < T::ZERO { T::ZERO } else { x }
}

#[native_op(leaky_relu.out)]
fn leaky_relu_out(self_: &Tensor, negative_slope: Scalar, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "leaky_relu", floating, |T| {
        let slope: T = negative_slope.checked()?;
        iterate::unary(self_, out, |x: T| if x > 0.0 { x } else { x * slope })
    })
}

#[native_op(hardtanh.out)]
fn hardtanh_out(self_: &Tensor, min_val: Scalar, max_val: Scalar, out: &mut Tensor) -> Result<()> {
    ensure!(
        !out.dtype().is_integral() || out.dtype().is_signed_number() || min_val.to_f64()? >= 0.0,
        Runtime,
        "cannot do hardtanh on an unsigned type with negative limits"
    );
    ensure!(
        // Limits that are not numbers are in no order, and refused by nobody.
        min_val.to_f64()?.partial_cmp(&max_val.to_f64()?) != Some(Ordering::Greater),
        Value,
        "min_val {} cannot be greater than max_val {}",
        min_val.to_f64()?,
        max_val.to_f64()?
    );
    calculate!(out.dtype(), "hardtanh", real, |T| {
        let (least, most): (T, T) = (min_val.checked()?, max_val.checked()?);
        iterate::unary(self_, out, |x: T| {
            if x < least {
                least
            } else if x > most {
                most
            } else {
                x
            }
        })
    })
}

#[native_op(hardsigmoid.out)]
fn hardsigmoid_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "hardsigmoid", floating, |T| {
        iterate::unary(self_, out, |x: T| (x + 3.0).clamp(0.0, 6.0) / 6.0)
    })
}

#[native_op(hardswish.out)]
fn hardswish_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "hardswish", floating, |T| {
        iterate::unary(self_, out, |x: T| x * (x + 3.0).clamp(0.0, 6.0) / 6.0)
    })
}

#[native_op(threshold.out)]
fn threshold_out(self_: &Tensor, threshold: Scalar, value: Scalar, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "threshold", real, |T| {
        let (threshold, value): (T, T) = (threshold.checked()?, value.checked()?);
        iterate::unary(self_, out, |x: T| if x <= threshold { value } else { x })
    })
}

#[native_op(softshrink.out)]
fn softshrink_out(self_: &Tensor, lambd: Scalar, out: &mut Tensor) -> Result<()> {
    ensure!(
        lambd.to_f64()? >= 0.0,
        Runtime,
        "lambda must be greater or equal to 0, but found to be {lambd}."
    );
    calculate!(out.dtype(), "softshrink", floating, |T| {
        let width: T = lambd.checked()?;
        iterate::unary(self_, out, |x: T| {
            if x > width {
                x - width
            } else if x < -width {
                x + width
            } else {
                // What is not a number stays.
                x * 0.0
            }
        })
    })
}
