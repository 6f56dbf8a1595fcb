//! Trigonometric and hyperbolic functions, and their inverses.

use opwright_macros::native_op;
use opwright_runtime::Result;
use opwright_runtime::dtype::Element;
use opwright_runtime::iterate::Each;
use opwright_vecmath::blocks;
use opwright_vecmath::elementary::Elementary;
use opwright_vecmath::polar::{self, Polar};

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
