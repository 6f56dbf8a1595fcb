//! Special functions of real numbers: `erf`, `erfc`, `gelu`, `xlogy` and the like, one at a time and by blocks.

use crate::multiversion;
use crate::simd::{Best, Functions};
use crate::{double, single};

/// As [`Special::erf`], of each.
pub fn erf<T: Special>(block: &mut [T]) {
    if !T::erf_lanes(block) {
        erf_one_by_one(block);
    }
}

/// As [`Special::erfc`], of each.
pub fn erfc<T: Special>(block: &mut [T]) {
    if !T::erfc_lanes(block) {
        erfc_one_by_one(block);
    }
}

multiversion! {
    fn erf_one_by_one<const FMA: bool, T>(block: &mut [T])
    where
        [T: Special]
    {
        for x in block {
            *x = x.erf::<FMA>();
        }
    }

    fn erfc_one_by_one<const FMA: bool, T>(block: &mut [T])
    where
        [T: Special]
    {
        for x in block {
            *x = x.erfc::<FMA>();
        }
    }
}

/// Functions of real numbers that the standard library does not have.
pub trait Special: Copy {
    /// [`erf`](Special::erf) of each: false, and nothing is done, if the
    /// processor lacks what it takes.
    #[inline(always)]
    fn erf_lanes(_: &mut [Self]) -> bool {
        false
    }
    /// The same of [`erfc`](Special::erfc).
    #[inline(always)]
    fn erfc_lanes(_: &mut [Self]) -> bool {
        false
    }
    /// The same of `x / 2 * (1 + erf(x / sqrt(2)))`.
    #[inline(always)]
    fn gelu_lanes(_: &mut [Self]) -> bool {
        false
    }
    /// The integral of the normal distribution, from -1 to 1.
    fn erf<const FMA: bool>(self) -> Self;
    /// One less this.
    fn erfc<const FMA: bool>(self) -> Self;
    /// `self / 2 * erfc(-self / sqrt(2))`, which goes to zero where it is negative.
    fn gelu<const FMA: bool>(self) -> Self;
    /// `-self * ln(self)`, continued to 0
    fn entropy(self) -> Self;
    /// `self * logarithm`, and 0 for 0 unless the logarithm's argument is NaN
    fn xlogy(self, argument: Self, logarithm: Self) -> Self;
}

macro_rules! reals {
    ($($ty:ident $functions:ident)*) => {$(
        impl Special for $ty {
            #[inline(always)]
            fn erf_lanes(numbers: &mut [$ty]) -> bool {
                Best::erf(numbers)
            }
            #[inline(always)]
            fn erfc_lanes(numbers: &mut [$ty]) -> bool {
                Best::erfc(numbers)
            }
            #[inline(always)]
            fn gelu_lanes(numbers: &mut [$ty]) -> bool {
                Best::gelu(numbers)
            }
            #[inline(always)]
            fn erf<const FMA: bool>(self) -> $ty {
                $functions::erf::<FMA>(self)
            }
            #[inline(always)]
            fn erfc<const FMA: bool>(self) -> $ty {
                $functions::erfc::<FMA>(self)
            }
            #[inline(always)]
            fn gelu<const FMA: bool>(self) -> $ty {
                $functions::gelu::<FMA>(self)
            }
            #[inline]
            fn entropy(self) -> $ty {
                if self > 0.0 {
                    -self * self.ln()
                } else if self == 0.0 {
                    0.0
                } else if self < 0.0 {
                    $ty::NEG_INFINITY
                } else {
                    self
                }
            }
            #[inline]
            fn xlogy(self, argument: $ty, logarithm: $ty) -> $ty {
                if argument.is_nan() {
                    argument
                } else if self == 0.0 {
                    0.0
                } else {
                    self * logarithm
                }
            }
        }
    )*};
}

reals! { f32 single f64 double }
