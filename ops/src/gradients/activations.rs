//! Activations of neural networks.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, SQRT_2};

use opwright_macros::gradient_helper;
use opwright_runtime::{DType, Result, Scalar, Tensor, autograd, ensure};

use super::copies::{to, widened};
use super::masks::{kept_where, zeroed_where};
use crate::ops::{self, TensorOps};

fn float(number: f64) -> Scalar {
    Scalar::Float(number)
}

/// `1 - tensor`
fn one_minus(tensor: &Tensor) -> Result<Tensor> {
    ops::rsub::Scalar::call(tensor, Scalar::Int(1), Scalar::Int(1))
}

/// `grad` times a function of the input, which is calculated in floats wide enough.
fn along(
    grad: &Tensor,
    input: &Tensor,
    slope: impl FnOnce(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    let product = widened(grad)?.mul(&slope(&widened(input)?)?)?;
    to(&product, grad.dtype())
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

/// `grad * conj(sigmoid(-self) * result)`: one less the result would say nothing of it where the
/// result is close to one.
#[gradient_helper]
pub(crate) fn sigmoid_backward(grad: &Tensor, self_: &Tensor, result: &Tensor) -> Result<Tensor> {
    let is_half = matches!(result.dtype(), DType::Float16 | DType::BFloat16);
    if result.dtype().is_complex_number() || !(is_half || autograd::is_recording()) {
        return grad.mul(&self_.neg()?.sigmoid()?.mul(result)?.conj()?);
    }
    along(grad, self_, logistic_density)
}

/// `sigmoid(x) * sigmoid(-x)`. Derivatives of that cancel close to zero, those of its equal by the
/// hyperbolic cosine are too small for their dtype far from it.
fn logistic_density(x: &Tensor) -> Result<Tensor> {
    let (rising, falling) = both_sigmoids(x)?;
    let far = rising.mul(&falling)?;
    if !autograd::is_recording() {
        return Ok(far);
    }
    let is_far = x.abs()?.gt_scalar(Scalar::Int(1))?;
    let half = x.masked_fill(&is_far, Scalar::Int(0))?.mul_scalar(float(0.5))?;
    let secant = half.cosh()?.reciprocal()?;
    let near = secant.mul(&secant)?.mul_scalar(float(0.25))?;
    ops::r#where::self_::call(&is_far, &far, &near)
}

/// `grad * conj(1 - tanh(self) ** 2)`, which is `cosh(self) ** -2` and as such does not vanish where
/// the square is close to one; of complex numbers, of the result.
#[gradient_helper]
pub(crate) fn tanh_backward(grad: &Tensor, self_: &Tensor, result: &Tensor) -> Result<Tensor> {
    if result.dtype().is_complex_number() {
        return grad.mul(&one_minus(&result.mul(result)?)?.conj()?);
    }
    along(grad, self_, squared_secant)
}

/// `1 - tanh(x) ** 2`
fn squared_secant(x: &Tensor) -> Result<Tensor> {
    if autograd::is_recording() {
        let twice = finite(x, 1000)?.mul_scalar(Scalar::Int(2))?;
        return logistic_density(&twice)?.mul_scalar(Scalar::Int(4));
    }
    // From here on its square is zero, and the cosine is not yet infinite.
    let most = if x.dtype() == DType::Float64 { 700 } else { 88 };
    let secant = finite(x, most)?.cosh()?.reciprocal()?;
    secant.mul(&secant)
}

/// `sigmoid(x)` and `sigmoid(-x)`
fn both_sigmoids(x: &Tensor) -> Result<(Tensor, Tensor)> {
    Ok((x.sigmoid()?, x.neg()?.sigmoid()?))
}

/// What is far from zero, where functions have become what they are at infinity, as a number whose
/// product with 0 is 0.
fn finite(x: &Tensor, most: i64) -> Result<Tensor> {
    x.clamp_min(Scalar::Int(-most))?.clamp_max(Scalar::Int(most))
}

/// Of the error function, without its factor: `grad * exp(-self ** 2)`.
#[gradient_helper]
pub(crate) fn gaussian(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    along(grad, self_, |x| {
        let x = finite(x, 100)?;
        x.mul(&x)?.neg()?.exp()
    })
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

/// `grad * scale` where the input is positive; elsewhere
/// `grad * input_scale * alpha * scale * exp(input_scale * self)`, or of the result
/// `grad * input_scale * (result + alpha * scale)`.
#[gradient_helper]
pub(crate) fn elu_backward(
    grad: &Tensor,
    alpha: Scalar,
    scale: Scalar,
    input_scale: Scalar,
    is_result: bool,
    self_or_result: &Tensor,
) -> Result<Tensor> {
    ensure!(
        !is_result || alpha.to_f64()? >= 0.0,
        Runtime,
        "the gradient of `elu_` does not follow from its result if alpha is negative"
    );
    let depth = alpha * scale;
    let slope = match is_result {
        true => self_or_result.add_scalar(depth)?.mul_scalar(input_scale)?,
        false => {
            // What is positive would overflow, and is not asked for.
            let negative = self_or_result.clamp_max(Scalar::Int(0))?;
            negative.mul_scalar(input_scale)?.exp()?.mul_scalar(input_scale * depth)?
        }
    };
    let is_curved = self_or_result.le_scalar(Scalar::Int(0))?;
    ops::r#where::self_::call(&is_curved, &grad.mul(&slope)?, &grad.mul_scalar(scale)?)
}

/// `grad` where `beta * self > threshold`, and `grad * sigmoid(beta * self)` elsewhere.
#[gradient_helper]
pub(crate) fn softplus_backward(
    grad: &Tensor,
    self_: &Tensor,
    beta: Scalar,
    threshold: Scalar,
) -> Result<Tensor> {
    let scaled = self_.mul_scalar(beta)?;
    let is_straight = scaled.gt_scalar(threshold)?;
    ops::r#where::self_::call(&is_straight, grad, &grad.mul(&scaled.sigmoid()?)?)
}

/// 0 where `|self| <= lambd`, and `grad` elsewhere.
#[gradient_helper]
pub(crate) fn softshrink_backward(grad: &Tensor, self_: &Tensor, lambd: Scalar) -> Result<Tensor> {
    zeroed_where(grad, &self_.abs()?.le_scalar(lambd)?)
}

/// `grad * (cdf(self) + self * pdf(self))` of the normal distribution, or the same of what
/// approximates it by `tanh`.
#[gradient_helper]
pub(crate) fn gelu_backward(grad: &Tensor, self_: &Tensor, approximate: &str) -> Result<Tensor> {
    match approximate {
        "tanh" => along(grad, self_, gelu_tanh_slope),
        _ => along(grad, self_, gelu_slope),
    }
}

/// By way of the complement of the error function, which tells small numbers from zero.
fn gelu_slope(x: &Tensor) -> Result<Tensor> {
    let x = finite(x, 100)?;
    let below = x.mul_scalar(float(-FRAC_1_SQRT_2))?.erfc()?.mul_scalar(float(0.5))?;
    let density = x.mul(&x)?.mul_scalar(float(-0.5))?.exp()?;
    let density = density.mul_scalar(float(FRAC_2_SQRT_PI * FRAC_1_SQRT_2 * 0.5))?;
    below.add(&x.mul(&density)?)
}

/// `s + x * s * (1 - s) * u'`, where `s = sigmoid(u)` and
/// `u = 2 * sqrt(2 / pi) * (x + 0.044715 * x ** 3)`.
fn gelu_tanh_slope(x: &Tensor) -> Result<Tensor> {
    const CUBIC: f64 = 0.044_715;
    const FACTOR: f64 = SQRT_2 * FRAC_2_SQRT_PI;
    let x = finite(x, 100)?;
    let square = x.mul(&x)?;
    let cubic = square.mul_scalar(float(CUBIC))?.add_scalar(Scalar::Int(1))?;
    let argument = x.mul(&cubic)?.mul_scalar(float(FACTOR))?;
    let steepness = square.mul_scalar(float(3.0 * CUBIC))?.add_scalar(Scalar::Int(1))?;
    let inner = x.mul(&steepness)?.mul_scalar(float(FACTOR))?;
    argument.sigmoid()?.add(&logistic_density(&argument)?.mul(&inner)?)
}

/// `grad * s * (1 + self * (1 - s))`, where `s = sigmoid(self)`; of real numbers as
/// `grad * (s + self * s')`.
#[gradient_helper]
pub(crate) fn silu_backward(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    along(grad, self_, |x| {
        if x.dtype().is_complex_number() {
            let (rising, falling) = both_sigmoids(x)?;
            return rising.mul(&x.mul(&falling)?.add_scalar(Scalar::Int(1))?);
        }
        let x = finite(x, 1000)?;
        x.sigmoid()?.add(&x.mul(&logistic_density(&x)?)?)
    })
}

/// `grad * (t + self * s * (1 - t ** 2))`, where `t = tanh(softplus(self))` and `s = sigmoid(self)`.
#[gradient_helper]
pub(crate) fn mish_backward(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    along(grad, self_, |x| {
        let x = finite(x, 1000)?;
        // From 40 on, even `float64` does not tell the soft one from `x`.
        let softplus = ops::softplus::Default_::call(&x, Scalar::Int(1), Scalar::Int(40))?;
        let slope = x.sigmoid()?.mul(&squared_secant(&softplus)?)?;
        softplus.tanh()?.add(&x.mul(&slope)?)
    })
}

/// `grad / (self * (1 - self))`: NaN outside of `[0, 1]`, or with an `eps`, 0 outside of
/// `[eps, 1 - eps]`.
#[gradient_helper]
pub(crate) fn logit_backward(grad: &Tensor, self_: &Tensor, eps: Option<f64>) -> Result<Tensor> {
    let slope = |x: &Tensor| grad.div(&one_minus(x)?.mul(x)?);
    let Some(eps) = eps else {
        let is_below = self_.lt_scalar(Scalar::Int(0))?;
        let is_outside = is_below.logical_or(&self_.gt_scalar(Scalar::Int(1))?)?;
        return ops::r#where::ScalarSelf::call(&is_outside, float(f64::NAN), &slope(self_)?);
    };
    let is_above = self_.ge_scalar(float(eps))?;
    let is_inside = is_above.logical_and(&self_.le_scalar(float(1.0 - eps))?)?;
    let inside = ops::r#where::ScalarOther::call(&is_inside, self_, float(0.5))?;
    kept_where(&slope(&inside)?, &is_inside)
}

fn sum_along(tensor: &Tensor, dim: i64) -> Result<Tensor> {
    ops::sum::dim_IntList::call(tensor, Some(&[dim]), true, None)
}

/// `result * (grad - sum(grad * result))`, in the dtype of the input. As the results are 1 together,
/// `grad` may be counted from any number: from that of the greatest result, which then does not
/// cover the others.
#[gradient_helper]
pub(crate) fn softmax_backward_data(
    grad: &Tensor,
    result: &Tensor,
    dim: i64,
    dtype: DType,
) -> Result<Tensor> {
    let grad = match result.ndim() > 0 && result.numel() > 0 {
        true => {
            let greatest = ops::argmax::Default_::call(result, Some(dim), true)?;
            grad.sub(&ops::gather::Default_::call(grad, dim, &greatest, false)?)?
        }
        false => grad.clone(),
    };
    let mean = sum_along(&grad.mul(result)?, dim)?;
    to(&result.mul(&grad.sub(&mean)?)?, dtype)
}

/// `grad - exp(result) * sum(grad)`, in the dtype of the input: where a result is almost 0, what
/// `grad` has there is not taken from itself.
#[gradient_helper]
pub(crate) fn log_softmax_backward_data(
    grad: &Tensor,
    result: &Tensor,
    dim: i64,
    dtype: DType,
) -> Result<Tensor> {
    let others = sum_along(grad, dim)?.sub(grad)?;
    let own = grad.mul(&result.expm1()?)?;
    to(&own.add(&result.exp()?.mul(&others)?)?.neg()?, dtype)
}
