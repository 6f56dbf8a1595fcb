//! Sine, cosine and tangent of `f64`.
//!
//! An angle is `n` sixteenths of pi and `r`, of which polynomials have few terms; functions of the
//! sixteenths stand in tables.

use std::arch::x86_64::*;

use crate::Isa;

use super::large::with_fallback;
use crate::simd::double::{lookup, polynomial};
use crate::simd::tables::{COSINES, DENOMINATORS, NUMERATORS, SINES, SINES_REST};
use crate::simd::{broadcast_pd, registers};

/// The sine of each.
pub(crate) fn sin(numbers: &mut [f64]) -> bool {
    with_fallback(numbers, in_range::sin, f64::sin)
}

/// The cosine of each.
pub(crate) fn cos(numbers: &mut [f64]) -> bool {
    with_fallback(numbers, in_range::cos, f64::cos)
}

/// The tangent of each.
pub(crate) fn tan(numbers: &mut [f64]) -> bool {
    with_fallback(numbers, in_range::tan, f64::tan)
}

mod in_range {
    use super::*;

    registers! {
        f64 __mmask8 8
    _mm512_loadu_pd _mm512_storeu_pd _mm512_mask_loadu_pd _mm512_mask_storeu_pd
    _mm512_set1_pd _mm512_cvtsd_f64
        sin = sin_of;
        cos = cos_of;
        tan = tan_of;
    }
}

/// Adding this leaves a small number rounded to an integer, in the lowest bits.
const SHIFT: f64 = 6_755_399_441_055_744.0;

/// An angle as `n` sixteenths of pi and `r + rest`.
struct Sixteenths {
    /// `n` in the lowest bits.
    places: __m512i,
    r: __m512d,
    rest: __m512d,
}

/// The places are those of `n` and `shift - SHIFT`.
#[target_feature(enable = "avx512f")]
#[inline]
fn sixteenths(x: __m512d, shift: f64) -> Sixteenths {
    /// A sixteenth of pi; products of the second part, which has 27 bits, are exact.
    const PARTS: [f64; 3] =
        [0.196_349_540_849_362_07, 7.654_042_518_464_57e-18, -2.379_361_202_524_158_3e-26];
    const PER_PI: f64 = 5.092_958_178_940_651;

    let shift = _mm512_set1_pd(shift);
    let shifted = _mm512_fmadd_pd(x, _mm512_set1_pd(PER_PI), shift);
    let n = _mm512_sub_pd(shifted, shift);
    // Neither the first difference is rounded, nor what the second lacks.
    let [first, second, third] = broadcast_pd(&PARTS);
    let near = _mm512_fnmadd_pd(n, first, x);
    let r = _mm512_fnmadd_pd(n, second, near);
    let rest = _mm512_fnmadd_pd(n, second, _mm512_sub_pd(near, r));
    Sixteenths { places: _mm512_castpd_si512(shifted), r, rest: _mm512_fnmadd_pd(n, third, rest) }
}

/// A sine, with another sign if the fifth bit of the places is set.
struct Sine {
    /// It is almost this, and has the sign of it.
    near: __m512d,
    y: __m512d,
    places: __m512i,
}

/// The sine of `x` and `shift - SHIFT` sixteenths of pi.
#[target_feature(enable = "avx512f")]
#[inline]
fn sine(x: __m512d, shift: f64) -> Sine {
    /// `(sin(r) / r - 1) / r^2`
    const ODD: [f64; 4] = [
        -0.166_666_666_666_666_66,
        0.008_333_333_333_318_127,
        -0.000_198_412_693_647_586_17,
        2.755_143_471_836_839e-6,
    ];
    /// `(cos(r) - 1) / r^2`
    const EVEN: [f64; 4] = [
        -0.499_999_999_999_999_83,
        0.041_666_666_666_499_39,
        -0.001_388_888_836_473_959_8,
        2.479_511_446_505_707e-5,
    ];

    let Sixteenths { places, r, rest } = sixteenths(x, shift);
    let (sine, cosine) = (lookup(&SINES, places), lookup(&COSINES, places));
    let near = _mm512_fmadd_pd(cosine, r, sine);
    let lost = _mm512_fmsub_pd(cosine, r, _mm512_sub_pd(near, sine));
    let lost = _mm512_fmadd_pd(cosine, rest, _mm512_add_pd(lost, lookup(&SINES_REST, places)));
    let z = _mm512_mul_pd(r, r);
    let even = _mm512_mul_pd(sine, polynomial(z, &EVEN));
    let curve = _mm512_fmadd_pd(_mm512_mul_pd(cosine, r), polynomial(z, &ODD), even);
    Sine { near, y: _mm512_add_pd(near, _mm512_fmadd_pd(z, curve, lost)), places }
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn sin_of(x: __m512d) -> __m512d {
    /// The bits of the first where the second has any, else those of the third.
    const CHOOSE: i32 = 0xe2;

    let Sine { near, y, places } = sine(x, SHIFT);
    // Only the first part knows which zero it is.
    let sign = _mm512_xor_si512(_mm512_slli_epi64::<59>(places), _mm512_castpd_si512(near));
    let is_sign = _mm512_set1_epi64(i64::MIN);
    let y = _mm512_ternarylogic_epi64::<CHOOSE>(sign, is_sign, _mm512_castpd_si512(y));
    _mm512_castsi512_pd(y)
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn cos_of(x: __m512d) -> __m512d {
    /// `a ^ (b & c)`
    const TURN: i32 = 0x78;

    let Sine { y, places, .. } = sine(x, SHIFT + 8.0);
    let sign = _mm512_slli_epi64::<59>(places);
    let is_sign = _mm512_set1_epi64(i64::MIN);
    let y = _mm512_ternarylogic_epi64::<TURN>(_mm512_castpd_si512(y), sign, is_sign);
    _mm512_castsi512_pd(y)
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn tan_of(x: __m512d) -> __m512d {
    /// `(tan(r) / r - 1) / r^2`
    const TERMS: [f64; 5] = [
        0.333_333_333_333_340_8,
        0.133_333_333_322_361_16,
        0.053_968_259_203_508_84,
        0.021_868_398_903_282_83,
        0.008_966_060_364_538_786,
    ];

    let Sixteenths { places, r, rest } = sixteenths(x, SHIFT);
    let (above, below) = (lookup(&NUMERATORS, places), lookup(&DENOMINATORS, places));
    // 1. tan(r) = r + beyond
    let z = _mm512_mul_pd(r, r);
    let beyond = _mm512_fmadd_pd(_mm512_mul_pd(z, r), polynomial(z, &TERMS), rest);
    // 2. above + below * tan(r), and below - above * tan(r)
    let sine = _mm512_fmadd_pd(below, r, above);
    let sine_rest = _mm512_fmsub_pd(below, r, _mm512_sub_pd(sine, above));
    let sine_rest = _mm512_fmadd_pd(below, beyond, sine_rest);
    let cosine = _mm512_fnmadd_pd(above, r, below);
    let cosine_rest = _mm512_fnmadd_pd(above, r, _mm512_sub_pd(below, cosine));
    let cosine_rest = _mm512_fnmadd_pd(above, beyond, cosine_rest);
    // 3. Their quotient.
    let divisor = _mm512_add_pd(cosine, cosine_rest);
    let inverse = _mm512_div_pd(_mm512_set1_pd(1.0), divisor);
    let is_other = _mm512_cmp_pd_mask::<_CMP_NEQ_UQ>(x, _mm512_setzero_pd());
    let y = _mm512_mul_pd(_mm512_mask_add_pd(sine, is_other, sine, sine_rest), inverse);
    let left = _mm512_fnmadd_pd(y, cosine, sine);
    let left = _mm512_add_pd(left, _mm512_fnmadd_pd(y, cosine_rest, sine_rest));
    _mm512_mask3_fmadd_pd(left, inverse, y, is_other)
}
