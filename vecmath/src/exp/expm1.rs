//! `expm1` of `f64` with AVX-512: table lookup of powers of two, sums in double-double arithmetic.

use std::arch::x86_64::*;
use std::f64::consts::LOG2_E;

use crate::simd::double::{LN_2, SIXTEENTHS, clamp, lookup, polynomial};
use crate::simd::tables::{POWERS, POWERS_REST};

/// `exp(x) - 1`, of eighths until the end, since a power may be infinite where the result is not.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
pub(crate) fn expm1_of(x: __m512d) -> __m512d {
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
    let near = clamp(x, -50.0, 711.0);
    let shifted = _mm512_fmadd_pd(near, _mm512_set1_pd(LOG2_E), _mm512_set1_pd(SIXTEENTHS));
    let n = _mm512_sub_pd(shifted, _mm512_set1_pd(SIXTEENTHS));
    let above = _mm512_fnmadd_pd(n, _mm512_set1_pd(LN_2[0]), near);
    let r = _mm512_fnmadd_pd(n, _mm512_set1_pd(LN_2[1]), above);
    let lost = _mm512_fnmadd_pd(n, _mm512_set1_pd(LN_2[1]), _mm512_sub_pd(above, r));
    // 2. 2^n, and one less
    let places = _mm512_castpd_si512(shifted);
    let n = _mm512_sub_pd(shifted, _mm512_set1_pd(SIXTEENTHS + 3.0));
    let power = _mm512_scalef_pd(lookup(&POWERS, places), n);
    let [less, less_lost] = sum(power, _mm512_set1_pd(-0.125));
    // 3. + 2^n * (exp(r) - 1)
    let rest = lookup(&POWERS_REST, places);
    let rest = _mm512_add_pd(rest, _mm512_fmadd_pd(rest, r, lost));
    let beyond = _mm512_fmadd_pd(_mm512_mul_pd(r, r), polynomial(r, &TERMS), rest);
    let high = _mm512_fmadd_pd(power, r, less);
    let low = _mm512_fmadd_pd(power, r, _mm512_sub_pd(less, high));
    let low = _mm512_fmadd_pd(power, beyond, _mm512_add_pd(low, less_lost));
    let y = _mm512_mul_pd(_mm512_set1_pd(8.0), _mm512_add_pd(high, low));
    let a = _mm512_abs_pd(x);
    let is_least = _mm512_cmp_pd_mask::<_CMP_LT_OQ>(a, _mm512_set1_pd(LEAST));
    _mm512_mask_mov_pd(y, is_least, x)
}

/// `a + b`, and what is lost of it (Knuth).
#[target_feature(enable = "avx512f")]
#[inline]
fn sum(a: __m512d, b: __m512d) -> [__m512d; 2] {
    let sum = _mm512_add_pd(a, b);
    let added = _mm512_sub_pd(sum, a);
    let lost = _mm512_sub_pd(a, _mm512_sub_pd(sum, added));
    [sum, _mm512_add_pd(lost, _mm512_sub_pd(b, added))]
}
