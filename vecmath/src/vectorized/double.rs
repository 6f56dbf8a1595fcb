//! Functions of `f64`.

use super::precision::Double;
use super::trigonometry::MOST;
use super::{
    arcs, error_function, exponential, hyperbolic, logarithm, powers, remainder, trigonometry,
};

macro_rules! functions {
    ($($home:ident: $($name:ident)*;)*) => {$($(
        #[doc = concat!("`", stringify!($name), "`, as C has it.")]
        #[inline(always)]
        pub fn $name<const FUSED: bool>(x: f64) -> f64 {
            $home::$name::<Double<FUSED>>(x)
        }
    )*)*};
}

functions! {
    exponential: exp usual_exp exp2 usual_exp2 expm1 usual_expm1;
    logarithm: ln usual_ln ln_1p usual_ln_1p log2 usual_log2 log10 usual_log10;
    trigonometry: sin cos tan;
    hyperbolic: sinh cosh tanh asinh acosh atanh;
    arcs: asin acos atan;
    error_function: erf erfc gelu;
}

/// The tangent of what is too large for [`tan`].
pub fn far_tan(x: f64) -> f64 {
    x.tan()
}

/// Whether `sin`, `cos` and `tan` are right.
#[inline(always)]
pub fn is_usual(x: f64) -> bool {
    x.is_nan() || x.abs() <= MOST
}

/// Sine and cosine of a number of turns from 0 to 1.
#[inline(always)]
pub fn sin_cos_of_turns<const FUSED: bool>(turns: f64) -> (f64, f64) {
    trigonometry::sin_cos_of_turns::<Double<FUSED>>(turns)
}

pub use self::{cos as usual_cos, sin as usual_sin, tan as usual_tan};

/// Up to here all angles are alike.
pub(super) const MOST_USUAL: f64 = MOST;

/// The angle of the point `(x, y)`.
#[inline(always)]
pub fn atan2<const FUSED: bool>(y: f64, x: f64) -> f64 {
    arcs::atan2::<Double<FUSED>>(y, x)
}

/// As [`atan2`].
#[inline(always)]
pub fn usual_atan2<const FUSED: bool>(y: f64, x: f64) -> f64 {
    arcs::usual_atan2::<Double<FUSED>>(y, x)
}

/// `x` to the power `y`.
#[inline(always)]
pub fn pow<const FUSED: bool>(x: f64, y: f64) -> f64 {
    powers::pow::<Double<FUSED>>(x, y)
}

/// As [`pow`].
#[inline(always)]
pub fn usual_pow<const FUSED: bool>(x: f64, y: f64) -> f64 {
    powers::usual_pow::<Double<FUSED>>(x, y)
}

/// The distance of the point `(x, y)` from zero.
#[inline(always)]
pub fn hypot<const FUSED: bool>(x: f64, y: f64) -> f64 {
    powers::hypot::<Double<FUSED>>(x, y)
}

/// Whether [`rest`] is right.
#[inline(always)]
pub fn has_usual_quotient(a: f64, b: f64) -> bool {
    remainder::has_usual_quotient(a, b)
}

/// What is left of `a` after a whole number of `b`; it has the sign of `a`.
#[inline(always)]
pub fn rest<const FUSED: bool>(a: f64, b: f64) -> f64 {
    remainder::rest::<Double<FUSED>>(a, b)
}
