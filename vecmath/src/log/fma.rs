//! `log`, `log1p`, `log2` and `log10` of `f32` with FMA: minimax polynomials in `m - 1`. Errors: 1 ULP.

use std::f32::consts::{LOG2_E, LOG10_E};

use crate::exp::fma::LN_2_PARTS;
use crate::precision::horner_f32;
use crate::single::power_of_two;

/// A positive normal number as `m * 2^e`, and `m` is between the square roots of 1/2 and 2.
#[inline(always)]
pub(crate) fn split_normal(x: f32) -> (f32, i32) {
    /// The bits of the square root of one half.
    const LEAST: u32 = 0x3f35_04f3;

    let above = x.to_bits().wrapping_sub(LEAST);
    let e = above as i32 >> 23;
    (f32::from_bits((above & 0x007f_ffff).wrapping_add(LEAST)), e)
}

/// Any positive number, likewise.
#[inline(always)]
fn split(x: f32) -> (f32, i32) {
    let is_subnormal = x < f32::MIN_POSITIVE;
    let (x, by) = if is_subnormal { (x * 33_554_432.0, 25) } else { (x, 0) };
    let (m, e) = split_normal(x);
    (m, e.wrapping_sub(by))
}

/// `ln(1 + f) - f`, where `1 + f` is between the square roots of 1/2 and 2.
#[inline(always)]
pub(crate) fn near_one(f: f32) -> f32 {
    let p = horner_f32!(
        f,
        0.333_333_1 -0.249_999_87 0.200_022_27 -0.166_692_51 0.142_186_52 -0.123_843_305
        0.118_730_08 -0.117_899_336 0.069_154_47
    );
    f * f * f.mul_add(p, -0.5)
}

/// `e * of_two[0] + high + (low + e * of_two[1])`, where `high` is not greater than the first
/// summand, unless that is zero.
#[inline(always)]
pub(crate) fn added(e: i32, of_two: [f32; 2], high: f32, low: f32) -> f32 {
    let e = e as f32;
    let sum = e.mul_add(of_two[0], high);
    let lost = e.mul_add(of_two[0], -sum) + high;
    sum + (lost + e.mul_add(of_two[1], low))
}

/// The result, but for what is no positive number.
#[inline(always)]
fn defined(x: f32, result: f32) -> f32 {
    // Infinity and NaN are not less.
    let result = if x < f32::INFINITY { result } else { x };
    let result = if x < 0.0 { f32::NAN } else { result };
    if x == 0.0 { f32::NEG_INFINITY } else { result }
}

/// `e * of_two[0] + (high + (low + e * of_two[1]))`: where `e` is not zero, what is lost of the
/// inner sum is small beside the result.
#[inline(always)]
fn added_last(e: i32, of_two: [f32; 2], high: f32, low: f32) -> f32 {
    let e = e as f32;
    e.mul_add(of_two[0], high + e.mul_add(of_two[1], low))
}

/// `e * ln(2) + ln(m)`
#[inline(always)]
fn natural((m, e): (f32, i32)) -> f32 {
    let f = m - 1.0;
    added_last(e, LN_2_PARTS, f, near_one(f))
}

/// The natural logarithm.
#[inline(always)]
pub(crate) fn log(x: f32) -> f32 {
    defined(x, natural(split(x)))
}

/// The same of what is [in range](crate::range).
#[inline(always)]
pub(crate) fn log_in_range(x: f32) -> f32 {
    natural(split_normal(x))
}

/// From here on one more does not matter.
const LARGE: f32 = 1e10;

/// `ln(1 + x)`.
#[inline(always)]
pub(crate) fn log1p(x: f32) -> f32 {
    let above = 1.0 + x;
    let (m, e) = split_normal(above);
    let is_large = x > LARGE;
    let (f, lost) = beyond_one(x, e);
    let f = if is_large { m - 1.0 } else { f };
    let lost = if is_large { 0.0 } else { lost };
    let result = defined(above, added(e, LN_2_PARTS, f, lost + near_one(f)));
    if x == 0.0 { x } else { result }
}

/// The same of what is [in range](crate::range).
#[inline(always)]
pub(crate) fn log1p_in_range(x: f32) -> f32 {
    let (_, e) = split_normal(1.0 + x);
    let (f, lost) = beyond_one(x, e);
    let result = added(e, LN_2_PARTS, f, lost + near_one(f));
    if x == 0.0 { x } else { result }
}

/// `(1 + x) / 2^e - 1`, and what is lost of its logarithm.
#[inline(always)]
fn beyond_one(x: f32, e: i32) -> (f32, f32) {
    let scale = power_of_two(e.wrapping_neg());
    let f = x.mul_add(scale, scale - 1.0);
    let lost = x.mul_add(scale, (scale - 1.0) - f);
    (f, lost * (1.0 - f))
}

/// `e + log2(m)`
#[inline(always)]
fn binary((m, e): (f32, i32)) -> f32 {
    let f = m - 1.0;
    let p = horner_f32!(
        f,
        -0.721_347_33 0.480_898_2 -0.360_696_8 0.288_569_1 -0.239_614_98 0.204_564_81
        -0.191_047_68 0.186_412_53 -0.110_288_985
    );
    let low = f * f.mul_add(p, 1.925_963e-8);
    e as f32 + f.mul_add(LOG2_E, low)
}

/// The logarithm to base two.
#[inline(always)]
pub(crate) fn log2(x: f32) -> f32 {
    defined(x, binary(split(x)))
}

/// The same of what is [in range](crate::range).
#[inline(always)]
pub(crate) fn log2_in_range(x: f32) -> f32 {
    binary(split_normal(x))
}

/// `e * log10(2) + log10(m)`
#[inline(always)]
fn decimal((m, e): (f32, i32)) -> f32 {
    /// The logarithm of two, the first part with 15 bits.
    const OF_TWO: [f32; 2] = [0.301_025_4, 4.605_039e-6];

    let f = m - 1.0;
    let e = e as f32;
    let p = horner_f32!(
        f,
        -0.217_147_19 0.144_764_78 -0.108_580_55 0.086_867_95 -0.072_131_3 0.061_580_144
        -0.057_511_084 0.056_115_76 -0.033_200_294
    );
    let low = f * f.mul_add(p, -1.010_305e-8);
    e.mul_add(OF_TWO[0], f.mul_add(LOG10_E, e.mul_add(OF_TWO[1], low)))
}

/// The logarithm to base ten.
#[inline(always)]
pub(crate) fn log10(x: f32) -> f32 {
    defined(x, decimal(split(x)))
}

/// The same of what is [in range](crate::range).
#[inline(always)]
pub(crate) fn log10_in_range(x: f32) -> f32 {
    decimal(split_normal(x))
}
