//! Trigonometric and hyperbolic functions, and their inverses.

use opwright_macros::native_op;
use opwright_runtime::Result;
use opwright_runtime::dtype::Element;
use opwright_runtime::iterate::Each;
use opwright_vecmath::analytic::Analytic;
use opwright_vecmath::blocks;
use opwright_vecmath::points::{Point, angles, distances};

#[native_op(sin.out, elementwise, dtypes = floating | complex, wide)]
fn sin_out<T: Analytic + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::sine)
}

#[native_op(cos.out, elementwise, dtypes = floating | complex, wide)]
fn cos_out<T: Analytic + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::cosine)
}

#[native_op(tan.out, elementwise, dtypes = floating | complex, wide)]
fn tan_out<T: Analytic + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::tangent)
}

#[native_op(asin.out, elementwise, dtypes = floating | complex, wide)]
fn asin_out<T: Analytic + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::arc_sine)
}

#[native_op(acos.out, elementwise, dtypes = floating | complex, wide)]
fn acos_out<T: Analytic + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::arc_cosine)
}

#[native_op(atan.out, elementwise, dtypes = floating | complex, wide)]
fn atan_out<T: Analytic + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::arc_tangent)
}

#[native_op(sinh.out, elementwise, dtypes = floating | complex, wide)]
fn sinh_out<T: Analytic + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::hyperbolic_sine)
}

#[native_op(cosh.out, elementwise, dtypes = floating | complex, wide)]
fn cosh_out<T: Analytic + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::hyperbolic_cosine)
}

#[native_op(tanh.out, elementwise, dtypes = floating | complex, wide)]
fn tanh_out<T: Analytic + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::hyperbolic_tangent)
}

#[native_op(asinh.out, elementwise, dtypes = floating | complex, wide)]
fn asinh_out<T: Analytic + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::area_sine)
}

#[native_op(acosh.out, elementwise, dtypes = floating | complex, wide)]
fn acosh_out<T: Analytic + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::area_cosine)
}

#[native_op(atanh.out, elementwise, dtypes = floating | complex, wide)]
fn atanh_out<T: Analytic + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(blocks::area_tangent)
}

#[native_op(sinc.out, elementwise, dtypes = floating | complex, wide)]
fn sinc_out<T: Analytic>(x: T) -> T {
    x.sinc()
}

#[native_op(atan2.out, elementwise, dtypes = floating)]
fn atan2_out<T: Point + Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    each.run_blocks(angles)
}

#[native_op(hypot.out, elementwise, dtypes = floating)]
fn hypot_out<T: Point + Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    each.run_blocks(distances)
}
