//! Polar coordinates: `atan2` and `hypot`, one point at a time and by blocks.

use crate::multiversion;
use crate::simd::{Best, Functions};
use crate::{double, range, single};

/// As [`Polar::atan2`], of each.
pub fn atan2<T: Polar>(block: &mut [T], others: &[T]) {
    if !T::atan2_lanes(block, others) {
        atan2_one_by_one(block, others);
    }
}

multiversion! {
    pub(crate) fn atan2_one_by_one<const FMA: bool, T>(block: &mut [T], others: &[T])
    where
        [T: Polar]
    {
        if T::atan2_is_in_range(block) && T::atan2_is_in_range(others) {
            for (y, x) in block.iter_mut().zip(others) {
                *y = y.atan2_in_range::<FMA>(*x);
            }
        } else {
            for (y, x) in block.iter_mut().zip(others) {
                *y = y.atan2::<FMA>(*x);
            }
        }
    }

    /// As [`Polar::hypot`], of each.
    pub fn hypot<const FMA: bool, T>(block: &mut [T], others: &[T])
    where
        [T: Polar]
    {
        for (y, x) in block.iter_mut().zip(others) {
            *y = y.hypot::<FMA>(*x);
        }
    }
}

/// Numbers that are ordinates of polar.
pub trait Polar: Copy {
    /// [`atan2`](Polar::atan2) of each: false, and nothing is done, if the processor or the type
    /// lacks what it takes.
    #[inline(always)]
    fn atan2_lanes(_: &mut [Self], _: &[Self]) -> bool {
        false
    }
    /// Whether angles have nothing special to do, if it is so for both coordinates.
    fn atan2_is_in_range(numbers: &[Self]) -> bool;
    /// The angle of the point with this abscissa.
    fn atan2<const FMA: bool>(self, x: Self) -> Self;
    /// The same of coordinates in range.
    fn atan2_in_range<const FMA: bool>(self, x: Self) -> Self;
    /// How far it is from zero.
    fn hypot<const FMA: bool>(self, x: Self) -> Self;
}

macro_rules! reals {
    ($($ty:ident $functions:ident)*) => {$(
        impl Polar for $ty {
            #[inline(always)]
            fn atan2_lanes(block: &mut [$ty], others: &[$ty]) -> bool {
                Best::atan2(block, others)
            }
            #[inline(always)]
            fn atan2_is_in_range(numbers: &[$ty]) -> bool {
                range::$functions::ordinates(numbers)
            }
            #[inline(always)]
            fn atan2_in_range<const FMA: bool>(self, x: $ty) -> $ty {
                $functions::atan2_in_range::<FMA>(self, x)
            }
            #[inline(always)]
            fn atan2<const FMA: bool>(self, x: $ty) -> $ty {
                $functions::atan2::<FMA>(self, x)
            }
            #[inline(always)]
            fn hypot<const FMA: bool>(self, x: $ty) -> $ty {
                $functions::hypot::<FMA>(self, x)
            }
        }
    )*};
}

reals! { f32 single f64 double }
