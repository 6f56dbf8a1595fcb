//! `exp`, `exp2`, `expm1`, `sigmoid` and `silu` by table lookup: Cody–Waite reduction to sixteenths (`f64`)
//! or 32nds (`f32`) of `ln(2)`, powers of two from a table, and a short minimax polynomial (Tang 1989).
//! Errors: 1 ULP; of `sigmoid` and `silu` up to 6.

use std::f32;
use std::f64::consts::{self, LOG2_E};

use super::LN_2;
use super::fma::LN_2_PARTS;
use super::tables::{POWERS_F32, POWERS_F64, POWERS_REST_F32, POWERS_REST_F64};
use crate::simd::lanes::{F32s, F64s, Lanes};

/// Adding this leaves a small number rounded to sixteenths, in the lowest bits.
pub(crate) const SIXTEENTHS: f64 = 422_212_465_065_984.0;

/// Two to the power of `n`, sixteenths that were rounded to `shifted`, times one more than `beyond`
/// makes of what the power in the table lacks.
#[inline(always)]
fn power<V: F64s>(shifted: V, n: V, slope: f64, r: V, terms: &[f64; 5]) -> V {
    let indices = shifted.to_bits();
    let (power, rest) = (V::lookup(&POWERS_F64, indices), V::lookup(&POWERS_REST_F64, indices));
    let rest = r.mul_add(V::splat(slope), rest);
    let beyond = (r * r).mul_add(r.polynomial(terms), rest);
    power.mul_add(beyond, power).scale(n)
}

/// `(exp(r) - 1 - r) / r^2`, where `|r|` is at most `ln(2) / 32`.
const EXP_F64: [f64; 5] = [
    0.500_000_000_000_000_6,
    0.166_666_666_644_177_98,
    0.041_666_666_659_679_136,
    0.008_333_471_924_918_933,
    0.001_388_912_873_180_06,
];

/// `x` in sixteenths of the natural logarithm of two, as [`power`] takes them, and what is left.
#[inline(always)]
fn sixteenths<V: F64s>(x: V) -> (V, V, V) {
    let shifted = x.mul_add(V::splat(LOG2_E), V::splat(SIXTEENTHS));
    let n = shifted - V::splat(SIXTEENTHS);
    let r = n.neg_mul_add(V::splat(LN_2[0]), x);
    (shifted, n, n.neg_mul_add(V::splat(LN_2[1]), r))
}

#[inline(always)]
pub(crate) fn exp_f64<V: F64s>(x: V) -> V {
    let (shifted, n, r) = sixteenths(x.clamp(-800.0, 800.0));
    power(shifted, n, 1.0, r, &EXP_F64)
}

/// `e` to the power of a two_sum of two, if neither is large and the second is small.
#[inline(always)]
pub(crate) fn exp_of_sum<V: F64s>(x: V, rest: V) -> V {
    let (shifted, n, r) = sixteenths(x);
    power(shifted, n, 1.0, r + rest, &EXP_F64)
}

#[inline(always)]
pub(crate) fn exp2_f64<V: F64s>(x: V) -> V {
    /// `(2^t - 1 - t * ln(2)) / t^2`, where `|t|` is at most 1/32.
    const TERMS: [f64; 5] = [
        0.240_226_506_959_100_97,
        0.055_504_108_657_332_29,
        0.009_618_129_106_015_51,
        0.001_333_377_989_676_155_4,
        0.000_154_037_963_921_673_8,
    ];

    let x = x.clamp(-1100.0, 1100.0);
    let shifted = x + V::splat(SIXTEENTHS);
    let n = shifted - V::splat(SIXTEENTHS);
    power(shifted, n, consts::LN_2, x - n, &TERMS)
}

/// `exp(x) - 1`, of eighths until the end, since a power may be infinite where the result is not.
#[inline(always)]
pub(crate) fn expm1_f64<V: F64s>(x: V) -> V {
    /// `(exp(r) - 1 - r) / r^2`, where `|r|` is at most `ln(2) / 32`; its error is relative to
    /// `exp(r) - 1` (Remez' algorithm).
    const TERMS: [f64; 6] = [
        0.500_000_000_000_000_3,
        0.166_666_666_666_666_77,
        0.041_666_666_661_904_9,
        0.008_333_333_332_413_25,
        0.001_388_909_230_230_374,
        0.000_198_415_544_157_088_84,
    ];
    /// Up to here it is the number, of which an eighth may be no normal one.
    const LEAST: f64 = 1e-30;

    // 1. x = n * ln(2) + r + lost
    let near = x.clamp(-50.0, 711.0);
    let shifted = near.mul_add(V::splat(LOG2_E), V::splat(SIXTEENTHS));
    let n = shifted - V::splat(SIXTEENTHS);
    let above = n.neg_mul_add(V::splat(LN_2[0]), near);
    let r = n.neg_mul_add(V::splat(LN_2[1]), above);
    let lost = n.neg_mul_add(V::splat(LN_2[1]), above - r);
    // 2. 2^n, and one less
    let indices = shifted.to_bits();
    let n = shifted - V::splat(SIXTEENTHS + 3.0);
    let power = V::lookup(&POWERS_F64, indices).scale(n);
    let [less, less_lost] = two_sum(power, V::splat(-0.125));
    // 3. + 2^n * (exp(r) - 1)
    let rest = V::lookup(&POWERS_REST_F64, indices);
    let rest = rest + rest.mul_add(r, lost);
    let beyond = (r * r).mul_add(r.polynomial(&TERMS), rest);
    let high = power.mul_add(r, less);
    let low = power.mul_add(r, less - high);
    let low = power.mul_add(beyond, low + less_lost);
    let y = V::splat(8.0) * (high + low);
    let a = x.abs();
    let is_least = a.lt(V::splat(LEAST));
    V::select(is_least, x, y)
}

/// `a + b`, and what is lost of it (Knuth).
#[inline(always)]
fn two_sum<V: F64s>(a: V, b: V) -> [V; 2] {
    let sum = a + b;
    let added = sum - a;
    let lost = a - (sum - added);
    [sum, lost + (b - added)]
}

/// Adding this leaves a small number rounded to parts of 32, in the lowest bits.
pub(crate) const THIRTY_SECONDS: f32 = 393_216.0;

/// A number as `n * ln(2) + r`, and `n` in parts of 32, rounded to `shifted`.
struct ThirtySeconds<V: F32s> {
    shifted: V,
    n: V,
    r: V,
}

impl<V: F32s> ThirtySeconds<V> {
    #[inline(always)]
    fn of(x: V) -> ThirtySeconds<V> {
        let x = x.clamp(-104.0, 89.0);
        let shifted = x.mul_add(V::splat(f32::consts::LOG2_E), V::splat(THIRTY_SECONDS));
        let n = shifted - V::splat(THIRTY_SECONDS);
        let r = n.neg_mul_add(V::splat(LN_2_PARTS[0]), x);
        ThirtySeconds { shifted, n, r: n.neg_mul_add(V::splat(LN_2_PARTS[1]), r) }
    }

    /// Two to the power of `n` times one more than `rest` and what a polynomial makes of `r`.
    #[inline(always)]
    fn power(&self, terms: [f32; 3], rest: V) -> V {
        let [first, second, third] = V::splats(&terms);
        let p = third.mul_add(self.r, second).mul_add(self.r, first);
        let beyond = p.mul_add(self.r, rest);
        let power = V::lookup(&POWERS_F32, self.shifted.to_bits());
        power.mul_add(beyond, power).scale(self.n)
    }
}

/// `(exp(r) - 1) / r`, where `|r|` is at most `ln(2) / 64`.
const TERMS: [f32; 3] = [1.0, 0.500_004_1, 0.166_667_67];

/// What powers in the table lack, as a share of them: the middle of the least and the greatest.
const MEAN_REST: f32 = -2.3e-9;

#[inline(always)]
pub(crate) fn exp_f32<V: F32s>(x: V) -> V {
    ThirtySeconds::of(x).power(TERMS, V::splat(MEAN_REST))
}

/// The same, off by little more than rounding is.
#[inline(always)]
pub(crate) fn exp_f32_exact<V: F32s>(x: V) -> V {
    let reduced = ThirtySeconds::of(x);
    let rest = V::lookup(&POWERS_REST_F32, reduced.shifted.to_bits());
    reduced.power(TERMS, rest)
}

#[inline(always)]
pub(crate) fn exp2_f32<V: F32s>(x: V) -> V {
    /// `(2^t - 1) / t`, where `|t|` is at most 1/64.
    const TERMS: [f32; 3] = [f32::consts::LN_2, 0.240_228_49, 0.055_504_58];

    let x = x.clamp(-151.0, 129.0);
    let shifted = x + V::splat(THIRTY_SECONDS);
    let n = shifted - V::splat(THIRTY_SECONDS);
    let reduced = ThirtySeconds { shifted, n, r: x - n };
    reduced.power(TERMS, V::splat(MEAN_REST))
}

/// `1 / (1 + exp(-x))`, by the power of `-|x|`, which does not overflow.
#[inline(always)]
fn sigmoid<V: Lanes>(x: V, power: V) -> V {
    let one = V::constant(1.0);
    V::select(x.is_negative(), power, one) / (one + power)
}

/// `x / (1 + exp(-x))`, likewise.
#[inline(always)]
fn silu<V: Lanes>(x: V, power: V) -> V {
    // What is infinite would make NaN of a power that is zero.
    let finite = V::constant(-1000.0).max(x);
    V::select(x.is_negative(), finite * power, x) / (V::constant(1.0) + power)
}

/// `-|x|`
#[inline(always)]
fn neg_abs<V: Lanes>(x: V) -> V {
    x.or_sign_of(V::constant(-1.0))
}

#[inline(always)]
pub(crate) fn sigmoid_f64<V: F64s>(x: V) -> V {
    sigmoid(x, exp_f64(neg_abs(x)))
}

#[inline(always)]
pub(crate) fn silu_f64<V: F64s>(x: V) -> V {
    silu(x, exp_f64(neg_abs(x)))
}

#[inline(always)]
pub(crate) fn sigmoid_f32<V: F32s>(x: V) -> V {
    sigmoid(x, exp_f32_exact(neg_abs(x)))
}

#[inline(always)]
pub(crate) fn silu_f32<V: F32s>(x: V) -> V {
    silu(x, exp_f32_exact(neg_abs(x)))
}
