//! Points of the plane, by their ordinates: the angle, and the distance from zero.

use crate::multiversion;
#[cfg(target_arch = "x86_64")]
use crate::vectorized::wide;
use crate::vectorized::{double, single, usual};

/// As [`Point::angle`], of each.
pub fn angles<T: Point>(block: &mut [T], others: &[T]) {
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

    /// As [`Point::distance`], of each.
    pub fn distances<const FUSED: bool, T>(block: &mut [T], others: &[T])
    where
        [T: Point]
    {
        for (y, x) in block.iter_mut().zip(others) {
            *y = y.distance::<FUSED>(*x);
        }
    }
}

/// Numbers that are ordinates of points.
pub trait Point: Copy {
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
