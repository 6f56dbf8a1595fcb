//! Functions of `f32` in `f32`, exact enough where `mul_add` is one instruction.
//!
//! A result is a sum of two parts until its last addition: what is lost of the greater part, a
//! number that needs no rounding, is known by `mul_add`.

mod arcs;
mod error_function;
mod exponential;
mod hyperbolic;
mod logarithm;
mod trigonometry;

pub(super) use self::arcs::{acos, asin, atan, atan2, usual_atan2};
pub(super) use self::error_function::{erf, gelu};
pub(super) use self::exponential::{exp, exp2, expm1, usual_exp, usual_exp2, usual_expm1};
pub(super) use self::hyperbolic::{acosh, asinh, atanh, cosh, sinh, tanh};
pub(super) use self::logarithm::{
    ln, ln_1p, log2, log10, usual_ln, usual_ln_1p, usual_log2, usual_log10,
};
#[cfg(target_arch = "x86_64")]
pub(super) use self::trigonometry::HALF_PI;
pub(super) use self::trigonometry::{MOST, cos, sin, tan};

/// A polynomial, its constant term first.
macro_rules! horner {
    ($x:expr, $last:literal) => { $last };
    ($x:expr, $first:literal $($rest:literal)+) => {
        f32::mul_add(horner!($x, $($rest)+), $x, $first)
    };
}

use horner;
