//! Gamma functions: logarithms, their derivatives, incomplete ones, and the zeta function.

use std::f64::consts::PI;

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::iterate::Each;
use opwright_runtime::{DType, Element, Result, Scalar, Tensor, ensure, interrupt};
use opwright_vecmath::gamma;

use crate::elementwise::doubles;
use crate::gradient::{float, to};
use crate::ops::{self, TensorOps};

#[native_op(lgamma.out, elementwise, dtypes = floating)]
fn lgamma_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, gamma::lgamma)
}

#[native_op(digamma.out, elementwise, dtypes = floating)]
fn digamma_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, gamma::digamma)
}

#[native_op(polygamma.out, check)]
fn polygamma_check(n: i64, _self: &Tensor) -> Result<()> {
    ensure!(n >= 0, Runtime, "polygamma(n, x) does not support negative n, but n is {n}");
    Ok(())
}

#[native_op(polygamma.out, elementwise, dtypes = floating)]
fn polygamma_out<T: Element>(n: i64, x: T) -> T {
    T::cast_from(gamma::polygamma(n as f64, x.as_f64()))
}

#[native_op(polygamma_)]
fn polygamma_(self_: &mut Tensor, n: i64) -> Result<()> {
    // A gradient needs what is overwritten.
    let input = ops::clone::Default_::call(self_, None)?;
    let result = ops::polygamma::Default_::call(n, &input)?;
    written(self_, &result)
}

#[native_op(igamma.out, elementwise, dtypes = floating)]
fn igamma_out<T: Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    doubles::binary(each, gamma::gammainc)
}

#[native_op(igammac.out, elementwise, dtypes = floating)]
fn igammac_out<T: Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    doubles::binary(each, gamma::gammaincc)
}

#[native_op(special_zeta.out, elementwise, dtypes = [f32, f64])]
fn special_zeta_out<T: Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    doubles::binary(each, gamma::zeta)
}

/// A sum of logarithms of gamma functions of arguments that are halves apart.
#[native_op(mvlgamma)]
fn mvlgamma(self_: &Tensor, p: i64) -> Result<Tensor> {
    ensure!(p >= 1, Runtime, "p has to be greater than or equal to 1, but p is {p}");
    ensure!(
        self_.dtype() != DType::Bool,
        Runtime,
        "mvlgamma: the input tensor may not be a boolean tensor"
    );
    // As many as that take long; elsewhere they are a dimension of a tensor.
    ensure!(p <= 1 << 20, Memory, "not enough memory for sums of {p} terms");
    let term = |at: i64| self_.sub_scalar(float(0.5 * at as f64))?.lgamma();
    let mut sum = term(0)?;
    for at in 1..p {
        interrupt::check();
        sum = sum.add(&term(at)?)?;
    }
    let pairs = p as f64 * (p as f64 - 1.0);
    sum.add_scalar(float(0.25 * pairs * PI.ln()))
}

#[native_op(mvlgamma_)]
fn mvlgamma_(self_: &mut Tensor, p: i64) -> Result<()> {
    let result = ops::mvlgamma::Default_::call(self_, p)?;
    written(self_, &result)
}

/// Writes what was made of a tensor to that, if it can hold it.
fn written(self_: &mut Tensor, result: &Tensor) -> Result<()> {
    opwright_runtime::promote::check_cast(result.dtype(), self_.dtype())?;
    ops::copy_::Default_::call(self_, result, false)
}

/// Of the lower incomplete gamma function: `grad * other^(self - 1) * exp(-other) / gamma(self)`.
#[gradient_helper]
pub(crate) fn igamma_other_backward(
    grad: &Tensor,
    self_: &Tensor,
    other: &Tensor,
) -> Result<Tensor> {
    let power = self_.sub_scalar(Scalar::Int(1))?.xlogy(other)?;
    let logarithm = power.sub(other)?.sub(&self_.lgamma()?)?;
    to(&grad.mul(&logarithm.exp()?)?, grad.dtype())
}

/// Of the zeta function by its second argument: `-grad * self * zeta(self + 1, other)`.
#[gradient_helper]
pub(crate) fn zeta_other_backward(grad: &Tensor, self_: &Tensor, other: &Tensor) -> Result<Tensor> {
    let next = self_.add_scalar(Scalar::Int(1))?;
    grad.neg()?.mul(self_)?.mul(&ops::special_zeta::Default_::call(&next, other)?)
}
