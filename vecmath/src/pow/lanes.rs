//! `pow` by table lookup: the exponential of `y` times the natural logarithm of `|x|`, both as
//! double-doubles. Errors: 1 ULP.
//!
//! The logarithm of `1 + f` is `f - f² / 2`, of which nothing is lost, and a polynomial times `f³`,
//! of which a few roundings are lost.

use std::f32::consts::LOG2_E;
use std::hint::cold_path;

use super::tables::*;
use crate::exp::lanes::{THIRTY_SECONDS, exp_of_sum};
use crate::exp::tables::POWERS_F32;
use crate::log::tables::NATURAL_F64;
use crate::simd::lanes::{Bits, F32s, F64s, Lanes, Mask};

/// `x` to the power `y`.
#[inline(always)]
pub(crate) fn pow_f64<V: F64s>(x: V, y: V) -> V {
    /// From here on the exponential is infinite, and that of minus this is zero.
    const MOST: f64 = 800.0;

    let (ln, ln_rest) = ln_f64(x);
    let exponent = y * ln;
    let rest = y.mul_add(ln_rest, y.mul_sub(ln, exponent));
    let power = exp_of_sum(exponent, rest);
    // The sign of x and the size of the exponent, in one.
    let size = exponent.abs();
    if (!size.or_sign_of(x).to_bits().lt(V::Bits::splat(MOST.to_bits()))).any() {
        cold_path();
        return special(x, y, size.not_lt(V::splat(MOST)), power);
    }
    power
}

/// The natural logarithm of `|x|`, as a sum of two.
#[inline(always)]
fn ln_f64<V: F64s>(x: V) -> (V, V) {
    let (f, high, low) = near_one(x);
    let half = f * V::splat(-0.5);
    let near = half.mul_add(f, f);
    let lost = half.mul_add(f, f - near);
    let sum = high + near;
    let lost_of_sum = high - sum + near;
    let low = lost + lost_of_sum + low;
    let low = (half * f).mul_add(slope(f, half), low);
    let ln = sum + low;
    (ln, sum - ln + low)
}

/// The logarithm of `m * 2^e` is `e * ln(2) - ln(r) + ln(m * r)`, where `r` is the inverse of `m` in
/// 64ths: returns `m * r - 1`, and the rest in two parts. Nothing is lost of the first two.
#[inline(always)]
fn near_one<V: F64s>(x: V) -> (V, V, V) {
    let m = x.mantissa();
    let r = m.recip_approx().round_to::<6>();
    let f = m.mul_sub(r, V::splat(1.0));
    let e = x.exponent() - r.exponent();
    let indices = r.to_bits().shr(47);
    let [of_two, of_two_rest] = V::splats(&NATURAL_F64.of_two);
    let high = e.mul_add(of_two, V::lookup(&LOGARITHMS_F64, indices));
    let low = e.mul_add(of_two_rest, V::lookup(&LOGARITHMS_REST_F64, indices));
    (f, high, low)
}

/// `(ln(1 + f) - f - s) / s`, where `s` is `-f² / 2` and `|f|` at most 1/64: nearly `-2/3 f`, and `s`
/// times what is left (Remez' algorithm).
#[inline(always)]
fn slope<V: F64s>(f: V, half: V) -> V {
    const TERMS: [f64; 7] = [
        -0.999_999_999_999_999_8,
        0.800_000_000_003_409_8,
        -0.666_666_666_672_731_2,
        0.571_428_528_179_665_6,
        -0.499_999_941_859_710_36,
        0.444_658_590_133_364_45,
        -0.400_232_718_815_895_1,
    ];

    let beyond = half * f * f.polynomial(&TERMS);
    f.mul_add(V::splat(-2.0 / 3.0), beyond)
}

/// `x` to the power `y`.
#[inline(always)]
pub(crate) fn pow_f32<V: F32s>(x: V, y: V) -> V {
    /// From here on half of an exponent makes the exponential infinite, and minus this makes it zero.
    const MOST: f32 = 64.0;

    let (ln, ln_rest) = half_ln(x);
    let exponent = y * ln;
    let rest = y.mul_add(ln_rest, y.mul_sub(ln, exponent));
    let power = exp_of_twice(exponent, rest);
    // The sign of x and the size of the exponent, in one.
    let size = exponent.abs();
    if (!size.or_sign_of(x).to_bits().lt(V::Bits::splat(MOST.to_bits()))).any() {
        cold_path();
        return special(x, y, size.not_lt(V::splat(MOST)), power);
    }
    power
}

/// Half of the natural logarithm of two, the first part to 2^-17.
const HALF_LN_2: [f32; 2] = [0.346_572_88, 7.143_034e-7];

/// Half of the natural logarithm of `|x|`, as a sum of two.
#[inline(always)]
fn half_ln<V: F32s>(x: V) -> (V, V) {
    /// `(ln(1 + 2h) / 2 - h + h²) / h³`, where `|2h|` is at most 1/32 (Remez' algorithm).
    const TERMS: [f32; 4] = [1.333_333_3, -2.000_012_2, 3.201_171_6, -5.211_941_7];

    // 1. x = (1 + 2h) * 2^e / r, and nothing is lost of h.
    let m = x.mantissa();
    let e = x.exponent();
    let indices = m.to_bits().shr(18);
    let h = m.mul_sub(V::lookup(&INVERSES, indices), V::splat(0.5));
    // 2. The half of e * ln(2) - ln(r), and nothing is lost of the first part.
    let [of_two, of_two_rest] = V::splats(&HALF_LN_2);
    let high = e.mul_add(of_two, V::lookup(&LOGARITHMS_F32, indices));
    let low = e.mul_add(of_two_rest, V::lookup(&LOGARITHMS_REST_F32, indices));
    // 3. + ln(1 + 2h) / 2
    let near = h.neg_mul_add(h, h);
    let lost = h.neg_mul_add(h, h - near);
    let sum = high + near;
    let lost_of_sum = high - sum + near;
    let low = lost + lost_of_sum + low;
    let cube = h * h * h;
    (sum, cube.mul_add(h.polynomial(&TERMS), low))
}

/// `e` to the power of twice a sum of two.
#[inline(always)]
fn exp_of_twice<V: F32s>(x: V, rest: V) -> V {
    /// `(exp(2h) - 1) / h`, where `|2h|` is at most `ln(2) / 64`.
    const TERMS: [f32; 3] = [2.0, 2.000_016_2, 1.333_333_4];

    // 1. x + rest = n * ln(2) / 2 + h
    let sum = x + rest;
    let shift = V::splat(THIRTY_SECONDS);
    let shifted = sum.mul_add(V::splat(2.0 * LOG2_E), shift);
    let n = shifted - shift;
    let h = n.neg_mul_add(V::splat(HALF_LN_2[0]), x);
    let h = n.neg_mul_add(V::splat(HALF_LN_2[1]), h) + rest;
    // 2. 2^n * exp(2h)
    let indices = shifted.to_bits();
    let (power, lacks) = (V::lookup(&POWERS_F32, indices), V::lookup(&POWERS_REST, indices));
    let beyond = h.mul_add(h.polynomial(&TERMS), lacks);
    power.mul_add(beyond, power).scale(n)
}

/// `x` to the power `y` with the special cases of C, made of that of `|x|`, which counts unless it
/// `is_far`: then it is infinite, zero, or of what is so.
#[inline(always)]
fn special<V: Lanes>(x: V, y: V, is_far: V::Mask, power: V) -> V {
    let (zero, one) = (V::constant(0.0), V::constant(1.0));
    let a = x.abs();
    // 1. What is infinite or zero, but for one to an infinite power.
    let grows = !(a.gt(one) ^ y.gt(zero));
    let limit = V::select(grows, V::constant(f64::INFINITY), zero);
    let power = V::select(is_far, limit, power);
    let power = V::select(is_far & a.eq(one), one, power);
    // 2. Powers of negative numbers.
    let half = y * V::constant(0.5);
    let is_whole = y.round_to::<0>().eq(y);
    let is_odd = is_whole & half.round_to::<0>().ne(half);
    let has_sign = x.is_negative() & !x.is_nan();
    let power = V::select(has_sign & is_odd, power.xor_sign_of(V::constant(-1.0)), power);
    let is_finite = x.lt(zero) & x.gt(V::constant(f64::NEG_INFINITY));
    let power = V::select(is_finite & !is_whole, V::constant(f64::NAN), power);
    // 3. NaN, unless it does not matter.
    let power = V::select(x.is_nan() | y.is_nan(), V::constant(f64::NAN), power);
    V::select(x.eq(one) | y.eq(zero), one, power)
}
