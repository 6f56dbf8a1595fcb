//! The arc cosine, of `f32`.

use std::arch::x86_64::*;
use std::f32::consts::{FRAC_PI_2, PI};

/// A multiple of half of pi, and what is added to it: the opposite of the arc sine up to 1/2, and
/// beyond twice that of the root of `(1 - |x|) / 2`, with the sign of `x`.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
pub(crate) fn acos_of(x: __m512) -> __m512 {
    /// What pi lacks, as a share of it.
    const REST: f32 = -2.782_753_4e-8;

    let (a, half) = (_mm512_abs_ps(x), _mm512_set1_ps(0.5));
    let is_large = _mm512_cmp_ps_mask::<_CMP_GT_OQ>(a, half);
    let is_negative = _mm512_movepi32_mask(_mm512_castps_si512(x));
    let (s, beyond) = up_to_half(a, is_large);
    // 1. The multiple, and how many times the arc sine is added
    let base = _mm512_maskz_mov_ps(is_negative, _mm512_set1_ps(PI));
    let base = _mm512_mask_mov_ps(_mm512_set1_ps(FRAC_PI_2), is_large, base);
    let times = _mm512_mask_mov_ps(_mm512_set1_ps(-1.0), is_large, _mm512_set1_ps(2.0));
    let sign = _mm512_and_ps(x, _mm512_set1_ps(-0.0));
    let times = _mm512_xor_ps(times, sign);
    // 2. Their sum, and what is lost of it
    let added = _mm512_mul_ps(s, times);
    let sum = _mm512_add_ps(base, added);
    let lost = _mm512_add_ps(_mm512_sub_ps(base, sum), added);
    let low = _mm512_fmadd_ps(base, _mm512_set1_ps(REST), lost);
    _mm512_add_ps(sum, _mm512_fmadd_ps(beyond, times, low))
}

/// A number up to 1/2, and how much greater its arc sine is. The number is `a`, or the root of
/// `(1 - a) / 2` if that is large.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn up_to_half(a: __m512, is_large: __mmask16) -> (__m512, __m512) {
    /// `(asin(s) / s - 1) / s^2` (Remez' algorithm).
    const TERMS: [f32; 5] = [0.166_667_54, 0.074_952_33, 0.045_478_34, 0.024_141_01, 0.042_230_52];

    let half = _mm512_set1_ps(0.5);
    let z = _mm512_mul_ps(a, a);
    let z = _mm512_mask_mov_ps(z, is_large, _mm512_fnmadd_ps(a, half, half));
    // The root from its inverse with 14 bits, and what this lacks; of zero, both are zero.
    let bits = _mm512_castps_si512(z);
    let inverse = _mm512_maskz_rsqrt14_ps(_mm512_mask_test_epi32_mask(is_large, bits, bits), z);
    let root = _mm512_mul_ps(z, inverse);
    let missing = _mm512_fnmadd_ps(root, root, z);
    let missing = _mm512_mul_ps(missing, _mm512_mul_ps(inverse, half));
    let s = _mm512_mask_mov_ps(a, is_large, root);
    let exact = _mm512_add_ps(s, missing);
    let [constant, terms @ ..] = TERMS;
    let mut p = _mm512_set1_ps(terms[3]);
    for term in [terms[2], terms[1], terms[0], constant] {
        p = _mm512_fmadd_ps(p, z, _mm512_set1_ps(term));
    }
    (s, _mm512_fmadd_ps(_mm512_mul_ps(exact, z), p, missing))
}
