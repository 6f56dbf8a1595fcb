//! Functions of `f64`.

use super::precision::Double;
use super::trigonometry::MOST;
use super::{arcs, error_function, exponential, hyperbolic, logarithm, powers, trigonometry};

macro_rules! functions {
    ($($home:ident: $($name:ident)*;)*) => {$($(
        #[doc = concat!("`", stringify!($name), "`, as C has it.")]
        #[inline(always)]
        pub(crate) fn $name(x: f64) -> f64 {
            $home::$name::<Double>(x)
        }
    )*)*};
}

functions! {
    exponential: exp exp2 expm1;
    logarithm: ln ln_1p log2 log10;
    trigonometry: sin cos tan;
    hyperbolic: sinh cosh tanh;
    arcs: asin acos atan;
    error_function: erf erfc;
}

/// Whether `sin`, `cos` and `tan` are right.
#[inline(always)]
pub(crate) fn is_usual(x: f64) -> bool {
    x.is_nan() || x.abs() <= MOST
}

/// The angle of the point `(x, y)`.
#[inline(always)]
pub(crate) fn atan2(y: f64, x: f64) -> f64 {
    arcs::atan2::<Double>(y, x)
}

/// `x` to the power `y`.
#[inline(always)]
pub(crate) fn pow(x: f64, y: f64) -> f64 {
    powers::pow::<Double>(x, y)
}
