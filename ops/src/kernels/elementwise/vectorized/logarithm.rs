//! Logarithms.

use super::exponential::{LN_2, SHIFT};
use super::parts::{horner, mul_add, product, sum, sum_to_greater};
use super::precision::Precision;

/// A positive number as `m * 2^e`, and `m` is between the square roots of 1/2 and 2.
#[inline(always)]
fn split(x: f64) -> (f64, f64) {
    /// The bits of the square root of one half.
    const LEAST: u64 = 0x3fe6_a09e_667f_3bcd;
    const BIAS: u64 = 1024;

    let is_subnormal = x < f64::MIN_POSITIVE;
    let (x, by) = if is_subnormal { (x * 18_014_398_509_481_984.0, 54.0) } else { (x, 0.0) };
    let above = x.to_bits().wrapping_sub(LEAST);
    let e = (above >> 52).wrapping_add(BIAS) & 0xfff;
    let e = f64::from_bits(SHIFT.to_bits() + e) - (SHIFT + BIAS as f64) - by;
    let m = f64::from_bits((above & 0x000f_ffff_ffff_ffff).wrapping_add(LEAST));
    (m, e)
}

/// `ln(1 + f)` as `f - half + rest`, where `1 + f` is between the square roots of 1/2 and 2.
#[inline(always)]
fn near_one<P: Precision>(f: f64) -> (f64, f64) {
    let s = f / (2.0 + f);
    let z = s * s;
    let half = 0.5 * f * f;
    (half, s * (half + z * P::ln(z)))
}

/// The result, but for what is no positive number.
#[inline(always)]
fn defined(x: f64, result: f64) -> f64 {
    let result = if x == f64::INFINITY || x.is_nan() { x } else { result };
    let result = if x < 0.0 { f64::NAN } else { result };
    if x == 0.0 { f64::NEG_INFINITY } else { result }
}

/// The natural logarithm.
#[inline(always)]
pub(super) fn ln<P: Precision>(x: f64) -> f64 {
    let (m, e) = split(x);
    let f = m - 1.0;
    let (half, rest) = near_one::<P>(f);
    defined(x, e * LN_2[0] - ((half - (rest + e * LN_2[1])) - f))
}

/// `ln(1 + x)`.
#[inline(always)]
pub(super) fn ln_1p<P: Precision>(x: f64) -> f64 {
    let above = 1.0 + x;
    let (m, e) = split(above);
    let is_near = e == 0.0;
    // What is lost of the sum, to which the logarithm is proportional.
    let lost = if x > 1.0 { 1.0 - (above - x) } else { x - (above - 1.0) };
    let lost = if is_near || e > 60.0 { 0.0 } else { lost / above };
    let f = if is_near { x } else { m - 1.0 };
    let (half, rest) = near_one::<P>(f);
    let result = e * LN_2[0] - ((half - (rest + (e * LN_2[1] + lost))) - f);
    let result = defined(above, result);
    if x == 0.0 { x } else { result }
}

/// A logarithm to another base: one over that of the base, and the new one of two.
#[inline(always)]
fn to_base<P: Precision>(x: f64, inverse: [f64; 2], of_two: [f64; 2]) -> f64 {
    let (m, e) = split(x);
    let f = m - 1.0;
    let (half, rest) = near_one::<P>(f);
    // The first part has so few bits that nothing is lost of the product.
    let high = f64::from_bits((f - half).to_bits() & 0xffff_ffff_0000_0000);
    let low = (f - high) - half + rest;
    let product = low * inverse[0] + (low + high) * inverse[1] + e * of_two[1];
    let (whole, lost) = sum(e * of_two[0], high * inverse[0]);
    defined(x, whole + (lost + product))
}

/// The logarithm to base two.
#[inline(always)]
pub(super) fn log2<P: Precision>(x: f64) -> f64 {
    to_base::<P>(x, [1.442_695_040_721_446_3, 1.675_171_316_488_651_2e-10], [1.0, 0.0])
}

/// The logarithm to base ten.
#[inline(always)]
pub(super) fn log10<P: Precision>(x: f64) -> f64 {
    let inverse = [0.434_294_481_878_168_9, 2.508_294_671_164_527_5e-11];
    to_base::<P>(x, inverse, [0.301_029_995_663_611_77, 3.694_239_077_158_931e-13])
}

/// The natural logarithm of a positive number as a sum of two, with a relative error of 2^-64.
#[inline(always)]
pub(super) fn ln_in_parts<P: Precision>(x: f64) -> (f64, f64) {
    const TWO_THIRDS: [f64; 2] = [0.666_666_666_666_666_6, 3.700_743_415_417_188e-17];

    let (m, e) = split(x);
    let f = m - 1.0;
    // 1. s = f / (2 + f)
    let (below, lost) = sum_to_greater(2.0, f);
    let s = f / below;
    let (back, beyond) = product::<P>(s, below);
    let s_rest = ((f - back) - beyond - s * lost) / below;
    // 2. ln(1 + f) = s * (2 + z * (2/3 + z * ...)), where z = s^2
    let (z, z_rest) = product::<P>(s, s);
    let z_rest = z_rest + 2.0 * s * s_rest;
    let terms = z * horner!(
        P,
        z,
        0.400_000_000_000_022_56
        0.285_714_285_700_984_2
        0.222_222_225_201_318_3
        0.181_817_843_485_561_93
        0.153_867_582_001_942_98
        0.132_567_971_860_845_2
        0.131_965_225_853_021_42
    );
    let (third, third_rest) = sum_to_greater(TWO_THIRDS[0], terms);
    let (bent, bent_rest) = product::<P>(z, third);
    let bent_rest = bent_rest + z * (third_rest + TWO_THIRDS[1]) + z_rest * third;
    let (factor, factor_rest) = sum_to_greater(2.0, bent);
    let (of_m, of_m_rest) = product::<P>(s, factor);
    let of_m_rest = of_m_rest + s * (factor_rest + bent_rest) + s_rest * factor;
    // 3. + e * ln(2)
    let (high, low) = sum(e * LN_2[0], of_m);
    sum_to_greater(high, low + (of_m_rest + e * LN_2[1]))
}
