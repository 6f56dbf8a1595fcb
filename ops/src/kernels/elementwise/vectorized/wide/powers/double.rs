//! Powers of `f64`.

use std::arch::x86_64::*;

use opwright_runtime::Level;

use super::super::double::{exp_of_sum, near_one, polynomial};
use super::super::tables::NATURAL;
use super::powers;
use super::special::special_pd;

powers! { f64 8 _mm512_loadu_pd _mm512_storeu_pd power_of }

/// From here on the exponential is infinite, and that of minus this is zero.
const MOST: f64 = 800.0;

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn power_of(x: __m512d, y: __m512d) -> __m512d {
    /// If the third bit is set the first one, else the second one.
    const EITHER: i32 = 0xe4;

    let (ln, ln_rest) = ln_in_parts(x);
    let exponent = _mm512_mul_pd(y, ln);
    let rest = _mm512_fmadd_pd(y, ln_rest, _mm512_fmsub_pd(y, ln, exponent));
    let power = exp_of_sum(exponent, rest);
    // The sign of x and the size of the exponent.
    let [x_bits, bits, sign] =
        [x, exponent, _mm512_set1_pd(-0.0)].map(|it| _mm512_castpd_si512(it));
    let bits = _mm512_ternarylogic_epi64::<EITHER>(x_bits, bits, sign);
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
fn ln_in_parts(x: __m512d) -> (__m512d, __m512d) {
    /// `(ln(1 + f) - f + f² / 2) / (-f³ / 2)`, where `|f|` is at most 1/32 (Remez' algorithm).
    const TERMS: [f64; 9] = [
        -0.666_666_666_666_666_6,
        0.499_999_999_999_984_3,
        -0.399_999_999_999_943_46,
        0.333_333_333_466_230_24,
        -0.285_714_285_979_223_4,
        0.249_999_629_633_412_64,
        -0.222_221_698_336_200_42,
        0.200_419_428_816_452_96,
        -0.182_284_351_245_409_06,
    ];

    let (f, high, low) = near_one(x, &NATURAL);
    let half = _mm512_mul_pd(f, _mm512_set1_pd(-0.5));
    let near = _mm512_fmadd_pd(half, f, f);
    let lost = _mm512_fmadd_pd(half, f, _mm512_sub_pd(f, near));
    let sum = _mm512_add_pd(high, near);
    let lost_of_sum = _mm512_add_pd(_mm512_sub_pd(high, sum), near);
    let low = _mm512_add_pd(_mm512_add_pd(lost, lost_of_sum), low);
    let cube = _mm512_mul_pd(_mm512_mul_pd(half, f), f);
    let low = _mm512_fmadd_pd(cube, polynomial(f, &TERMS), low);
    let ln = _mm512_add_pd(sum, low);
    (ln, _mm512_add_pd(_mm512_sub_pd(sum, ln), low))
}
