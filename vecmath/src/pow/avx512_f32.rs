//! Powers of `f32`.

use std::arch::x86_64::*;
use std::f32::consts::LOG2_E;

use crate::Isa;

use super::avx512::{EITHER, powers};
use super::special::special_ps;
use super::tables_f32::{INVERSES, LOGARITHMS, LOGARITHMS_REST, POWERS, POWERS_REST};
use crate::simd::broadcast_ps;
use crate::simd::single::lookup;

powers! { f32 16 _mm512_loadu_ps _mm512_storeu_ps power_of }

/// From here on half of an exponent makes the exponential infinite, and minus this makes it zero.
const MOST: f32 = 64.0;

/// Half of the natural logarithm of two, the first part to 2^-17.
const HALF_LN_2: [f32; 2] = [0.346_572_88, 7.143_034e-7];

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn power_of(x: __m512, y: __m512) -> __m512 {
    let (ln, ln_rest) = half_ln(x);
    let exponent = _mm512_mul_ps(y, ln);
    let rest = _mm512_fmadd_ps(y, ln_rest, _mm512_fmsub_ps(y, ln, exponent));
    let power = exp_of_twice(exponent, rest);
    // The sign of x and the size of the exponent, in one.
    let (x_bits, bits) = (_mm512_castps_si512(x), _mm512_castps_si512(exponent));
    let bits = _mm512_ternarylogic_epi32::<EITHER>(x_bits, bits, _mm512_set1_epi32(i32::MIN));
    match _mm512_cmplt_epu32_mask(bits, _mm512_set1_epi32(MOST.to_bits() as i32)) {
        0xffff => power,
        _ => {
            let size = _mm512_abs_ps(exponent);
            let is_far = _mm512_cmp_ps_mask::<_CMP_NLT_UQ>(size, _mm512_set1_ps(MOST));
            special_ps(x, y, is_far, power)
        }
    }
}

/// Half of the natural logarithm of `|x|`, as a sum of two.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn half_ln(x: __m512) -> (__m512, __m512) {
    /// `(ln(1 + 2h) / 2 - h + h²) / h³`, where `|2h|` is at most 1/32 (Remez' algorithm).
    const TERMS: [f32; 4] = [1.333_333_3, -2.000_012_2, 3.201_171_6, -5.211_941_7];

    // 1. x = (1 + 2h) * 2^e / r, and nothing is lost of h.
    let m = _mm512_getmant_ps::<_MM_MANT_NORM_1_2, _MM_MANT_SIGN_ZERO>(x);
    let e = _mm512_getexp_ps(x);
    let places = _mm512_srli_epi32::<18>(_mm512_castps_si512(m));
    let h = _mm512_fmsub_ps(m, lookup(&INVERSES, places), _mm512_set1_ps(0.5));
    // 2. The half of e * ln(2) - ln(r), and nothing is lost of the first part.
    let [of_two, of_two_rest] = broadcast_ps(&HALF_LN_2);
    let high = _mm512_fmadd_ps(e, of_two, lookup(&LOGARITHMS, places));
    let low = _mm512_fmadd_ps(e, of_two_rest, lookup(&LOGARITHMS_REST, places));
    // 3. + ln(1 + 2h) / 2
    let near = _mm512_fnmadd_ps(h, h, h);
    let lost = _mm512_fnmadd_ps(h, h, _mm512_sub_ps(h, near));
    let sum = _mm512_add_ps(high, near);
    let lost_of_sum = _mm512_add_ps(_mm512_sub_ps(high, sum), near);
    let low = _mm512_add_ps(_mm512_add_ps(lost, lost_of_sum), low);
    let cube = _mm512_mul_ps(_mm512_mul_ps(h, h), h);
    (sum, _mm512_fmadd_ps(cube, polynomial(h, &TERMS), low))
}

/// `e` to the power of twice a sum of two.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn exp_of_twice(x: __m512, rest: __m512) -> __m512 {
    /// Adding this leaves a small number rounded to 32nds, in the lowest bits.
    const THIRTY_SECONDS: f32 = 393_216.0;
    /// `(exp(2h) - 1) / h`, where `|2h|` is at most `ln(2) / 64`.
    const TERMS: [f32; 3] = [2.0, 2.000_016_2, 1.333_333_4];

    // 1. x + rest = n * ln(2) / 2 + h
    let sum = _mm512_add_ps(x, rest);
    let shift = _mm512_set1_ps(THIRTY_SECONDS);
    let shifted = _mm512_fmadd_ps(sum, _mm512_set1_ps(2.0 * LOG2_E), shift);
    let n = _mm512_sub_ps(shifted, shift);
    let h = _mm512_fnmadd_ps(n, _mm512_set1_ps(HALF_LN_2[0]), x);
    let h = _mm512_add_ps(_mm512_fnmadd_ps(n, _mm512_set1_ps(HALF_LN_2[1]), h), rest);
    // 2. 2^n * exp(2h)
    let places = _mm512_castps_si512(shifted);
    let (power, lacks) = (lookup(&POWERS, places), lookup(&POWERS_REST, places));
    let beyond = _mm512_fmadd_ps(h, polynomial(h, &TERMS), lacks);
    _mm512_scalef_ps(_mm512_fmadd_ps(power, beyond, power), n)
}

/// A polynomial, its constant term first.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn polynomial<const N: usize>(x: __m512, terms: &[f32; N]) -> __m512 {
    let mut y = _mm512_set1_ps(terms[N - 1]);
    for term in terms[..N - 1].iter().rev() {
        y = _mm512_fmadd_ps(y, x, _mm512_set1_ps(*term));
    }
    y
}
