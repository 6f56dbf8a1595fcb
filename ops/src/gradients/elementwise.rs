//! Functions of single elements, and of pairs of them.

use std::f64::consts::PI;

use num_complex::Complex;
use opwright_macros::gradient_helper;
use opwright_runtime::{DType, Result, Scalar, Tensor};

use super::binary::handle_r_to_c;
use super::copies::{to, widened};
use super::directions::direction;
use super::masks::{kept_where, wanted, zeroed_where};
use crate::ops::{self, TensorOps};

const I: Scalar = Scalar::Complex(Complex::new(0.0, 1.0));

fn zeros_in(dtype: DType, like: &Tensor) -> Result<Tensor> {
    ops::zeros_like::Default_::call(like, Some(dtype), None, None, None, None)
}

/// Of `self / other`: `grad / conj(other)`.
#[gradient_helper]
pub(crate) fn div_tensor_self_backward(
    grad: &Tensor,
    other: &Tensor,
    dtype: DType,
) -> Result<Tensor> {
    handle_r_to_c(dtype, &grad.div(&other.conj()?)?)
}

/// The same of a quotient that may be rounded: 0 then.
#[gradient_helper]
pub(crate) fn div_tensor_mode_self_backward(
    grad: &Tensor,
    other: &Tensor,
    dtype: DType,
    rounding_mode: Option<&str>,
) -> Result<Tensor> {
    match rounding_mode {
        None => div_tensor_self_backward(grad, other, dtype),
        Some(_) => zeros_in(dtype, grad),
    }
}

/// Of `self / other`: `-grad * conj((self / other) / other)`.
#[gradient_helper]
pub(crate) fn div_tensor_other_backward(
    grad: &Tensor,
    self_: &Tensor,
    other: &Tensor,
) -> Result<Tensor> {
    let slope = self_.div(other)?.div(other)?.conj()?;
    handle_r_to_c(other.dtype(), &grad.neg()?.mul(&slope)?)
}

/// The same of a quotient that may be rounded: 0 then.
#[gradient_helper]
pub(crate) fn div_tensor_mode_other_backward(
    grad: &Tensor,
    self_: &Tensor,
    other: &Tensor,
    rounding_mode: Option<&str>,
) -> Result<Tensor> {
    match rounding_mode {
        None => div_tensor_other_backward(grad, self_, other),
        Some(_) => zeros_in(other.dtype(), grad),
    }
}

/// Of `self ** exponent`: `grad * conj(exponent * self ** (exponent - 1))`, and 0 if the exponent
/// is.
#[gradient_helper]
pub(crate) fn pow_backward(grad: &Tensor, self_: &Tensor, exponent: Scalar) -> Result<Tensor> {
    if !exponent.to_bool() {
        return zeros_in(self_.dtype(), self_);
    }
    let power = ops::pow::Tensor_Scalar::call(&widened(self_)?, exponent - Scalar::Int(1))?;
    let slope = power.mul_scalar(exponent)?.conj()?;
    let product = to(&widened(grad)?.mul(&slope)?, grad.dtype())?;
    handle_r_to_c(self_.dtype(), &product)
}

/// The same where the exponents are a tensor. A power of 0 or NaN whose exponent is 0 does not
/// change, and neither does one that has come to its end with an infinite exponent.
#[gradient_helper]
pub(crate) fn pow_backward_self(
    grad: &Tensor,
    self_: &Tensor,
    exponent: &Tensor,
) -> Result<Tensor> {
    let is_flat = self_.eq_scalar(Scalar::Int(0))?.logical_or(&self_.isnan()?)?;
    let is_constant = exponent.eq_scalar(Scalar::Int(0))?.logical_and(&is_flat)?;
    let one = Scalar::Int(1);
    let inside = ops::r#where::ScalarSelf::call(&is_constant, one, exponent)?;
    let power = self_.pow(&inside.sub_scalar(one)?)?;
    let factor = match exponent.dtype().is_complex_number() {
        true => exponent.clone(),
        false => ops::r#where::self_::call(&exponent.isinf()?, &exponent.sign()?, exponent)?,
    };
    handle_r_to_c(self_.dtype(), &grad.mul(&factor.mul(&power)?.conj()?)?)
}

/// Whether numbers are real and not negative.
fn is_nonnegative(tensor: &Tensor) -> Result<Tensor> {
    let zero = Scalar::Int(0);
    if !tensor.dtype().is_complex_number() {
        return tensor.ge_scalar(zero);
    }
    let is_real = ops::imag::Default_::call(tensor)?.eq_scalar(zero)?;
    is_real.logical_and(&ops::real::Default_::call(tensor)?.ge_scalar(zero)?)
}

/// Whether powers of an infinity are zeros, which do not change with the exponent.
fn has_same_limit(base: &Tensor, powers: &Tensor) -> Result<Tensor> {
    base.isinf()?.logical_and(&powers.eq_scalar(Scalar::Int(0))?)
}

/// Of `self ** exponent`: `grad * conj(result * log(self))`, and 0 where a power of 0 or of an
/// infinity does not change with its exponent.
#[gradient_helper]
pub(crate) fn pow_backward_exponent(
    grad: &Tensor,
    self_: &Tensor,
    exponent: &Tensor,
    result: &Tensor,
) -> Result<Tensor> {
    let is_zero = self_.eq_scalar(Scalar::Int(0))?;
    let is_constant = is_zero.logical_and(&is_nonnegative(exponent)?)?;
    // A number would have the logarithm of the default dtype.
    let base = match self_.is_wrapped_number() {
        true => {
            let dtype = Some(result.dtype());
            ops::_to_copy::Default_::call(self_, dtype, None, None, None, false, None)?
        }
        false => to(self_, result.dtype())?,
    };
    let base = base.masked_fill(&has_same_limit(self_, result)?, Scalar::Int(1))?;
    let slope = result.mul(&base.log()?)?.conj()?;
    let product = grad.mul(&zeroed_where(&slope, &is_constant)?)?;
    handle_r_to_c(exponent.dtype(), &product)
}

/// Of the angle of a complex number: `grad * self * i / |self| ** 2`, and 0 at 0; real numbers have
/// one that does not change.
#[gradient_helper]
pub(crate) fn angle_backward(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    if !self_.dtype().is_complex_number() {
        return zeros_in(self_.dtype(), self_);
    }
    let (re, im) = (ops::real::Default_::call(self_)?, ops::imag::Default_::call(self_)?);
    let direction = direction(&im, &re)?;
    let of_re = grad.mul(&direction.per_size(&direction.sine)?)?.neg()?;
    let of_im = grad.mul(&direction.per_size(&direction.cosine)?)?;
    ops::complex::Default_::call(&of_re, &of_im)
}

/// Of the sign: of a complex number `(grad - conj(grad) * result ** 2) / (2 * |self|)`, and 0 at 0;
/// that of a real number does not change.
#[gradient_helper]
pub(crate) fn sgn_backward(self_: &Tensor, grad: &Tensor, result: &Tensor) -> Result<Tensor> {
    if !self_.dtype().is_complex_number() {
        return zeros_in(grad.dtype(), grad);
    }
    let size = self_.abs()?;
    let mirrored = grad.conj()?.mul(result)?.mul(result)?;
    let slope = grad.sub(&mirrored)?.div(&size.mul_scalar(Scalar::Int(2))?)?;
    zeroed_where(&slope, &size.eq_scalar(Scalar::Int(0))?)
}

/// Of a complex number by its size and angle: `Re(conj(grad) * sgn(result))` and
/// `Re(conj(grad) * i * result)`.
#[gradient_helper]
pub(crate) fn polar_backward(
    grad: &Tensor,
    result: &Tensor,
) -> Result<(Option<Tensor>, Option<Tensor>)> {
    let grad = grad.conj()?;
    let of_abs = ops::real::Default_::call(&grad.mul(&result.sgn()?)?)?;
    let of_angle = ops::real::Default_::call(&grad.mul(&result.mul_scalar(I)?)?)?;
    Ok((Some(of_abs), Some(of_angle)))
}

/// Of a number with the sign of another: `grad` times both signs, and 0 at 0.
#[gradient_helper]
pub(crate) fn copysign_tensor_self_backward(
    grad: &Tensor,
    self_: &Tensor,
    result: &Tensor,
) -> Result<Tensor> {
    grad.mul(&self_.sign()?.mul(&result.sign()?)?)
}

/// Of `self * log(other)`: `grad * self / other`, and 0 where both are.
#[gradient_helper]
pub(crate) fn xlogy_other_backward(
    grad: &Tensor,
    self_: &Tensor,
    other: &Tensor,
) -> Result<Tensor> {
    let is_zero = self_.eq_scalar(Scalar::Int(0))?;
    let is_constant = is_zero.logical_and(&other.eq_scalar(Scalar::Int(0))?)?;
    let other = other.masked_fill(&is_constant, Scalar::Int(1))?;
    grad.mul(self_)?.div(&other)
}

/// `a - b`, and 0 between equal infinities.
#[gradient_helper]
pub(crate) fn difference(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let is_same = a.eq(b)?.logical_and(&a.isinf()?)?;
    a.sub(b)?.masked_fill(&is_same, Scalar::Int(0))
}

/// Of `log(1 + self)`: `grad / conj(self + 1)`.
#[gradient_helper]
pub(crate) fn log1p_backward(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    grad.div(&self_.add_scalar(Scalar::Int(1))?.conj()?)
}

/// Of `sin(pi x) / (pi x)`: `grad * conj((cos(pi x) - sinc(x)) / x)`, and close to 0 a series.
#[gradient_helper]
pub(crate) fn sinc_backward(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    if grad.dtype().is_complex_number() {
        return complex_sinc_backward(grad, self_);
    }
    let x = widened(self_)?;
    // Both branches see numbers only that do them no harm: a derivative of the other times 0 stays 0.
    let is_close = x.abs()?.lt_scalar(Scalar::Float(0.3))?;
    let is_infinite = x.abs()?.eq_scalar(Scalar::Float(f64::INFINITY))?;
    let close = zeroed_where(&x, &is_close.logical_not()?)?;
    let far = ops::r#where::ScalarSelf::call(
        &is_close.logical_or(&is_infinite)?,
        Scalar::Float(0.5),
        &x,
    )?;
    // Whole turns are taken off exactly.
    let angle =
        ops::remainder::Scalar::call(&far, Scalar::Int(2))?.mul_scalar(Scalar::Float(PI))?;
    let far_slope = zeroed_where(&angle.cos()?.sub(&far.sinc()?)?.div(&far)?, &is_infinite)?;
    let slope = ops::r#where::self_::call(&is_close, &sinc_slope_series(&close)?, &far_slope)?;
    to(&widened(grad)?.mul(&slope)?, grad.dtype())
}

/// The sum of `(-1)^k * 2k / (2k + 1)! * pi^(2k) * x^(2k - 1)`.
fn sinc_slope_series(x: &Tensor) -> Result<Tensor> {
    const COUNT: usize = 9;
    let mut terms = [0.0; COUNT];
    let mut term = 1.0;
    for (idx, slot) in terms.iter_mut().enumerate() {
        let twice = 2.0 * (idx + 1) as f64;
        term *= -PI * PI / (twice * (twice + 1.0));
        *slot = term * twice;
    }
    let square = x.mul(x)?;
    let mut sum = square.mul_scalar(Scalar::Float(terms[COUNT - 1]))?;
    for &term in terms[1..COUNT - 1].iter().rev() {
        sum = sum.add_scalar(Scalar::Float(term))?.mul(&square)?;
    }
    sum.add_scalar(Scalar::Float(terms[0]))?.mul(x)
}

fn complex_sinc_backward(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    let angle = self_.mul_scalar(Scalar::Float(PI))?;
    let square = angle.mul(self_)?;
    let slope = angle.cos()?.mul(&angle)?.sub(&angle.sin()?)?.div(&square)?;
    let is_zero = square.eq_scalar(Scalar::Int(0))?;
    zeroed_where(&grad.mul(&slope.conj()?)?, &is_zero)
}

/// Whether both conditions hold, of which each may be absent.
fn both(first: Option<Tensor>, second: Option<Tensor>) -> Result<Option<Tensor>> {
    match (first, second) {
        (Some(first), Some(second)) => first.logical_and(&second).map(Some),
        (condition, None) | (None, condition) => Ok(condition),
    }
}

fn kept_if(grad: &Tensor, condition: Option<Tensor>) -> Result<Tensor> {
    condition.map_or_else(|| Ok(grad.clone()), |it| kept_where(grad, &it))
}

/// `grad` where `min <= self <= max`, and 0 elsewhere.
#[gradient_helper]
pub(crate) fn clamp_backward(
    grad: &Tensor,
    self_: &Tensor,
    min: Option<Scalar>,
    max: Option<Scalar>,
) -> Result<Tensor> {
    let is_above = min.map(|it| self_.ge_scalar(it)).transpose()?;
    let is_below = max.map(|it| self_.le_scalar(it)).transpose()?;
    kept_if(grad, both(is_above, is_below)?)
}

/// The same of bounds that are tensors.
#[gradient_helper]
pub(crate) fn clamp_tensor_backward(
    grad: &Tensor,
    self_: &Tensor,
    min: Option<&Tensor>,
    max: Option<&Tensor>,
) -> Result<Tensor> {
    let is_above = min.map(|it| self_.ge(it)).transpose()?;
    let is_below = max.map(|it| self_.le(it)).transpose()?;
    kept_if(grad, both(is_above, is_below)?)
}

/// Of the bounds: `grad` where the result is the lower one, and where it is the upper one, which
/// wins if they cross.
#[gradient_helper]
pub(crate) fn clamp_backward_min_max(
    grad: &Tensor,
    self_: &Tensor,
    min: Option<&Tensor>,
    max: Option<&Tensor>,
    mask: &[bool],
) -> Result<(Option<Tensor>, Option<Tensor>)> {
    let is_min = || {
        let is_below = min.map(|it| self_.lt(it)).transpose()?;
        let is_lower = min.zip(max).map(|(min, max)| min.lt(max)).transpose()?;
        kept_if(grad, both(is_below, is_lower)?)
    };
    let is_max = || {
        let is_above = max.map(|it| self_.gt(it)).transpose()?;
        let is_crossed = min.zip(max).map(|(min, max)| max.lt(min)).transpose()?;
        let either = match (is_above, is_crossed) {
            (Some(above), Some(crossed)) => Some(above.logical_or(&crossed)?),
            (above, _) => above,
        };
        kept_if(grad, either)
    };
    let of_min = if min.is_some() { wanted(mask, 0, is_min)? } else { None };
    let of_max = if max.is_some() { wanted(mask, 1, is_max)? } else { None };
    Ok((of_min, of_max))
}
