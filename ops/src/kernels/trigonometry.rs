//! Trigonometric and hyperbolic functions, and their inverses.

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor, iterate};

use super::analytic::Analytic;
use super::calculate::calculate;
use super::map::map_floating;

#[native_op(sin.out)]
fn sin_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("sin", self_, out, |x| x.sine())
}

#[native_op(cos.out)]
fn cos_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("cos", self_, out, |x| x.cosine())
}

#[native_op(tan.out)]
fn tan_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("tan", self_, out, |x| x.tangent())
}

#[native_op(asin.out)]
fn asin_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("asin", self_, out, |x| x.arc_sine())
}

#[native_op(acos.out)]
fn acos_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("acos", self_, out, |x| x.arc_cosine())
}

#[native_op(atan.out)]
fn atan_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("atan", self_, out, |x| x.arc_tangent())
}

#[native_op(sinh.out)]
fn sinh_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("sinh", self_, out, |x| x.hyperbolic_sine())
}

#[native_op(cosh.out)]
fn cosh_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("cosh", self_, out, |x| x.hyperbolic_cosine())
}

#[native_op(tanh.out)]
fn tanh_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("tanh", self_, out, |x| x.hyperbolic_tangent())
}

#[native_op(asinh.out)]
fn asinh_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("asinh", self_, out, |x| x.area_sine())
}

#[native_op(acosh.out)]
fn acosh_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("acosh", self_, out, |x| x.area_cosine())
}

#[native_op(atanh.out)]
fn atanh_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("atanh", self_, out, |x| x.area_tangent())
}

#[native_op(sinc.out)]
fn sinc_out(self_: &Tensor, out: &mut Tensor) -> Result<()> {
    map_floating!("sinc", self_, out, |x| x.sinc())
}

#[native_op(atan2.out)]
fn atan2_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "atan2", floating, |T| {
        iterate::binary(self_, other, out, |y: T, x: T| y.atan2(x))
    })
}

#[native_op(hypot.out)]
fn hypot_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    calculate!(out.dtype(), "hypot", floating, |T| {
        iterate::binary(self_, other, out, |x: T, y: T| x.hypot(y))
    })
}
