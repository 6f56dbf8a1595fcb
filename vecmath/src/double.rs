//! Functions of `f64`, one number at a time: polynomials, and with FMA table lookups where they are faster in
//! loops. Errors: 1 ULP, of `tanh` and `erfc` 2.

use crate::precision::Double;
use crate::trig::MOST;
use crate::trig::inverse;
use crate::{erf, exp, hyperbolic, log, pow, round, trig};

macro_rules! functions {
    ($($home:ident: $($name:ident)*;)*) => {$($(
        #[doc = concat!("`", stringify!($name), "`, as C has it.")]
        #[inline(always)]
        pub fn $name<const FMA: bool>(x: f64) -> f64 {
            $home::$name::<Double<FMA>>(x)
        }
    )*)*};
}

functions! {
    exp: exp exp_in_range exp2 exp2_in_range expm1 expm1_in_range;
    log: log log_in_range log1p log1p_in_range log2 log2_in_range log10 log10_in_range;
    hyperbolic: sinh cosh tanh asinh acosh atanh;
    inverse: asin acos;
    erf: erfc gelu;
}

macro_rules! by_lookup {
    ($($home:ident: $($name:ident $lanes:ident)*;)*) => {$($(
        #[doc = concat!("`", stringify!($name), "`, as C has it; with FMA by table lookup.")]
        #[inline(always)]
        pub fn $name<const FMA: bool>(x: f64) -> f64 {
            if FMA { $home::lanes::$lanes(x) } else { $home::$name::<Double<FMA>>(x) }
        }
    )*)*};
}

by_lookup! {
    trig: sin sin_f64 cos cos_f64 tan tan_f64;
    inverse: atan atan_f64;
    erf: erf erf_f64;
}

/// The tangent of what is too large for [`tan`].
pub fn far_tan(x: f64) -> f64 {
    x.tan()
}

/// Whether `sin`, `cos` and `tan` are right.
#[inline(always)]
pub fn is_in_range(x: f64) -> bool {
    x.is_nan() || x.abs() <= MOST
}

/// Sine and cosine of a number of turns from 0 to 1.
#[inline(always)]
pub fn sin_cos_of_turns<const FMA: bool>(turns: f64) -> (f64, f64) {
    trig::sin_cos_of_turns::<Double<FMA>>(turns)
}

pub use self::{cos as cos_in_range, sin as sin_in_range, tan as tan_in_range};

/// Up to here all angles are alike.
pub(super) const MOST_IN_RANGE: f64 = MOST;

/// The angle of the point `(x, y)`.
#[inline(always)]
pub fn atan2<const FMA: bool>(y: f64, x: f64) -> f64 {
    inverse::atan2::<Double<FMA>>(y, x)
}

/// As [`atan2`].
#[inline(always)]
pub fn atan2_in_range<const FMA: bool>(y: f64, x: f64) -> f64 {
    inverse::atan2_in_range::<Double<FMA>>(y, x)
}

/// `x` to the power `y`.
#[inline(always)]
pub fn pow<const FMA: bool>(x: f64, y: f64) -> f64 {
    pow::pow::<Double<FMA>>(x, y)
}

/// As [`pow`].
#[inline(always)]
pub fn pow_in_range<const FMA: bool>(x: f64, y: f64) -> f64 {
    pow::pow_in_range::<Double<FMA>>(x, y)
}

/// The distance of the point `(x, y)` from zero.
#[inline(always)]
pub fn hypot<const FMA: bool>(x: f64, y: f64) -> f64 {
    pow::hypot::<Double<FMA>>(x, y)
}

/// Whether [`rest`] is right.
#[inline(always)]
pub fn quotient_is_exact(a: f64, b: f64) -> bool {
    round::quotient_is_exact(a, b)
}

/// What is left of `a` after a whole number of `b`; it has the sign of `a`.
#[inline(always)]
pub fn rest<const FMA: bool>(a: f64, b: f64) -> f64 {
    round::rest::<Double<FMA>>(a, b)
}
