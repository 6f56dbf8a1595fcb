//! `sigmoid` and `silu` with AVX-512.
//!
//! The lesser one of an exponential and its inverse does not overflow.

use std::arch::x86_64::*;

use super::avx512_f32 as exponential;
use crate::simd::double;

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn powers_of_singles(x: __m512) -> __m512 {
    exponential::exact_exp_of(_mm512_or_ps(x, _mm512_set1_ps(-0.0)))
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
pub(crate) fn sigmoid_of_singles(x: __m512) -> __m512 {
    let (power, one) = (powers_of_singles(x), _mm512_set1_ps(1.0));
    let is_negative = _mm512_movepi32_mask(_mm512_castps_si512(x));
    let above = _mm512_mask_mov_ps(one, is_negative, power);
    _mm512_div_ps(above, _mm512_add_ps(one, power))
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
pub(crate) fn silu_of_singles(x: __m512) -> __m512 {
    let power = powers_of_singles(x);
    let is_negative = _mm512_movepi32_mask(_mm512_castps_si512(x));
    // What is infinite would make no number of a power that is zero.
    let finite = _mm512_max_ps(_mm512_set1_ps(-1000.0), x);
    let above = _mm512_mask_mul_ps(x, is_negative, finite, power);
    _mm512_div_ps(above, _mm512_add_ps(_mm512_set1_ps(1.0), power))
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn powers_of_doubles(x: __m512d) -> __m512d {
    double::exp_of(_mm512_or_pd(x, _mm512_set1_pd(-0.0)))
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
pub(crate) fn sigmoid_of_doubles(x: __m512d) -> __m512d {
    let (power, one) = (powers_of_doubles(x), _mm512_set1_pd(1.0));
    let is_negative = _mm512_movepi64_mask(_mm512_castpd_si512(x));
    let above = _mm512_mask_mov_pd(one, is_negative, power);
    _mm512_div_pd(above, _mm512_add_pd(one, power))
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
pub(crate) fn silu_of_doubles(x: __m512d) -> __m512d {
    let power = powers_of_doubles(x);
    let is_negative = _mm512_movepi64_mask(_mm512_castpd_si512(x));
    let finite = _mm512_max_pd(_mm512_set1_pd(-1000.0), x);
    let above = _mm512_mask_mul_pd(x, is_negative, finite, power);
    _mm512_div_pd(above, _mm512_add_pd(_mm512_set1_pd(1.0), power))
}
