//! Trigonometric and hyperbolic functions, and their inverses.

use std::f64::consts::PI;

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::Element;
use opwright_runtime::iterate::Each;
use opwright_runtime::{Result, Scalar, Tensor};
use opwright_vecmath::blocks;
use opwright_vecmath::elementary::Elementary;
use opwright_vecmath::polar::{self, Polar};

use crate::elementwise::gradient::{PointDirection, direction, one_minus};
use crate::gradient::{along, squared_secant, to, wanted, widened, zeroed_where};
use crate::ops::{self, TensorOps};

#[native_op(sin.out, elementwise, dtypes = floating | complex, wide)]
fn sin_out<T: Elementary + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::sin)
}

#[native_op(cos.out, elementwise, dtypes = floating | complex, wide)]
fn cos_out<T: Elementary + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::cos)
}

#[native_op(tan.out, elementwise, dtypes = floating | complex, wide)]
fn tan_out<T: Elementary + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::tan)
}

#[native_op(asin.out, elementwise, dtypes = floating | complex, wide)]
fn asin_out<T: Elementary + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::asin)
}

#[native_op(acos.out, elementwise, dtypes = floating | complex, wide)]
fn acos_out<T: Elementary + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::acos)
}

#[native_op(atan.out, elementwise, dtypes = floating | complex, wide)]
fn atan_out<T: Elementary + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::atan)
}

#[native_op(sinh.out, elementwise, dtypes = floating | complex, wide)]
fn sinh_out<T: Elementary + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::sinh)
}

#[native_op(cosh.out, elementwise, dtypes = floating | complex, wide)]
fn cosh_out<T: Elementary + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::cosh)
}

#[native_op(tanh.out, elementwise, dtypes = floating | complex, wide)]
fn tanh_out<T: Elementary + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::tanh)
}

#[native_op(asinh.out, elementwise, dtypes = floating | complex, wide)]
fn asinh_out<T: Elementary + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::asinh)
}

#[native_op(acosh.out, elementwise, dtypes = floating | complex, wide)]
fn acosh_out<T: Elementary + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::acosh)
}

#[native_op(atanh.out, elementwise, dtypes = floating | complex, wide)]
fn atanh_out<T: Elementary + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::atanh)
}

#[native_op(sinc.out, elementwise, dtypes = floating | complex, wide)]
fn sinc_out<T: Elementary>(x: T) -> T {
    x.sinc()
}

#[native_op(atan2.out, elementwise, dtypes = floating)]
fn atan2_out<T: Polar + Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    each.run_blocks(polar::atan2)
}

#[native_op(hypot.out, elementwise, dtypes = floating)]
fn hypot_out<T: Polar + Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    each.run_blocks(polar::hypot)
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

/// `grad * conj(slope)`, where one form of the slope holds close to 0, and the other from `border`
/// on.
fn by_size(
    grad: &Tensor,
    x: &Tensor,
    border: f64,
    near: impl FnOnce(&Tensor) -> Result<Tensor>,
    far: impl FnOnce(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    let (wide, x) = (widened(grad)?, widened(x)?);
    let is_far = x.abs()?.gt_scalar(Scalar::Float(border))?;
    let close = x.masked_fill(&is_far, Scalar::Int(0))?;
    let distant = ops::r#where::ScalarOther::call(&is_far, &x, Scalar::Float(2.0 * border))?;
    let slope = ops::r#where::self_::call(&is_far, &far(&distant)?, &near(&close)?)?;
    to(&wide.mul(&slope.conj()?)?, grad.dtype())
}

fn one_plus(x: &Tensor) -> Result<Tensor> {
    x.add_scalar(Scalar::Int(1))
}

/// The sign of a part of a complex number, which zeros have too.
fn sign_of(part: &Tensor) -> Result<Tensor> {
    let ones = ops::ones_like::Default_::call(part, None, None, None, None, None)?;
    ones.copysign(part)
}

/// Up to where the formula that complex numbers share with real ones takes no harm.
const MODERATE: f64 = 1e4;

/// `grad / conj(sqrt(1 - self ** 2))`
#[gradient_helper]
pub(crate) fn asin_backward(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    let near = |x: &Tensor| one_minus(&x.mul(x)?)?.rsqrt();
    if self_.dtype().is_complex_number() {
        let far = |z: &Tensor| {
            let inverse = z.reciprocal()?;
            let root = one_minus(&inverse.mul(&inverse)?)?.rsqrt()?;
            let sign = sign_of(&ops::imag::Default_::call(z)?)?;
            let turn = sign.mul_scalar(Scalar::Complex(num_complex::Complex::I))?;
            turn.mul(&inverse)?.mul(&root)
        };
        return by_size(grad, self_, MODERATE, near, far);
    }
    by_size(grad, self_, 0.5, near, |x| one_minus(x)?.rsqrt()?.mul(&one_plus(x)?.rsqrt()?))
}

/// `grad / conj(sqrt(self + 1) * sqrt(self - 1))`
#[gradient_helper]
pub(crate) fn acosh_backward(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    let x = widened(self_)?;
    let below = x.sub_scalar(Scalar::Int(1))?.rsqrt()?;
    let slope = one_plus(&x)?.rsqrt()?.mul(&below)?.conj()?;
    to(&widened(grad)?.mul(&slope)?, grad.dtype())
}

/// `grad / conj(sqrt(1 + self ** 2))`
#[gradient_helper]
pub(crate) fn asinh_backward(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    let near = |x: &Tensor| one_plus(&x.mul(x)?)?.rsqrt();
    let is_complex = self_.dtype().is_complex_number();
    let far = |x: &Tensor| {
        let inverse = x.reciprocal()?;
        let root = one_plus(&inverse.mul(&inverse)?)?.rsqrt()?;
        let sign = if is_complex { ops::real::Default_::call(x)? } else { x.clone() };
        inverse.mul(&sign_of(&sign)?)?.mul(&root)
    };
    by_size(grad, self_, if is_complex { MODERATE } else { 1.0 }, near, far)
}

/// `grad / conj(1 + self ** 2)`
#[gradient_helper]
pub(crate) fn atan_backward(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    let near = |x: &Tensor| one_plus(&x.mul(x)?)?.reciprocal();
    let far = |x: &Tensor| {
        let inverse = x.reciprocal()?;
        let square = inverse.mul(&inverse)?;
        square.div(&one_plus(&square)?)
    };
    by_size(grad, self_, 1.0, near, far)
}

/// `grad / conj(1 - self ** 2)`
#[gradient_helper]
pub(crate) fn atanh_backward(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    let near = |x: &Tensor| one_minus(&x.mul(x)?)?.reciprocal();
    let far = |x: &Tensor| one_minus(x)?.reciprocal()?.mul(&one_plus(x)?.reciprocal()?);
    by_size(grad, self_, 0.5, near, far)
}

/// Of `atan2(self, other)`: `grad` times `cos` and `-sin` of the angle over `hypot(self, other)`; 0
/// at the origin.
#[gradient_helper]
pub(crate) fn atan2_backward(
    grad: &Tensor,
    self_: &Tensor,
    other: &Tensor,
    mask: &[bool],
) -> Result<(Option<Tensor>, Option<Tensor>)> {
    let direction = direction(&widened(self_)?, &widened(other)?)?;
    let along = |part: &Tensor| widened(grad)?.mul(&direction.per_size(part)?);
    let of_self = wanted(mask, 0, || to(&along(&direction.cosine)?, grad.dtype()))?;
    let of_other = wanted(mask, 1, || to(&along(&direction.sine)?.neg()?, grad.dtype()))?;
    Ok((of_self, of_other))
}

/// Of `hypot(self, other)`: `grad` times `self / result` and `other / result`; 0 at the origin.
#[gradient_helper]
pub(crate) fn hypot_backward(
    grad: &Tensor,
    self_: &Tensor,
    other: &Tensor,
    mask: &[bool],
) -> Result<(Option<Tensor>, Option<Tensor>)> {
    let PointDirection { sine, cosine, .. } = direction(&widened(self_)?, &widened(other)?)?;
    let wide = widened(grad)?;
    let of_self = wanted(mask, 0, || to(&wide.mul(&sine)?, grad.dtype()))?;
    let of_other = wanted(mask, 1, || to(&wide.mul(&cosine)?, grad.dtype()))?;
    Ok((of_self, of_other))
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
