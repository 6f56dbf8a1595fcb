//! Activations that are straight lines, piece by piece.

use std::cmp::Ordering;

use opwright_macros::native_op;
use opwright_runtime::dtype::{Float, Real};
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

#[native_op(leaky_relu.out, elementwise, dtypes = floating, numbers = negative_slope)]
fn leaky_relu_out<T: Float>(x: T, negative_slope: T) -> T {
    if x > T::ZERO { x } else { x * negative_slope }
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

#[native_op(hardsigmoid.out, elementwise, dtypes = floating)]
fn hardsigmoid_out<T: Float>(x: T) -> T {
    ramp(x) / T::constant(6.0)
}

#[native_op(hardswish.out, elementwise, dtypes = floating)]
fn hardswish_out<T: Float>(x: T) -> T {
    x * ramp(x) / T::constant(6.0)
}

/// `x + 3`, from 0 to 6.
#[inline(always)]
fn ramp<T: Float>(x: T) -> T {
    num_traits::clamp(x + T::constant(3.0), T::ZERO, T::constant(6.0))
}

#[native_op(threshold.out, elementwise, dtypes = real, numbers = [threshold, value])]
fn threshold_out<T: Real>(x: T, threshold: T, value: T) -> T {
    if x <= threshold { value } else { x }
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
