//! Activations made of exponentials.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, SQRT_2};

use num_traits::Num;
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::{Element, Float};
use opwright_runtime::iterate::Each;
use opwright_runtime::{GeluApproximation, Result, Scalar, Tensor, ensure, multiversion};
use opwright_vecmath::elementary::Elementary;
use opwright_vecmath::special::Special;

use crate::gradient::{along, both_sigmoids, finite, float, logistic_density, squared_secant};
use crate::ops::{self, TensorOps};

#[native_op(gelu.out, elementwise, dtypes = floating)]
fn gelu_out<T: Element + Float + Elementary + Special>(
    each: Each<'_, T, T>,
    approximate: GeluApproximation,
) -> Result<()> {
    match approximate {
        GeluApproximation::None => each.run_blocks(gelu),
        GeluApproximation::Tanh => each.run_blocks(gelu_by_tanh),
    }
}

#[native_op(silu.out, elementwise, dtypes = floating | complex, wide)]
fn silu_out<T: Element + Elementary + Num>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(silu)
}

#[native_op(mish.out, elementwise, dtypes = floating)]
fn mish_out<T: Element + Elementary + Float>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(mish)
}

#[native_op(softplus.out, elementwise, dtypes = floating, numbers = [beta, threshold])]
fn softplus_out<T: Element + Elementary + Float>(
    each: Each<'_, T, T>,
    beta: T,
    threshold: T,
) -> Result<()> {
    each.run_blocks(move |block| softplus(block, beta, threshold))
}

#[native_op(elu.out, elementwise, dtypes = floating, numbers = [alpha, scale, input_scale])]
fn elu_out<T: Element + Elementary + Float>(
    each: Each<'_, T, T>,
    alpha: T,
    scale: T,
    input_scale: T,
) -> Result<()> {
    each.run_blocks(move |block| elu(block, alpha, scale, input_scale))
}

fn gelu<T: Float + Special>(block: &mut [T]) {
    if !T::gelu_lanes(block) {
        gelu_one_by_one(block);
    }
}

fn silu<T: Elementary + Num>(block: &mut [T]) {
    if !T::silu_lanes(block) {
        silu_one_by_one(block);
    }
}

multiversion! {
    fn gelu_one_by_one<const FMA: bool, T>(block: &mut [T])
    where
        [T: Float + Special]
    {
        for x in block {
            *x = x.gelu::<FMA>();
        }
    }

    fn gelu_by_tanh<const FMA: bool, T>(block: &mut [T])
    where
        [T: Float + Elementary]
    {
        // 2 sqrt(2 / pi): the logistic function takes twice what `tanh` does.
        let slope = T::constant(2.0 * 0.797_884_560_802_865_4);
        let cube = T::constant(0.044715);
        for it in block {
            let x = it.not_infinitely_negative();
            *it = x * (slope * (x + cube * x * x * x)).sigmoid::<FMA>();
        }
    }

    fn silu_one_by_one<const FMA: bool, T>(block: &mut [T])
    where
        [T: Elementary + Num]
    {
        if T::exp_is_in_range(block) {
            for x in block {
                *x = x.not_infinitely_negative() * x.sigmoid_in_range::<FMA>();
            }
        } else {
            for x in block {
                *x = x.not_infinitely_negative() * x.sigmoid::<FMA>();
            }
        }
    }

    fn mish<const FMA: bool, T>(block: &mut [T])
    where
        [T: Elementary + Float]
    {
        for x in block {
            // With n = exp(x), the hyperbolic tangent of log(1 + n) is n (n + 2) / (n (n + 2) + 2).
            let most = T::constant(20.0);
            let power = Elementary::exp::<FMA>(if *x > most { most } else { *x });
            let product = power * (power + T::constant(2.0));
            *x = x.not_infinitely_negative() * (product / (product + T::constant(2.0)));
        }
    }

    fn softplus<const FMA: bool, T>(block: &mut [T], beta: T, threshold: T)
    where
        [T: Elementary + Float]
    {
        for it in block {
            let x = *it;
            let smooth = Elementary::exp::<FMA>(x * beta).log1p::<FMA>() / beta;
            *it = if x * beta > threshold { x } else { smooth };
        }
    }

    fn elu<const FMA: bool, T>(block: &mut [T], alpha: T, scale: T, input_scale: T)
    where
        [T: Elementary + Float]
    {
        for it in block {
            let x = *it;
            let smooth = alpha * (x * input_scale).expm1::<FMA>();
            *it = scale * if x <= T::ZERO { smooth } else { x };
        }
    }
}

#[native_op(celu)]
fn celu(self_: &Tensor, alpha: Scalar) -> Result<Tensor> {
    let input_scale = inverse(alpha)?;
    ops::elu::Default_::call(self_, alpha, Scalar::Int(1), input_scale)
}

#[native_op(celu_)]
fn celu_(self_: &mut Tensor, alpha: Scalar) -> Result<()> {
    let input_scale = inverse(alpha)?;
    ops::elu_::Default_::call(self_, alpha, Scalar::Int(1), input_scale)
}

fn inverse(alpha: Scalar) -> Result<Scalar> {
    let alpha = alpha.to_f64()?;
    ensure!(alpha != 0.0, Runtime, "alpha cannot be 0");
    Ok(Scalar::Float(1.0 / alpha))
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

/// `grad * (cdf(self) + self * pdf(self))` of the normal distribution, or the same of what
/// approximates it by `tanh`.
#[gradient_helper]
pub(crate) fn gelu_backward(
    grad: &Tensor,
    self_: &Tensor,
    approximate: GeluApproximation,
) -> Result<Tensor> {
    match approximate {
        GeluApproximation::Tanh => along(grad, self_, gelu_tanh_slope),
        GeluApproximation::None => along(grad, self_, gelu_slope),
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
