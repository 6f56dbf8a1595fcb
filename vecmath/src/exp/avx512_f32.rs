//! Exponentials of `f32`: a power of two from a table, and few terms for what is left.

use std::arch::x86_64::*;
use std::f32::consts::LOG2_E;

use crate::simd::broadcast_ps;
use crate::simd::single::lookup;

/// Adding this leaves a small number rounded to parts of 32, in the lowest bits.
pub(crate) const SHIFT: f32 = 393_216.0;

/// The natural logarithm of two, the first part with 15 bits.
pub(crate) const LN_2: [f32; 2] = [0.693_145_75, 1.428_606_8e-6];

/// Between these two, NaN stays.
#[target_feature(enable = "avx512f")]
#[inline]
fn clamp(x: __m512, least: f32, most: f32) -> __m512 {
    _mm512_min_ps(_mm512_set1_ps(most), _mm512_max_ps(_mm512_set1_ps(least), x))
}

/// A number as `n * ln(2) + r`, and `n` in parts of 32, rounded to `shifted`.
struct Reduced {
    shifted: __m512,
    n: __m512,
    r: __m512,
}

impl Reduced {
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn of(x: __m512) -> Reduced {
        let x = clamp(x, -104.0, 89.0);
        let shifted = _mm512_fmadd_ps(x, _mm512_set1_ps(LOG2_E), _mm512_set1_ps(SHIFT));
        let n = _mm512_sub_ps(shifted, _mm512_set1_ps(SHIFT));
        let r = _mm512_fnmadd_ps(n, _mm512_set1_ps(LN_2[0]), x);
        Reduced { shifted, n, r: _mm512_fnmadd_ps(n, _mm512_set1_ps(LN_2[1]), r) }
    }

    /// Two to the power of `n` times one more than `rest` and what a polynomial makes of `r`.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn power(&self, terms: [f32; 3], rest: __m512) -> __m512 {
        let [first, second, third] = broadcast_ps(&terms);
        let p = _mm512_fmadd_ps(_mm512_fmadd_ps(third, self.r, second), self.r, first);
        let beyond = _mm512_fmadd_ps(p, self.r, rest);
        let power = lookup(&POWERS, _mm512_castps_si512(self.shifted));
        _mm512_scalef_ps(_mm512_fmadd_ps(power, beyond, power), self.n)
    }
}

/// `(exp(r) - 1) / r`, where `|r|` is at most `ln(2) / 64`.
const TERMS: [f32; 3] = [1.0, 0.500_004_1, 0.166_667_67];

/// What powers in the table lack, as a share of them: the middle of the least and the greatest.
const MEAN_REST: f32 = -2.3e-9;

#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn exp_of(x: __m512) -> __m512 {
    Reduced::of(x).power(TERMS, _mm512_set1_ps(MEAN_REST))
}

/// The same, off by little more than rounding is.
#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn exact_exp_of(x: __m512) -> __m512 {
    let reduced = Reduced::of(x);
    let rest = lookup(&POWERS_REST, _mm512_castps_si512(reduced.shifted));
    reduced.power(TERMS, rest)
}

#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn exp2_of(x: __m512) -> __m512 {
    /// `(2^t - 1) / t`, where `|t|` is at most 1/64.
    const TERMS: [f32; 3] = [0.693_147_2, 0.240_228_49, 0.055_504_58];

    let x = clamp(x, -151.0, 129.0);
    let shifted = _mm512_add_ps(x, _mm512_set1_ps(SHIFT));
    let n = _mm512_sub_ps(shifted, _mm512_set1_ps(SHIFT));
    let reduced = Reduced { shifted, n, r: _mm512_sub_ps(x, n) };
    reduced.power(TERMS, _mm512_set1_ps(MEAN_REST))
}

/// Two to the power of parts of 32.
pub(crate) static POWERS: [f32; 32] = [
    1.0,
    1.021_897_2,
    1.044_273_7,
    1.067_140_5,
    1.090_507_7,
    1.114_386_8,
    1.138_788_6,
    1.163_724_9,
    1.189_207_1,
    1.215_247_4,
    1.241_857_8,
    1.269_051,
    1.296_839_6,
    1.325_236_7,
    1.354_255_6,
    1.383_91,
    1.414_213_5,
    1.445_180_8,
    1.476_826_2,
    1.509_164_5,
    1.542_210_8,
    1.575_980_9,
    1.610_490_3,
    1.645_755_5,
    1.681_792_9,
    1.718_619_3,
    1.756_252_2,
    1.794_709_1,
    1.834_008_1,
    1.874_167_7,
    1.915_206_6,
    1.957_144_1,
];

/// What these lack, as shares of them.
pub(crate) static POWERS_REST: [f32; 32] = [
    0.0,
    -4.708458e-08,
    4.6285468e-08,
    -5.560423e-08,
    -1.19921575e-08,
    -4.8776066e-08,
    4.729782e-08,
    -3.4814427e-08,
    3.193418e-08,
    -2.6886665e-08,
    3.6210572e-08,
    1.118421e-09,
    -3.0990723e-08,
    -2.6383011e-08,
    -7.475213e-09,
    -4.2456357e-08,
    1.7114271e-08,
    2.3001967e-08,
    -3.0476834e-08,
    -1.6538538e-08,
    5.233334e-09,
    -3.592065e-08,
    6.1075918e-09,
    -3.1140544e-08,
    -1.4719606e-08,
    -2.8218102e-08,
    -5.258795e-09,
    -6.3603873e-09,
    -6.1282597e-09,
    -2.4880409e-08,
    5.1406093e-09,
    -8.697267e-09,
];
