//! Rounding to integers, and exact remainders of quotients that are not too large.

use crate::double_double::two_product;
use crate::precision::Precision;

/// Rounding to integers.
pub trait Round: Copy {
    /// The nearest integer, and of two equally near ones the even one.
    fn to_nearest(self) -> Self;
    /// The greatest integer that is not above.
    fn down(self) -> Self;
    /// The least integer that is not below.
    fn up(self) -> Self;
    /// Without the fraction.
    fn towards_zero(self) -> Self;
}

macro_rules! round {
    ($($ty:ident)*) => {$(
        impl Round for $ty {
            #[inline(always)]
            fn to_nearest(self) -> $ty {
                // From here on there are no fractions, so adding it drops them.
                const WHOLE: $ty = (1_u64 << ($ty::MANTISSA_DIGITS - 1)) as $ty;
                let rounded = (self.abs() + WHOLE) - WHOLE;
                if self.abs() < WHOLE { rounded.copysign(self) } else { self }
            }
            #[inline(always)]
            fn down(self) -> $ty {
                let nearest = self.to_nearest();
                if nearest > self { nearest - 1.0 } else { nearest }
            }
            #[inline(always)]
            fn up(self) -> $ty {
                let nearest = self.to_nearest();
                if nearest < self { (nearest + 1.0).copysign(self) } else { nearest }
            }
            #[inline(always)]
            fn towards_zero(self) -> $ty {
                self.abs().down().copysign(self)
            }
        }
    )*};
}

round! { f32 f64 }

macro_rules! whole {
    ($($ty:ident)*) => {$(
        impl Round for $ty {
            #[inline(always)]
            fn to_nearest(self) -> $ty {
                self
            }
            #[inline(always)]
            fn down(self) -> $ty {
                self
            }
            #[inline(always)]
            fn up(self) -> $ty {
                self
            }
            #[inline(always)]
            fn towards_zero(self) -> $ty {
                self
            }
        }
    )*};
}

whole! { u8 u16 u32 u64 i8 i16 i32 i64 }

/// Whether [`rest`] is right: `a` divided by `b` is exact enough to tell its whole part, or one
/// more, and nothing on the way is lost.
#[inline(always)]
pub(crate) fn quotient_is_exact(a: f64, b: f64) -> bool {
    let is_in_range = (a.abs() < 1e300) & (b.abs() < 1e300) & (b.abs() > 1e-280);
    is_in_range & ((a / b).abs() < 4_503_599_627_370_496.0)
}

/// What is left of `a` after a whole number of `b`; it has the sign of `a`.
#[inline(always)]
pub(crate) fn rest<P: Precision>(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    let whole = if P::FMA { quotient.trunc() } else { quotient.towards_zero() };
    let (taken, lost) = two_product::<P>(whole, b);
    let rest = (a - taken) - lost;
    // A quotient just below a whole number is rounded to it.
    let is_beyond = rest != 0.0 && (rest < 0.0) != (a < 0.0);
    let rest = if is_beyond { rest + b.abs().copysign(a) } else { rest };
    rest.copysign(a)
}
