//! Hyperbolic functions and their inverses, by the exponential and the logarithm as double-doubles.
//! Errors: 1 ULP, of `tanh` 2.

pub(crate) mod fma;
pub(crate) mod lanes;
#[rustfmt::skip]
pub(crate) mod tables;

use std::f64::consts::SQRT_2;

use crate::double_double::{fast_two_sum, two_product, two_sum};
use crate::exp::{ExpReduced, LN_2, clamp};
use crate::log::{inverse_power_of_two, natural, split_normal};
use crate::precision::{Precision, horner, mul_add};

/// From here on `sinh` and `cosh` are infinite.
const MOST: f64 = 710.6;

/// `exp(a) / 4` as a sum of two, where `a` is not negative; half of it may be infinite.
#[inline(always)]
fn quarter_exp<P: Precision>(a: f64) -> (f64, f64) {
    let reduced = ExpReduced::of::<P>(clamp(a, 0.0, MOST), 0.0);
    let (high, low) = reduced.exp_double_double::<P>();
    let quarter = reduced.quarter();
    (high * quarter, low * quarter)
}

/// The hyperbolic sine.
#[inline(always)]
pub(crate) fn sinh<P: Precision>(x: f64) -> f64 {
    let a = x.abs();
    let z = a * a;
    let small = mul_add::<P>(a, z * P::sinh(z), a);
    let (high, low) = quarter_exp::<P>(a);
    let large = 2.0 * (high + (low - 0.0625 / (high + low)));
    (if a < 1.0 { small } else { large }).copysign(x)
}

/// The hyperbolic cosine.
#[inline(always)]
pub(crate) fn cosh<P: Precision>(x: f64) -> f64 {
    let (high, low) = quarter_exp::<P>(x.abs());
    2.0 * (high + (low + 0.0625 / (high + low)))
}

/// The hyperbolic tangent; the quotient of polynomials is that of S. Moshier's Cephes library.
#[inline(always)]
pub(crate) fn tanh<P: Precision>(x: f64) -> f64 {
    /// From here on it is one.
    const MOST: f64 = 22.0;

    let a = x.abs();
    let is_small = a < 0.625;
    let z = a * a;
    let above =
        horner!(P, z, -1_614.687_684_417_084_5 - 99.287_723_100_191_86 - 0.964_399_179_425_052_2);
    let below =
        horner!(P, z, 4_844.063_053_251_255 2_235.488_390_601_004_5 112.811_678_491_632_93 1.0);
    let power = ExpReduced::of::<P>(2.0 * clamp(a, 0.0, MOST), 0.0).normal_exp::<P>();
    let above = if is_small { a * z * above } else { -2.0 };
    let below = if is_small { below } else { power + 1.0 };
    let y = if is_small { a } else { 1.0 } + above / below;
    let y = if x.is_nan() { x } else { y };
    y.copysign(x)
}

/// The logarithm of `a + sqrt(square)`, where `square` is a sum of two, and of `2 * a` where `a` is
/// large.
#[inline(always)]
fn area<P: Precision>(a: f64, square: (f64, f64)) -> f64 {
    /// From here on `a^2 + 1` is `a^2`.
    const LARGE: f64 = 268_435_456.0;

    let root = square.0.sqrt();
    let (back, back_rest) = two_product::<P>(root, root);
    let missing = ((square.0 - back) - back_rest) + square.1;
    let (whole, lost) = two_sum(a, root);
    // What the root lacks is missing / (2 * root); the logarithm changes by its share in the sum.
    let below = if root == 0.0 { 1.0 } else { 2.0 * root * whole };
    let lost = mul_add::<P>(2.0 * root, lost, missing) / below;
    let is_large = a > LARGE;
    let (m, e) = split_normal(if is_large { a } else { whole });
    let e = if is_large { e + 1.0 } else { e };
    let y = natural::<P>(m - 1.0, e, if is_large { 0.0 } else { lost });
    if a < f64::INFINITY { y } else { a }
}

/// The inverse of the hyperbolic sine.
#[inline(always)]
pub(crate) fn asinh<P: Precision>(x: f64) -> f64 {
    let a = x.abs();
    let (square, rest) = two_product::<P>(a, a);
    let (square, lost) = two_sum(1.0, square);
    area::<P>(a, (square, lost + rest)).copysign(x)
}

/// The inverse of the hyperbolic cosine.
#[inline(always)]
pub(crate) fn acosh<P: Precision>(x: f64) -> f64 {
    let (square, rest) = two_product::<P>(x, x);
    let (square, lost) = fast_two_sum(square, -1.0);
    let y = area::<P>(x, (square, lost + rest));
    if x < 1.0 { f64::NAN } else { y }
}

/// The inverse of the hyperbolic tangent.
#[inline(always)]
pub(crate) fn atanh<P: Precision>(x: f64) -> f64 {
    let a = x.abs();
    // 1. (1 + a) / (1 - a) = above / m * 2^-e
    let (above, above_rest) = fast_two_sum(1.0, a);
    let (below, below_rest) = fast_two_sum(1.0, -a);
    let (m, e) = split_normal(below);
    let is_more = above > SQRT_2 * m;
    let (m, e) = if is_more { (2.0 * m, e - 1.0) } else { (m, e) };
    let m_rest = below_rest * inverse_power_of_two(e);
    // 2. The quotient is (1 + s) / (1 - s).
    let (less, less_rest) = fast_two_sum(above - m, above_rest - m_rest);
    let (more, more_rest) = two_sum(above, m);
    let inverse = more.recip();
    let s = less * inverse;
    let (back, back_rest) = two_product::<P>(s, more);
    let more_rest = more_rest + (above_rest + m_rest);
    let s_rest = (((less - back) - back_rest) + (less_rest - s * more_rest)) * inverse;
    // 3. Half of its logarithm
    let z = s * s;
    let (high, low) = fast_two_sum(-0.5 * e * LN_2[0], s);
    let beyond = 0.5 * mul_add::<P>(s * z, P::ln(z), -e * LN_2[1]);
    let y = high + (low + (s_rest + beyond));
    let y = if a < 1.0 { y } else { f64::NAN };
    let y = if a == 1.0 { f64::INFINITY } else { y };
    y.copysign(x)
}
