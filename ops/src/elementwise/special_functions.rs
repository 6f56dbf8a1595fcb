//! Error functions and terms with logarithms.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::Float;
use opwright_runtime::iterate::Each;
use opwright_runtime::{Element, Result, Scalar, Tensor};
use opwright_vecmath::special::{self, Special};

use crate::elementwise::gradient::one_minus;
use crate::gradient::{along, finite, float, kept_where};
use crate::ops::{self, TensorOps};

#[native_op(erf.out, elementwise, dtypes = floating)]
fn erf_out<T: Special + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(special::erf)
}

#[native_op(erfc.out, elementwise, dtypes = floating)]
fn erfc_out<T: Special + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(special::erfc)
}

#[native_op(special_entr.out, elementwise, dtypes = floating)]
fn special_entr_out<T: Special>(x: T) -> T {
    x.entropy()
}

#[native_op(xlogy.OutTensor, elementwise, dtypes = floating)]
fn xlogy_outtensor<T: Special + Float>(x: T, other: T) -> T {
    x.xlogy(other, other.ln())
}

#[native_op(special_xlog1py.out, elementwise, dtypes = floating)]
fn special_xlog1py_out<T: Special + Float>(x: T, other: T) -> T {
    x.xlogy(other, other.ln_1p())
}

/// The logarithm of the odds `x / (1 - x)` of each element. With `eps`, elements
/// are first brought into the range from `eps` to `1 - eps`.
///
/// ```python
/// >>> opwright.logit(opwright.tensor([0.5, 0.75]))
/// tensor([0.0000, 1.0986], dtype=float32, shape=(2,))
/// >>> opwright.logit(opwright.tensor([1.0]), eps=0.25)
/// tensor([1.0986], dtype=float32, shape=(1,))
/// ```
#[native_op(
    "logit(Tensor self, float? eps=None) -> Tensor",
    elementwise,
    dtypes = floating,
    promote = float,
    method,
    tags = "pointwise",
    derivative(self = "logit_backward(grad, self, eps)")
)]
fn logit<T: Element + Float>(x: T, eps: Option<f64>) -> T {
    let x = match eps.map(|eps| (Scalar::Float(eps).wrap(), Scalar::Float(1.0 - eps).wrap())) {
        Some((low, _)) if x < low => low,
        Some((_, high)) if x > high => high,
        Some(_) | None => x,
    };
    (x / (T::ONE - x)).ln()
}

/// Of the error function, without its factor: `grad * exp(-self ** 2)`.
#[gradient_helper]
pub(crate) fn gaussian(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    along(grad, self_, |x| {
        let x = finite(x, 100)?;
        x.mul(&x)?.neg()?.exp()
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
