//! Trigonometric and hyperbolic functions, and their inverses.

use opwright_macros::native_op;
use opwright_runtime::dtype::Element;
use opwright_runtime::iterate::Each;
use opwright_runtime::{Result, multiversion};

use super::analytic::Analytic;
use super::blocks;
#[cfg(target_arch = "x86_64")]
use super::vectorized::wide;
use super::vectorized::{double, single, usual};

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

/// As [`Point::angle`], of each.
fn angles<T: Point>(block: &mut [T], others: &[T]) {
    if !T::angles(block, others) {
        angles_one_by_one(block, others);
    }
}

multiversion! {
    fn angles_one_by_one<const FUSED: bool, T>(block: &mut [T], others: &[T])
    where
        [T: Point]
    {
        if T::are_usual(block) && T::are_usual(others) {
            for (y, x) in block.iter_mut().zip(others) {
                *y = y.usual_angle::<FUSED>(*x);
            }
        } else {
            for (y, x) in block.iter_mut().zip(others) {
                *y = y.angle::<FUSED>(*x);
            }
        }
    }

    fn distances<const FUSED: bool, T>(block: &mut [T], others: &[T])
    where
        [T: Point]
    {
        for (y, x) in block.iter_mut().zip(others) {
            *y = y.distance::<FUSED>(*x);
        }
    }
}

/// Numbers that are ordinates of points.
trait Point: Copy {
    /// [`angle`](Point::angle) of each: false, and nothing is done, if the processor or the type
    /// lacks what it takes.
    #[inline(always)]
    fn angles(_: &mut [Self], _: &[Self]) -> bool {
        false
    }
    /// Whether angles have nothing special to do, if it is so for both ordinates.
    fn are_usual(numbers: &[Self]) -> bool;
    /// The angle of the point with this abscissa.
    fn angle<const FUSED: bool>(self, x: Self) -> Self;
    /// The same of what is usual.
    fn usual_angle<const FUSED: bool>(self, x: Self) -> Self;
    /// How far it is from zero.
    fn distance<const FUSED: bool>(self, x: Self) -> Self;
}

macro_rules! points {
    ($($ty:ident $functions:ident [$($angles:path)?])*) => {$(
        impl Point for $ty {
            $(
                #[cfg(target_arch = "x86_64")]
                #[inline(always)]
                fn angles(block: &mut [$ty], others: &[$ty]) -> bool {
                    $angles(block, others)
                }
            )?
            #[inline(always)]
            fn are_usual(numbers: &[$ty]) -> bool {
                usual::$functions::ordinates(numbers)
            }
            #[inline(always)]
            fn usual_angle<const FUSED: bool>(self, x: $ty) -> $ty {
                $functions::usual_atan2::<FUSED>(self, x)
            }
            #[inline(always)]
            fn angle<const FUSED: bool>(self, x: $ty) -> $ty {
                $functions::atan2::<FUSED>(self, x)
            }
            #[inline(always)]
            fn distance<const FUSED: bool>(self, x: $ty) -> $ty {
                $functions::hypot::<FUSED>(self, x)
            }
        }
    )*};
}

points! { f32 single [] f64 double [wide::arcs::atan2] }
