//! The normal distribution: shares, quantiles, their logarithms, and scaled and inverse error functions.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_PI};

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::iterate::Each;
use opwright_runtime::{Element, Result, Tensor};
use opwright_vecmath::normal;

use crate::elementwise::doubles;
use crate::gradient::{along, float};
use crate::ops::{self, TensorOps};

#[native_op(erfinv.out, elementwise, dtypes = floating)]
fn erfinv_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, normal::erfinv)
}

#[native_op(special_erfcx.out, elementwise, dtypes = [f32, f64])]
fn special_erfcx_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, normal::erfcx)
}

#[native_op(special_log_ndtr.out, elementwise, dtypes = [f32, f64])]
fn special_log_ndtr_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, normal::log_ndtr)
}

/// By `erfc`: one more than the error function would say nothing of small shares.
#[native_op(special_ndtr)]
fn special_ndtr(self_: &Tensor) -> Result<Tensor> {
    self_.mul_scalar(float(-FRAC_1_SQRT_2))?.erfc()?.mul_scalar(float(0.5))
}

#[native_op(special_ndtri.out, elementwise, dtypes = [f32, f64])]
fn special_ndtri_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, normal::ndtri)
}

/// Of the logarithm of a share: `grad` times the density by the share, which are as small as each
/// other, by their quotient.
#[gradient_helper]
pub(crate) fn log_ndtr_backward(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    along(grad, self_, |x| {
        let scaled = ops::special_erfcx::Default_::call(&x.mul_scalar(float(-FRAC_1_SQRT_2))?)?;
        scaled.reciprocal()?.mul_scalar(float(FRAC_2_PI.sqrt()))
    })
}
