//! Hyperbolic functions of `f32` with FMA and their inverses: the exponential and the logarithm as sums of
//! two, and minimax polynomials near zero; that of `tanh` is Cephes'. Errors: 1 ULP, of `tanh` 2.

use std::f32::consts::SQRT_2;

use crate::exp::fma::{ExpReducedF32, LN_2_PARTS, clamp, exp_in_range};
use crate::log::fma::{added, near_one, split_normal};
use crate::precision::horner_f32;
use crate::single::power_of_two;
use crate::trig::inverse::fma::quotient;

/// From here on `sinh` and `cosh` are infinite.
const MOST: f32 = 89.5;

/// The hyperbolic sine.
#[inline(always)]
pub(crate) fn sinh(x: f32) -> f32 {
    let a = x.abs();
    let z = a * a;
    let p = horner_f32!(z, 0.166_666_67 0.008_333_350_5 0.000_198_360_66 2.817_439_7e-6);
    let small = (a * z).mul_add(p, a);
    let (high, low) = ExpReducedF32::of(clamp(a, 0.0, MOST)).quarter_exp();
    let large = 2.0 * (high + (low - 0.0625 / (high + low)));
    (if a < 1.0 { small } else { large }).copysign(x)
}

/// The hyperbolic cosine.
#[inline(always)]
pub(crate) fn cosh(x: f32) -> f32 {
    let (high, low) = ExpReducedF32::of(clamp(x.abs(), 0.0, MOST)).quarter_exp();
    2.0 * (high + (low + 0.0625 / (high + low)))
}

/// The hyperbolic tangent.
#[inline(always)]
pub(crate) fn tanh(x: f32) -> f32 {
    /// From here on it is one.
    const MOST: f32 = 10.0;

    let a = x.abs();
    let z = x * x;
    let p = horner_f32!(z, -0.333_332_8 0.133_314_42 -0.053_739_716 0.020_639_088 -0.005_704_988_7);
    let small = (p * z).mul_add(a, a);
    let large = 1.0 - 2.0 / (exp_in_range(2.0 * clamp(a, 0.0, MOST)) + 1.0);
    let y = if a < 0.625 { small } else { large };
    (if x.is_nan() { x } else { y }).copysign(x)
}

/// The logarithm of `a + sqrt(square)`, where `square` is a sum of two, and of `2 * a` where `a` is
/// large.
#[inline(always)]
fn area(a: f32, square: (f32, f32)) -> f32 {
    let root = square.0.sqrt();
    let missing = (-root).mul_add(root, square.0) + square.1;
    let (greater, lesser) = if a > root { (a, root) } else { (root, a) };
    let whole = greater + lesser;
    let lost = lesser - (whole - greater);
    // What the root lacks is missing / (2 * root); the logarithm changes by its share in the sum.
    let below = if root == 0.0 { 1.0 } else { 2.0 * root * whole };
    let lost = (2.0 * root).mul_add(lost, missing) / below;
    let is_large = a > 65_536.0;
    let (m, e) = split_normal(if is_large { a } else { whole });
    let e = e.wrapping_add(i32::from(is_large));
    let f = m - 1.0;
    let y = added(e, LN_2_PARTS, f, near_one(f) + if is_large { 0.0 } else { lost });
    if a < f32::INFINITY { y } else { a }
}

/// The inverse of the hyperbolic sine.
#[inline(always)]
pub(crate) fn asinh(x: f32) -> f32 {
    let a = x.abs();
    let square = a * a;
    let rest = a.mul_add(a, -square);
    let (greater, lesser) = if a > 1.0 { (square, 1.0) } else { (1.0, square) };
    let sum = greater + lesser;
    area(a, (sum, (lesser - (sum - greater)) + rest)).copysign(x)
}

/// The inverse of the hyperbolic cosine.
#[inline(always)]
pub(crate) fn acosh(x: f32) -> f32 {
    let square = x * x;
    let rest = x.mul_add(x, -square);
    let less = square - 1.0;
    let y = area(x, (less, ((square - less) - 1.0) + rest));
    if x < 1.0 { f32::NAN } else { y }
}

/// The inverse of the hyperbolic tangent.
#[inline(always)]
pub(crate) fn atanh(x: f32) -> f32 {
    let a = x.abs();
    // 1. (1 + a) / (1 - a) = above / m * 2^-e
    let (above, below) = (1.0 + a, 1.0 - a);
    let (above_rest, below_rest) = (a - (above - 1.0), (1.0 - below) - a);
    let (m, e) = split_normal(below);
    let is_more = above > SQRT_2 * m;
    let (m, e) = if is_more { (2.0 * m, e.wrapping_sub(1)) } else { (m, e) };
    let m_rest = below_rest * power_of_two(e.wrapping_neg());
    // 2. The quotient is (1 + s) / (1 - s).
    let (difference, rest) = (above - m, above_rest - m_rest);
    let less = difference + rest;
    let less_rest = rest - (less - difference);
    let (greater, lesser) = if above > m { (above, m) } else { (m, above) };
    let more = greater + lesser;
    let more_rest = (lesser - (more - greater)) + (above_rest + m_rest);
    let (s, s_rest) = quotient((less, less_rest), (more, more_rest));
    let z = s * s;
    let p = horner_f32!(z, 0.333_333_9 0.199_887_48 0.149_365_37);
    // 3. Half of its logarithm
    let half = LN_2_PARTS.map(|it| 0.5 * it);
    let y = added(e.wrapping_neg(), half, s, (s * z).mul_add(p, s_rest));
    let y = if a < 1.0 { y } else { f32::NAN };
    let y = if a == 1.0 { f32::INFINITY } else { y };
    y.copysign(x)
}
