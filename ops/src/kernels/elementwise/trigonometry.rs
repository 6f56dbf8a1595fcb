//! Trigonometric and hyperbolic functions, and their inverses.

use opwright_macros::native_op;
use opwright_runtime::dtype::{Element, Float};
use opwright_runtime::iterate::Each;
use opwright_runtime::{Result, multiversion};

use super::analytic::Analytic;
use super::blocks;
use super::vectorized::{double, single};

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
fn asinh_out<T: Analytic>(x: T) -> T {
    x.area_sine()
}

#[native_op(acosh.out, elementwise, dtypes = floating | complex, wide)]
fn acosh_out<T: Analytic>(x: T) -> T {
    x.area_cosine()
}

#[native_op(atanh.out, elementwise, dtypes = floating | complex, wide)]
fn atanh_out<T: Analytic>(x: T) -> T {
    x.area_tangent()
}

#[native_op(sinc.out, elementwise, dtypes = floating | complex, wide)]
fn sinc_out<T: Analytic>(x: T) -> T {
    x.sinc()
}

#[native_op(atan2.out, elementwise, dtypes = floating)]
fn atan2_out<T: Angle + Element>(each: Each<'_, (T, T), T>) -> Result<()> {
    each.run_blocks(angles)
}

multiversion! {
    fn angles<T>(block: &mut [T], others: &[T])
    where
        [T: Angle]
    {
        for (y, x) in block.iter_mut().zip(others) {
            *y = y.angle(*x);
        }
    }
}

/// Numbers that are ordinates.
trait Angle: Copy {
    /// That of the point with this abscissa.
    fn angle(self, x: Self) -> Self;
}

impl Angle for f32 {
    #[inline(always)]
    fn angle(self, x: f32) -> f32 {
        single::atan2(self, x)
    }
}

impl Angle for f64 {
    #[inline(always)]
    fn angle(self, x: f64) -> f64 {
        double::atan2(self, x)
    }
}

#[native_op(hypot.out, elementwise, dtypes = floating)]
fn hypot_out<T: Float>(x: T, other: T) -> T {
    x.hypot(other)
}
