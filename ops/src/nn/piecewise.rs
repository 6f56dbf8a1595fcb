//! Activations that are straight lines, piece by piece.

use std::cmp::Ordering;

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::{Element, Float, Real};
use opwright_runtime::iterate::Each;
use opwright_runtime::{DType, Error, Result, Scalar, Tensor, ensure};

use crate::gradient::{finite, float, kept_where, zeroed_where};
use crate::ops::{self, TensorOps};

#[native_op(relu, elementwise, dtypes = real)]
fn relu<T: Real>(x: T) -> T {
    // Not `x > 0`: what is not a number stays.
    if x < T::ZERO { T::ZERO } else { x }
}

#[native_op(relu, elementwise, dtypes = [bool])]
fn relu_of_bools<T>(_: Each<'_, T, T>) -> Result<()> {
    Err(Error::runtime(NO_NUMBERS))
}

#[native_op(relu_)]
fn relu_(self_: &mut Tensor) -> Result<()> {
    ensure!(self_.dtype() != DType::Bool, Runtime, "{NO_NUMBERS}");
    let input = self_.clone();
    relu::inner_loop(self_.dtype(), &mut |it| match input.device().is_meta() {
        true => Ok(()),
        false => it.over_tensors([&input], [&mut *self_]),
    })
}

const NO_NUMBERS: &str = "Boolean inputs not supported for relu";

#[native_op(leaky_relu.out, elementwise, dtypes = floating, numbers = negative_slope)]
fn leaky_relu_out<T: Float>(x: T, negative_slope: T) -> T {
    if x > T::ZERO { x } else { x * negative_slope }
}

#[native_op(hardtanh.out, elementwise, dtypes = real)]
fn hardtanh_out<T: Element + Real>(
    each: Each<'_, T, T>,
    min_val: Scalar,
    max_val: Scalar,
) -> Result<()> {
    let dtype = each.dtype();
    ensure!(
        !dtype.is_integral() || dtype.is_signed_number() || min_val.to_f64()? >= 0.0,
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
    let (least, most): (T, T) = (min_val.checked()?, max_val.checked()?);
    each.run(|x| {
        if x < least {
            least
        } else if x > most {
            most
        } else {
            x
        }
    })
}

#[native_op(hardsigmoid.out, elementwise, dtypes = floating)]
fn hardsigmoid_out<T: Float>(x: T) -> T {
    ramp(x) / T::constant(6.0)
}

#[native_op(hardswish.out, elementwise, dtypes = floating)]
fn hardswish_out<T: Float>(x: T) -> T {
    // An infinite `x` times 0 would be no number, and a large one times 6 infinite.
    if x <= T::constant(-3.0) { -T::ZERO } else { x * (ramp(x) / T::constant(6.0)) }
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

#[native_op(softshrink.out, elementwise, dtypes = floating)]
fn softshrink_out<T: Element + Float>(each: Each<'_, T, T>, lambd: Scalar) -> Result<()> {
    ensure!(
        lambd.to_f64()? >= 0.0,
        Runtime,
        "lambda must be greater or equal to 0, but found to be {lambd}."
    );
    let width: T = lambd.checked()?;
    each.run(|x| {
        if x > width {
            x - width
        } else if x < -width {
            x + width
        } else {
            // What is not a number stays.
            x * T::ZERO
        }
    })
}

/// 0 where `self <= threshold`, and `grad` elsewhere.
#[gradient_helper]
pub(crate) fn threshold_backward(
    grad: &Tensor,
    self_: &Tensor,
    threshold: Scalar,
) -> Result<Tensor> {
    zeroed_where(grad, &self_.le_scalar(threshold)?)
}

/// `grad` between the bounds, and 0 at them and beyond.
#[gradient_helper]
pub(crate) fn hardtanh_backward(
    grad: &Tensor,
    self_: &Tensor,
    min_val: Scalar,
    max_val: Scalar,
) -> Result<Tensor> {
    let is_bound = self_.le_scalar(min_val)?.logical_or(&self_.ge_scalar(max_val)?)?;
    zeroed_where(grad, &is_bound)
}

/// `grad / 6` where `-3 < self < 3`, and 0 elsewhere.
#[gradient_helper]
pub(crate) fn hardsigmoid_backward(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    let is_above = self_.gt_scalar(Scalar::Int(-3))?;
    let is_between = is_above.logical_and(&self_.lt_scalar(Scalar::Int(3))?)?;
    kept_where(&grad.div_scalar(Scalar::Int(6))?, &is_between)
}

/// 0 where `self <= -3`, `grad` where `self >= 3`, and `grad * (self / 3 + 0.5)` between.
#[gradient_helper]
pub(crate) fn hardswish_backward(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    let slope = finite(self_, 3)?.div_scalar(Scalar::Int(3))?.add_scalar(float(0.5))?;
    let is_below = self_.lt_scalar(Scalar::Int(3))?;
    let rising = ops::r#where::self_::call(&is_below, &grad.mul(&slope)?, grad)?;
    zeroed_where(&rising, &self_.le_scalar(Scalar::Int(-3))?)
}

/// `grad` where the input is positive, and `grad * negative_slope` elsewhere. The result has the
/// signs of the input, unless the slope is negative.
#[gradient_helper]
pub(crate) fn leaky_relu_backward(
    grad: &Tensor,
    self_or_result: &Tensor,
    negative_slope: Scalar,
    is_result: bool,
) -> Result<Tensor> {
    ensure!(
        !is_result || negative_slope.to_f64()? >= 0.0,
        Runtime,
        "the gradient of `leaky_relu_` does not follow from its result if the slope is negative"
    );
    let is_positive = self_or_result.gt_scalar(Scalar::Int(0))?;
    ops::r#where::self_::call(&is_positive, grad, &grad.mul_scalar(negative_slope)?)
}

/// 0 where `|self| <= lambd`, and `grad` elsewhere.
#[gradient_helper]
pub(crate) fn softshrink_backward(grad: &Tensor, self_: &Tensor, lambd: Scalar) -> Result<Tensor> {
    zeroed_where(grad, &self_.abs()?.le_scalar(lambd)?)
}
