//! `log`, `log1p`, `log2` and `log10`: `atanh` series as a minimax polynomial in `f / (2 + f)`. Errors: 1 ULP.

pub(crate) mod fma;
pub(crate) mod lanes;
#[expect(clippy::approx_constant, reason = "some numbers of a table are known by name")]
#[rustfmt::skip]
pub(crate) mod tables;

use crate::double_double::{fast_two_sum, two_product};
use crate::exp::{LN_2, SHIFT};
use crate::precision::{Precision, horner, mul_add};

/// A positive normal number as `m * 2^e`, and `m` is between the square roots of 1/2 and 2.
#[inline(always)]
pub(crate) fn split_normal(x: f64) -> (f64, f64) {
    /// The bits of the square root of one half.
    const LEAST: u64 = 0x3fe6_a09e_667f_3bcd;
    /// The exponent of what is left of the bits of one.
    const BIAS: u64 = 1022;

    let above = x.to_bits().wrapping_sub(LEAST - (BIAS << 52));
    let e = f64::from_bits(SHIFT.to_bits() + (above >> 52)) - (SHIFT + BIAS as f64);
    let m = f64::from_bits((above & 0x000f_ffff_ffff_ffff) + LEAST);
    (m, e)
}

/// Any positive number, likewise.
#[inline(always)]
fn split(x: f64) -> (f64, f64) {
    let is_subnormal = x < f64::MIN_POSITIVE;
    let (x, by) = if is_subnormal { (x * 18_014_398_509_481_984.0, 54.0) } else { (x, 0.0) };
    let (m, e) = split_normal(x);
    (m, e - by)
}

/// `ln(1 + f)` as `f - half + rest`, where `1 + f` is between the square roots of 1/2 and 2.
#[inline(always)]
fn near_one<P: Precision>(f: f64) -> (f64, f64) {
    let s = f / (2.0 + f);
    let z = s * s;
    let half = 0.5 * f * f;
    (half, s * mul_add::<P>(z, P::ln(z), half))
}

/// The result, but for what is no positive number.
#[inline(always)]
fn defined(x: f64, result: f64) -> f64 {
    // Infinity and NaN are not less.
    let result = if x < f64::INFINITY { result } else { x };
    let result = if x < 0.0 { f64::NAN } else { result };
    if x == 0.0 { f64::NEG_INFINITY } else { result }
}

/// `e * ln(2) + ln(1 + f) + lost`.
#[inline(always)]
pub(crate) fn natural<P: Precision>(f: f64, e: f64, lost: f64) -> f64 {
    let (half, rest) = near_one::<P>(f);
    let low = half - (rest + mul_add::<P>(e, LN_2[1], lost));
    mul_add::<P>(e, LN_2[0], -(low - f))
}

/// The natural logarithm.
#[inline(always)]
pub(crate) fn log<P: Precision>(x: f64) -> f64 {
    let (m, e) = split(x);
    defined(x, natural::<P>(m - 1.0, e, 0.0))
}

/// The same of what is [in range](crate::range).
#[inline(always)]
pub(crate) fn log_in_range<P: Precision>(x: f64) -> f64 {
    let (m, e) = split_normal(x);
    natural::<P>(m - 1.0, e, 0.0)
}

/// From here on one more does not matter.
const LARGE: f64 = 1e18;

/// `ln(1 + x)`.
#[inline(always)]
pub(crate) fn log1p<P: Precision>(x: f64) -> f64 {
    let above = 1.0 + x;
    let (m, e) = split_normal(above);
    let is_large = x > LARGE;
    let (f, lost) = beyond_one::<P>(x, above, m, e);
    let f = if is_large { m - 1.0 } else { f };
    let lost = if is_large { 0.0 } else { lost };
    let result = defined(above, natural::<P>(f, e, lost));
    if x == 0.0 { x } else { result }
}

/// The same of what is [in range](crate::range).
#[inline(always)]
pub(crate) fn log1p_in_range<P: Precision>(x: f64) -> f64 {
    let above = 1.0 + x;
    let (m, e) = split_normal(above);
    let (f, lost) = beyond_one::<P>(x, above, m, e);
    let result = natural::<P>(f, e, lost);
    if x == 0.0 { x } else { result }
}

/// `2^-e`, or zero if that is no normal number.
#[inline(always)]
pub(crate) fn inverse_power_of_two(e: f64) -> f64 {
    f64::from_bits((SHIFT - e).to_bits().wrapping_add(1023) << 52)
}

/// `(1 + x) / 2^e - 1`, and what is lost of its logarithm; `above` is almost `1 + x`, and `m` as
/// many times `2^-e`.
#[inline(always)]
fn beyond_one<P: Precision>(x: f64, above: f64, m: f64, e: f64) -> (f64, f64) {
    let scale = inverse_power_of_two(e);
    let (f, lost) = if P::FMA {
        let f = x.mul_add(scale, scale - 1.0);
        (f, x.mul_add(scale, (scale - 1.0) - f))
    } else {
        let lost = if x > 1.0 { 1.0 - (above - x) } else { x - (above - 1.0) };
        let is_near = e == 0.0;
        (if is_near { x } else { m - 1.0 }, if is_near { 0.0 } else { lost * scale })
    };
    // The logarithm is proportional to it; 1 - f + f^2 is close enough to 1 / m.
    (f, lost * mul_add::<P>(f, f - 1.0, 1.0))
}

/// Another base: one over its logarithm, and its logarithm of two.
struct Base {
    inverse: [f64; 2],
    of_two: [f64; 2],
}

const TWO: Base =
    Base { inverse: [1.442_695_040_721_446_3, 1.675_171_316_488_651_2e-10], of_two: [1.0, 0.0] };

const TEN: Base = Base {
    inverse: [0.434_294_481_878_168_9, 2.508_294_671_164_527_5e-11],
    of_two: [0.301_029_995_663_611_77, 3.694_239_077_158_931e-13],
};

/// `e * of_two + log(m)`
#[inline(always)]
fn to_base<P: Precision>((m, e): (f64, f64), base: &Base) -> f64 {
    let f = m - 1.0;
    let (half, rest) = near_one::<P>(f);
    // The first part has so few bits that nothing is lost of the product.
    let high = f64::from_bits((f - half).to_bits() & 0xffff_ffff_0000_0000);
    let low = (f - high) - half + rest;
    let beyond = mul_add::<P>(low + high, base.inverse[1], e * base.of_two[1]);
    let product = mul_add::<P>(low, base.inverse[0], beyond);
    let (whole, lost) = fast_two_sum(e * base.of_two[0], high * base.inverse[0]);
    whole + (lost + product)
}

/// The logarithm to base two.
#[inline(always)]
pub(crate) fn log2<P: Precision>(x: f64) -> f64 {
    defined(x, to_base::<P>(split(x), &TWO))
}

/// The same of what is [in range](crate::range).
#[inline(always)]
pub(crate) fn log2_in_range<P: Precision>(x: f64) -> f64 {
    to_base::<P>(split_normal(x), &TWO)
}

/// The logarithm to base ten.
#[inline(always)]
pub(crate) fn log10<P: Precision>(x: f64) -> f64 {
    defined(x, to_base::<P>(split(x), &TEN))
}

/// The same of what is [in range](crate::range).
#[inline(always)]
pub(crate) fn log10_in_range<P: Precision>(x: f64) -> f64 {
    to_base::<P>(split_normal(x), &TEN)
}

/// The logarithm to base two of a positive normal number, with a relative error of 2^-37.
#[inline(always)]
pub(crate) fn log2_approx<P: Precision>(x: f64) -> f64 {
    let (m, e) = split_normal(x);
    let f = m - 1.0;
    let s = f / (2.0 + f);
    // 2 * atanh(s) / s / ln(2)
    let factor = horner!(
        P,
        s * s,
        2.885_390_081_790_086
        0.961_796_673_341_477_2
        0.577_083_585_037_471_9
        0.411_672_714_860_313_1
        0.340_730_176_854_207_2
    );
    mul_add::<P>(s, factor, e)
}

/// The natural logarithm of a positive number as a sum of two, with a relative error of 2^-64.
#[inline(always)]
pub(crate) fn log_double_double<P: Precision>(x: f64) -> (f64, f64) {
    in_parts::<P>(split(x))
}

/// The same of what is [in range](crate::range).
#[inline(always)]
pub(crate) fn log_double_double_in_range<P: Precision>(x: f64) -> (f64, f64) {
    in_parts::<P>(split_normal(x))
}

/// `e * ln(2) + ln(m)` as a sum of two.
#[inline(always)]
fn in_parts<P: Precision>((m, e): (f64, f64)) -> (f64, f64) {
    const TWO_THIRDS: [f64; 2] = [0.666_666_666_666_666_6, 3.700_743_415_417_188e-17];

    let f = m - 1.0;
    // 1. s = f / (2 + f)
    let (below, lost) = fast_two_sum(2.0, f);
    let s = f / below;
    let (back, beyond) = two_product::<P>(s, below);
    // 1 / (2 + f) = (1 - s) / 2
    let s_rest = ((f - back) - beyond - s * lost) * mul_add::<P>(s, -0.5, 0.5);
    // 2. ln(1 + f) = s * (2 + z * (2/3 + z * ...)), where z = s^2
    let (z, z_rest) = two_product::<P>(s, s);
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
    let (third, third_rest) = fast_two_sum(TWO_THIRDS[0], terms);
    let (bent, bent_rest) = two_product::<P>(z, third);
    let bent_rest = bent_rest + z * (third_rest + TWO_THIRDS[1]) + z_rest * third;
    let (factor, factor_rest) = fast_two_sum(2.0, bent);
    let (of_m, of_m_rest) = two_product::<P>(s, factor);
    let of_m_rest = of_m_rest + s * (factor_rest + bent_rest) + s_rest * factor;
    // 3. + e * ln(2)
    let (high, low) = fast_two_sum(e * LN_2[0], of_m);
    fast_two_sum(high, low + (of_m_rest + e * LN_2[1]))
}
