//! Hyperbolic functions.

use std::f64::consts::LN_2;

use super::exponential::{Reduced, clamp, expm1};
use super::logarithm::ln_1p;
use super::parts::mul_add;
use super::precision::Precision;

/// Beyond this `sinh` and `cosh` are infinite.
const MOST: f64 = 711.0;

/// `exp(a) / 2` as a sum of two, where `a` is not negative.
#[inline(always)]
fn half_exp<P: Precision>(a: f64) -> (f64, f64) {
    let reduced = Reduced::of(clamp(a, 0.0, MOST), 0.0);
    let (high, low) = reduced.exp_in_parts::<P>();
    (reduced.scaled(0.5 * high), reduced.scaled(0.5 * low))
}

/// The hyperbolic sine.
#[inline(always)]
pub(super) fn sinh<P: Precision>(x: f64) -> f64 {
    let a = x.abs();
    let z = a * a;
    let small = a + a * (z * P::sinh(z));
    let (high, low) = half_exp::<P>(a);
    let large = high + (low - 0.25 / (high + low));
    let y = if a < 1.0 { small } else { large };
    let y = if a >= MOST { f64::INFINITY } else { y };
    let y = if x.is_nan() { x } else { y };
    y.copysign(x)
}

/// The hyperbolic cosine.
#[inline(always)]
pub(super) fn cosh<P: Precision>(x: f64) -> f64 {
    let a = x.abs();
    let (high, low) = half_exp::<P>(a);
    let y = high + (low + 0.25 / (high + low));
    let y = if a >= MOST { f64::INFINITY } else { y };
    if x.is_nan() { x } else { y }
}

/// The hyperbolic tangent.
#[inline(always)]
pub(super) fn tanh<P: Precision>(x: f64) -> f64 {
    /// From here on it is one.
    const MOST: f64 = 22.0;

    let a = x.abs();
    let e = expm1::<P>(2.0 * clamp(a, 0.0, MOST));
    let y = if a > MOST { 1.0 } else { e / (e + 2.0) };
    let y = if x.is_nan() { x } else { y };
    if x == 0.0 { x } else { y.copysign(x) }
}

/// From here on `1 + x^2` is `x^2`.
const LARGE: f64 = 268_435_456.0;

/// The logarithm of what is almost `2 * a` if `a` is large, else of `1 + beyond`.
#[inline(always)]
fn area<P: Precision>(a: f64, beyond: f64) -> f64 {
    let is_large = a > LARGE;
    let y = ln_1p::<P>(if is_large { a - 1.0 } else { beyond });
    if is_large { y + LN_2 } else { y }
}

/// The inverse of the hyperbolic sine.
#[inline(always)]
pub(super) fn asinh<P: Precision>(x: f64) -> f64 {
    let a = x.abs();
    let root = mul_add::<P>(a, a, 1.0).sqrt();
    area::<P>(a, a + a * a / (1.0 + root)).copysign(x)
}

/// The inverse of the hyperbolic cosine.
#[inline(always)]
pub(super) fn acosh<P: Precision>(x: f64) -> f64 {
    let above = x - 1.0;
    let y = area::<P>(x, above + mul_add::<P>(above, above, 2.0 * above).sqrt());
    if above < 0.0 { f64::NAN } else { y }
}

/// The inverse of the hyperbolic tangent.
#[inline(always)]
pub(super) fn atanh<P: Precision>(x: f64) -> f64 {
    let a = x.abs();
    let twice = 2.0 * a;
    let near = twice + twice * a / (1.0 - a);
    let far = twice / (1.0 - a);
    (0.5 * ln_1p::<P>(if a < 0.5 { near } else { far })).copysign(x)
}
