//! `exp`, `exp2` and `expm1` of `f32` with FMA: Cody–Waite reduction and minimax polynomials. Errors: 1 ULP.

use std::f32::consts::{LN_2, LOG2_E};

use crate::precision::horner_f32;
use crate::single::{SHIFT, power_of_two};

/// The natural logarithm of two, the first part with 15 bits.
pub(crate) const LN_2_PARTS: [f32; 2] = [0.693_145_75, 1.428_606_8e-6];

/// A number as `n * ln(2) + r`, and `|r|` is at most half of `ln(2)`.
pub(crate) struct ExpReducedF32 {
    n: i32,
    r: f32,
    /// `exp(r) - 1 - r`
    beyond: f32,
}

impl ExpReducedF32 {
    #[inline(always)]
    pub(crate) fn of(x: f32) -> ExpReducedF32 {
        let shifted = x.mul_add(LOG2_E, SHIFT);
        let whole = shifted - SHIFT;
        let r = whole.mul_add(-LN_2_PARTS[1], whole.mul_add(-LN_2_PARTS[0], x));
        let p = horner_f32!(r, 0.5 0.166_666_67 0.041_666_35 0.008_333_274 0.001_394_117 0.000_199_137_82);
        ExpReducedF32 { n: bits_of(shifted), r, beyond: r * r * p }
    }

    /// `exp(x) / 4` as a sum of two; half of it may be infinite.
    #[inline(always)]
    pub(crate) fn quarter_exp(&self) -> (f32, f32) {
        let high = 1.0 + self.r;
        let low = (self.r - (high - 1.0)) + self.beyond;
        let quarter = power_of_two(self.n.wrapping_sub(2));
        (high * quarter, low * quarter)
    }
}

/// The integer that was rounded by adding [`SHIFT`].
#[inline(always)]
fn bits_of(shifted: f32) -> i32 {
    shifted.to_bits().wrapping_sub(SHIFT.to_bits()) as i32
}

/// `y * 2^n`, in two steps because `2^n` alone may not be representable.
#[inline(always)]
fn scaled(y: f32, n: i32) -> f32 {
    let half = n >> 1;
    y * power_of_two(half) * power_of_two(n.wrapping_sub(half))
}

/// NaN stays.
#[inline(always)]
pub(crate) fn clamp(x: f32, least: f32, most: f32) -> f32 {
    let x = if x < least { least } else { x };
    if x > most { most } else { x }
}

/// `y * 2^n` of a normal number that stays one, and any number of what is none; `n` may have other bits above its lowest eight.
#[inline(always)]
fn normal_scaled(y: f32, n: i32) -> f32 {
    f32::from_bits(y.to_bits().wrapping_add((n as u32) << 23))
}

/// `e` to the power `x`.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    // Beyond these ends the result is 0 or infinite.
    let reduced = ExpReducedF32::of(clamp(x, -104.0, 89.0));
    scaled(1.0 + (reduced.r + reduced.beyond), reduced.n)
}

/// `exp(x) * factor` of what is not positive, without the loss of a power that is no normal number.
#[inline(always)]
pub(crate) fn exp_times(x: f32, factor: f32) -> f32 {
    let reduced = ExpReducedF32::of(clamp(x, -128.0, 0.0));
    scaled((1.0 + (reduced.r + reduced.beyond)) * factor, reduced.n)
}

/// [`exp`] of what is [in range](crate::range).
#[inline(always)]
pub(crate) fn exp_in_range(x: f32) -> f32 {
    let reduced = ExpReducedF32::of(x);
    normal_scaled(1.0 + (reduced.r + reduced.beyond), reduced.n)
}

/// Two to the power `x`.
#[inline(always)]
pub(crate) fn exp2(x: f32) -> f32 {
    let (y, n) = exp2_scaled(clamp(x, -151.0, 129.0));
    scaled(y, n)
}

/// The same, of what is [in range](crate::range).
#[inline(always)]
pub(crate) fn exp2_in_range(x: f32) -> f32 {
    let (y, n) = exp2_scaled(x);
    normal_scaled(y, n)
}

/// Two to the power `x` as `y * 2^n`.
#[inline(always)]
fn exp2_scaled(x: f32) -> (f32, i32) {
    let shifted = x + SHIFT;
    let t = x - (shifted - SHIFT);
    let p =
        horner_f32!(t, 0.240_226_5 0.055_503_275 0.009_618_006 0.001_340_030_9 0.000_154_759_27);
    (p.mul_add(t, LN_2).mul_add(t, 1.0), bits_of(shifted))
}

/// `exp(x) - 1`.
#[inline(always)]
pub(crate) fn expm1(x: f32) -> f32 {
    expm1_in_range(clamp(x, -20.0, 89.0))
}

/// The same, of what is [in range](crate::range).
#[inline(always)]
pub(crate) fn expm1_in_range(x: f32) -> f32 {
    let ExpReducedF32 { n, r, beyond } = ExpReducedF32::of(x);
    // 2^n * (1 + r + beyond) - 1, of half as much because 2^128 is not representable.
    let half = power_of_two(n.wrapping_sub(1));
    let less = half - 0.5;
    let lost = (half - less) - 0.5;
    let high = half.mul_add(r, less);
    let low = half.mul_add(r, less - high);
    let result = 2.0 * (high + half.mul_add(beyond, low + lost));
    // Which has the sign of the number, that of zero too.
    (if n == 0 { x + beyond } else { result }).copysign(x)
}
