//! Bessel functions, modified and scaled ones, and Airy's.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::iterate::Each;
use opwright_runtime::{Element, Result, Scalar, Tensor};
use opwright_vecmath::bessel;

use crate::elementwise::doubles;
use crate::gradient::{along, float};
use crate::ops::{self, TensorOps};

#[native_op(i0.out, elementwise, dtypes = floating)]
fn i0_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, bessel::i0)
}

#[native_op(special_i0e.out, elementwise, dtypes = floating)]
fn special_i0e_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, bessel::i0e)
}

#[native_op(special_i1.out, elementwise, dtypes = floating)]
fn special_i1_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, bessel::i1)
}

#[native_op(special_i1e.out, elementwise, dtypes = floating)]
fn special_i1e_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, bessel::i1e)
}

#[native_op(special_airy_ai.out, elementwise, dtypes = [f32, f64])]
fn special_airy_ai_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, bessel::airy_ai)
}

#[native_op(special_bessel_j0.out, elementwise, dtypes = [f32, f64])]
fn special_bessel_j0_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, bessel::j0)
}

#[native_op(special_bessel_j1.out, elementwise, dtypes = [f32, f64])]
fn special_bessel_j1_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, bessel::j1)
}

#[native_op(special_bessel_y0.out, elementwise, dtypes = [f32, f64])]
fn special_bessel_y0_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, bessel::y0)
}

#[native_op(special_bessel_y1.out, elementwise, dtypes = [f32, f64])]
fn special_bessel_y1_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, bessel::y1)
}

#[native_op(special_modified_bessel_i0.out, elementwise, dtypes = [f32, f64])]
fn special_modified_bessel_i0_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, bessel::i0)
}

#[native_op(special_modified_bessel_i1.out, elementwise, dtypes = [f32, f64])]
fn special_modified_bessel_i1_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, bessel::i1)
}

#[native_op(special_modified_bessel_k0.out, elementwise, dtypes = [f32, f64])]
fn special_modified_bessel_k0_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, bessel::k0)
}

#[native_op(special_modified_bessel_k1.out, elementwise, dtypes = [f32, f64])]
fn special_modified_bessel_k1_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, bessel::k1)
}

#[native_op(special_scaled_modified_bessel_k0.out, elementwise, dtypes = [f32, f64])]
fn special_scaled_modified_bessel_k0_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, bessel::k0e)
}

#[native_op(special_scaled_modified_bessel_k1.out, elementwise, dtypes = [f32, f64])]
fn special_scaled_modified_bessel_k1_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, bessel::k1e)
}

#[native_op(special_spherical_bessel_j0.out, elementwise, dtypes = [f32, f64])]
fn special_spherical_bessel_j0_out<T: Element>(each: Each<'_, T, T>) -> Result<()> {
    doubles::unary(each, bessel::spherical_j0)
}

/// Of `i0e`: `grad * (i1e(self) - sgn(self) * i0e(self))`.
#[gradient_helper]
pub(crate) fn i0e_backward(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    along(grad, self_, |x| {
        ops::special_i1e::Default_::call(x)?
            .sub(&x.sgn()?.mul(&ops::special_i0e::Default_::call(x)?)?)
    })
}

/// Of `i1`: `grad * (i0(self) - i1(self) / self)`, where the quotient is a half at 0.
#[gradient_helper]
pub(crate) fn i1_backward(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    along(grad, self_, |x| {
        let (is_zero, divisor) = without_zeros(x)?;
        let slope = x.i0()?.sub(&ops::special_i1::Default_::call(x)?.div(&divisor)?)?;
        ops::r#where::ScalarSelf::call(&is_zero, float(0.5), &slope)
    })
}

/// Of `i1e`: `grad * (i0e(self) - i1e(self) * (sgn(self) + 1 / self))`, likewise.
#[gradient_helper]
pub(crate) fn i1e_backward(grad: &Tensor, self_: &Tensor) -> Result<Tensor> {
    along(grad, self_, |x| {
        let (is_zero, divisor) = without_zeros(x)?;
        let factor = x.sgn()?.add(&divisor.reciprocal()?)?;
        let slope = ops::special_i0e::Default_::call(x)?
            .sub(&ops::special_i1e::Default_::call(x)?.mul(&factor)?)?;
        ops::r#where::ScalarSelf::call(&is_zero, float(0.5), &slope)
    })
}

/// Where it is 0, and the tensor with ones in the place of zeros.
fn without_zeros(x: &Tensor) -> Result<(Tensor, Tensor)> {
    let is_zero = x.eq_scalar(Scalar::Int(0))?;
    let divisor = x.masked_fill(&is_zero, Scalar::Int(1))?;
    Ok((is_zero, divisor))
}
