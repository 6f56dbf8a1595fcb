//! Powers of `f64`.

use std::arch::x86_64::*;

use crate::Isa;

use super::avx512::{EITHER, powers};
use super::special::special_pd;
use super::tables_f64::{LOGARITHMS, LOGARITHMS_REST};
use crate::simd::broadcast_pd;
use crate::simd::double::{exp_of_sum, polynomial};
use crate::simd::tables::NATURAL;

powers! { f64 8 _mm512_loadu_pd _mm512_storeu_pd power_of }

/// From here on the exponential is infinite, and that of minus this is zero.
const MOST: f64 = 800.0;

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn power_of(x: __m512d, y: __m512d) -> __m512d {
    let (ln, ln_rest) = ln(x);
    let exponent = _mm512_mul_pd(y, ln);
    let rest = _mm512_fmadd_pd(y, ln_rest, _mm512_fmsub_pd(y, ln, exponent));
    let power = exp_of_sum(exponent, rest);
    // The sign of x and the size of the exponent, in one.
    let (x_bits, bits) = (_mm512_castpd_si512(x), _mm512_castpd_si512(exponent));
    let bits = _mm512_ternarylogic_epi64::<EITHER>(x_bits, bits, _mm512_set1_epi64(i64::MIN));
    match _mm512_cmplt_epu64_mask(bits, _mm512_set1_epi64(MOST.to_bits() as i64)) {
        0xff => power,
        _ => {
            let size = _mm512_abs_pd(exponent);
            let is_far = _mm512_cmp_pd_mask::<_CMP_NLT_UQ>(size, _mm512_set1_pd(MOST));
            special_pd(x, y, is_far, power)
        }
    }
}

/// The natural logarithm of `|x|`, as a sum of two.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn ln(x: __m512d) -> (__m512d, __m512d) {
    let (f, high, low) = near_one(x);
    let half = _mm512_mul_pd(f, _mm512_set1_pd(-0.5));
    let near = _mm512_fmadd_pd(half, f, f);
    let lost = _mm512_fmadd_pd(half, f, _mm512_sub_pd(f, near));
    let sum = _mm512_add_pd(high, near);
    let lost_of_sum = _mm512_add_pd(_mm512_sub_pd(high, sum), near);
    let low = _mm512_add_pd(_mm512_add_pd(lost, lost_of_sum), low);
    let low = _mm512_fmadd_pd(_mm512_mul_pd(half, f), slope(f, half), low);
    let ln = _mm512_add_pd(sum, low);
    (ln, _mm512_add_pd(_mm512_sub_pd(sum, ln), low))
}

/// The logarithm of `m * 2^e` is `e * ln(2) - ln(r) + ln(m * r)`, where `r` is the inverse of `m` in
/// 64ths: returns `m * r - 1`, and the rest in two parts. Nothing is lost of the first two.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn near_one(x: __m512d) -> (__m512d, __m512d, __m512d) {
    let m = _mm512_getmant_pd::<_MM_MANT_NORM_1_2, _MM_MANT_SIGN_ZERO>(x);
    let r = _mm512_roundscale_pd::<0x60>(_mm512_rcp14_pd(m));
    let f = _mm512_fmsub_pd(m, r, _mm512_set1_pd(1.0));
    let e = _mm512_sub_pd(_mm512_getexp_pd(x), _mm512_getexp_pd(r));
    let places = _mm512_srli_epi64::<47>(_mm512_castpd_si512(r));
    let [of_two, of_two_rest] = broadcast_pd(&NATURAL.of_two);
    let high = _mm512_fmadd_pd(e, of_two, lookup(&LOGARITHMS, places));
    let low = _mm512_fmadd_pd(e, of_two_rest, lookup(&LOGARITHMS_REST, places));
    (f, high, low)
}

/// Table entries at the places in the lowest five bits.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn lookup(table: &[f64; 32], places: __m512i) -> __m512d {
    // SAFETY: a table is four registers.
    let [a, b, c, d] = [0, 8, 16, 24].map(|at| unsafe { _mm512_loadu_pd(table.as_ptr().add(at)) });
    let is_upper = _mm512_test_epi64_mask(places, _mm512_set1_epi64(16));
    let upper = _mm512_permutex2var_pd(c, places, d);
    _mm512_mask_mov_pd(_mm512_permutex2var_pd(a, places, b), is_upper, upper)
}

/// `(ln(1 + f) - f - s) / s`, where `s` is `-f² / 2` and `|f|` at most 1/64: nearly `-2/3 f`, and `s`
/// times what is left (Remez' algorithm).
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn slope(f: __m512d, half: __m512d) -> __m512d {
    const TERMS: [f64; 7] = [
        -0.999_999_999_999_999_8,
        0.800_000_000_003_409_8,
        -0.666_666_666_672_731_2,
        0.571_428_528_179_665_6,
        -0.499_999_941_859_710_36,
        0.444_658_590_133_364_45,
        -0.400_232_718_815_895_1,
    ];

    let beyond = _mm512_mul_pd(_mm512_mul_pd(half, f), polynomial(f, &TERMS));
    _mm512_fmadd_pd(f, _mm512_set1_pd(-2.0 / 3.0), beyond)
}
