//! Inverse trigonometric and hyperbolic functions, whose derivatives are made of `1 ± x²`.
//!
//! Where the square would be too large, or lose the digits of the difference, another form is taken.
//! Both see numbers only that do them no harm, so that all of their derivatives times 0 are 0.

use opwright_macros::gradient_helper;
use opwright_runtime::{Result, Scalar, Tensor};

use super::copies::{to, widened};
use crate::ops::{self, TensorOps};

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

fn one_minus(x: &Tensor) -> Result<Tensor> {
    ops::rsub::Scalar::call(x, Scalar::Int(1), Scalar::Int(1))
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
