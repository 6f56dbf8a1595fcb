//! Functions of `f64`.

use std::arch::x86_64::*;
use std::f64::consts::{self, LOG2_E};

use crate::Isa;

use super::{broadcast_pd, registers};
use crate::erf::erfc_avx512;
use crate::exp::{self, sigmoid};
use crate::hyperbolic::{asinh_avx512, avx512 as hyperbolic};
use crate::simd::tables::{BINARY, Base, DECIMAL, ERF, NATURAL, POWERS, POWERS_REST};
pub(crate) use crate::trig::avx512::{cos, sin, tan};
use crate::trig::inverse::atan_avx512;

registers! {
    f64 __mmask8 8
    _mm512_loadu_pd _mm512_storeu_pd _mm512_mask_loadu_pd _mm512_mask_storeu_pd
    _mm512_set1_pd _mm512_cvtsd_f64
    /// `e` to the power of each.
    exp = exp_of;
    /// One less than the former of each.
    expm1 = exp::expm1::expm1_of;
    /// Two to the power of each.
    exp2 = exp2_of;
    /// The natural logarithm of each.
    log = log_of;
    /// The logarithm to base two of each.
    log2 = log2_of;
    /// The logarithm to base ten of each.
    log10 = log10_of;
    /// The arc tangent of each.
    atan = atan_avx512::atan_of;
    /// The inverse of the hyperbolic sine of each.
    asinh = asinh_avx512::asinh_of;
    /// The error function of each.
    erf = erf_of;
    /// One less this, of each.
    erfc = erfc_avx512::erfc_of;
    /// The hyperbolic sine of each.
    sinh = hyperbolic::sinh_of_doubles;
    /// The hyperbolic cosine of each.
    cosh = hyperbolic::cosh_of_doubles;
    /// `1 / (1 + exp(-x))` of each.
    sigmoid = sigmoid::sigmoid_of_doubles;
    /// The same times the number.
    silu = sigmoid::silu_of_doubles;
}

/// Table entries at the places in the lowest four bits.
#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn lookup(table: &[f64; 16], places: __m512i) -> __m512d {
    // SAFETY: a table is two registers.
    let (low, high) =
        unsafe { (_mm512_loadu_pd(table.as_ptr()), _mm512_loadu_pd(table.as_ptr().add(8))) };
    _mm512_permutex2var_pd(low, places, high)
}

/// A polynomial, its constant term first.
#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn polynomial<const N: usize>(x: __m512d, terms: &[f64; N]) -> __m512d {
    let mut y = _mm512_set1_pd(terms[N - 1]);
    for term in terms[..N - 1].iter().rev() {
        y = _mm512_fmadd_pd(y, x, _mm512_set1_pd(*term));
    }
    y
}

/// Adding this leaves a small number rounded to sixteenths, in the lowest bits.
pub(crate) const SIXTEENTHS: f64 = 422_212_465_065_984.0;

/// The natural logarithm of two, the first part with 32 bits.
pub(crate) const LN_2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];

/// Between these two, NaN stays.
#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn clamp(x: __m512d, least: f64, most: f64) -> __m512d {
    _mm512_min_pd(_mm512_set1_pd(most), _mm512_max_pd(_mm512_set1_pd(least), x))
}

/// Two to the power of `n`, sixteenths that were rounded to `shifted`, times one more than `beyond`
/// makes of what the power in the table lacks.
#[target_feature(enable = "avx512f")]
#[inline]
fn power(shifted: __m512d, n: __m512d, slope: f64, r: __m512d, terms: &[f64; 5]) -> __m512d {
    let places = _mm512_castpd_si512(shifted);
    let (power, rest) = (lookup(&POWERS, places), lookup(&POWERS_REST, places));
    let rest = _mm512_fmadd_pd(r, _mm512_set1_pd(slope), rest);
    let beyond = _mm512_fmadd_pd(_mm512_mul_pd(r, r), polynomial(r, terms), rest);
    _mm512_scalef_pd(_mm512_fmadd_pd(power, beyond, power), n)
}

/// `(exp(r) - 1 - r) / r^2`, where `|r|` is at most `ln(2) / 32`.
const EXP: [f64; 5] = [
    0.500_000_000_000_000_6,
    0.166_666_666_644_177_98,
    0.041_666_666_659_679_136,
    0.008_333_471_924_918_933,
    0.001_388_912_873_180_06,
];

/// `x` in sixteenths of the natural logarithm of two, as [`power`] takes them, and what is left.
#[target_feature(enable = "avx512f")]
#[inline]
fn sixteenths(x: __m512d) -> (__m512d, __m512d, __m512d) {
    let shifted = _mm512_fmadd_pd(x, _mm512_set1_pd(LOG2_E), _mm512_set1_pd(SIXTEENTHS));
    let n = _mm512_sub_pd(shifted, _mm512_set1_pd(SIXTEENTHS));
    let r = _mm512_fnmadd_pd(n, _mm512_set1_pd(LN_2[0]), x);
    (shifted, n, _mm512_fnmadd_pd(n, _mm512_set1_pd(LN_2[1]), r))
}

#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn exp_of(x: __m512d) -> __m512d {
    let (shifted, n, r) = sixteenths(clamp(x, -800.0, 800.0));
    power(shifted, n, 1.0, r, &EXP)
}

/// `e` to the power of a sum of two, if neither is large and the second is small.
#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn exp_of_sum(x: __m512d, rest: __m512d) -> __m512d {
    let (shifted, n, r) = sixteenths(x);
    power(shifted, n, 1.0, _mm512_add_pd(r, rest), &EXP)
}

#[target_feature(enable = "avx512f")]
#[inline]
fn exp2_of(x: __m512d) -> __m512d {
    /// `(2^t - 1 - t * ln(2)) / t^2`, where `|t|` is at most 1/32.
    const TERMS: [f64; 5] = [
        0.240_226_506_959_100_97,
        0.055_504_108_657_332_29,
        0.009_618_129_106_015_51,
        0.001_333_377_989_676_155_4,
        0.000_154_037_963_921_673_8,
    ];

    let x = clamp(x, -1100.0, 1100.0);
    let shifted = _mm512_add_pd(x, _mm512_set1_pd(SIXTEENTHS));
    let n = _mm512_sub_pd(shifted, _mm512_set1_pd(SIXTEENTHS));
    power(shifted, n, consts::LN_2, _mm512_sub_pd(x, n), &TERMS)
}

/// The logarithm, but for what is no positive number, plus `lost`.
///
/// Of `m * 2^e`: with `r`, the inverse of `m` in 32nds, it is
/// `e * of_two - log(r) + log(m * r)`, and `m * r` is so close to one that few terms are enough.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn positive_logarithm(x: __m512d, lost: __m512d, base: &Base) -> __m512d {
    // 1. x = (1 + f) * 2^e / r, and nothing is lost of f.
    let m = _mm512_getmant_pd::<_MM_MANT_NORM_1_2, _MM_MANT_SIGN_SRC>(x);
    let r = _mm512_roundscale_pd::<0x50>(_mm512_rcp14_pd(m));
    let f = _mm512_fmsub_pd(m, r, _mm512_set1_pd(1.0));
    let e = _mm512_sub_pd(_mm512_getexp_pd(x), _mm512_getexp_pd(r));
    // 2. e * of_two - log(r), and nothing is lost of the first part.
    let places = _mm512_srli_epi64::<48>(_mm512_castpd_si512(r));
    let [of_two, of_two_rest] = broadcast_pd(&base.of_two);
    let high = _mm512_fmadd_pd(e, of_two, lookup(&base.high, places));
    let low = _mm512_add_pd(lost, lookup(&base.low, places));
    let low = _mm512_fmadd_pd(e, of_two_rest, low);
    // 3. + log(1 + f)
    let [inverse, inverse_rest] = broadcast_pd(&base.inverse);
    let sum = _mm512_fmadd_pd(f, inverse, high);
    let lost = _mm512_fmadd_pd(f, inverse, _mm512_sub_pd(high, sum));
    let low = _mm512_fmadd_pd(f, inverse_rest, _mm512_add_pd(low, lost));
    let low = _mm512_fmadd_pd(_mm512_mul_pd(f, f), polynomial(f, &base.terms), low);
    _mm512_add_pd(sum, low)
}

/// The natural logarithm of a positive number, plus `lost`.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
pub(crate) fn natural_logarithm(x: __m512d, lost: __m512d) -> __m512d {
    positive_logarithm(x, lost, &NATURAL)
}

/// The logarithm of any number.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn logarithm(x: __m512d, base: &Base) -> __m512d {
    /// NaN, zeros, infinities and what is negative.
    const SPECIAL: i32 = 0xdf;

    // Nothing is lost, and adding this changes nothing.
    let y = positive_logarithm(x, _mm512_set1_pd(-0.0), base);
    match _mm512_fpclass_pd_mask::<SPECIAL>(x) {
        0 => y,
        special => _mm512_mask_mov_pd(y, special, special_logarithm(x)),
    }
}

/// Logarithms of what is no positive number, and of infinity.
#[target_feature(enable = "avx512f,avx512dq")]
#[cold]
fn special_logarithm(x: __m512d) -> __m512d {
    /// Zeros.
    const ZERO: i32 = 0x06;
    /// Numbers below zero, and minus infinity.
    const NEGATIVE: i32 = 0x50;

    let is_negative = _mm512_fpclass_pd_mask::<NEGATIVE>(x);
    let y = _mm512_mask_mov_pd(x, is_negative, _mm512_set1_pd(f64::NAN));
    let is_zero = _mm512_fpclass_pd_mask::<ZERO>(x);
    _mm512_mask_mov_pd(y, is_zero, _mm512_set1_pd(f64::NEG_INFINITY))
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn log_of(x: __m512d) -> __m512d {
    logarithm(x, &NATURAL)
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn log2_of(x: __m512d) -> __m512d {
    logarithm(x, &BINARY)
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn log10_of(x: __m512d) -> __m512d {
    logarithm(x, &DECIMAL)
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn erf_of(x: __m512d) -> __m512d {
    /// From here on it is one.
    const MOST: f64 = 6.0;
    /// Adding this leaves a small number rounded to an integer, in the lowest bits.
    const SHIFT: f64 = 6_755_399_441_055_744.0;

    let a = _mm512_min_pd(_mm512_set1_pd(MOST), _mm512_abs_pd(x));
    let shifted = _mm512_fmadd_pd(a, _mm512_set1_pd(2.5), _mm512_set1_pd(SHIFT));
    let places = _mm512_castpd_si512(shifted);
    let distance = _mm512_sub_pd(a, lookup(&ERF[0], places));
    let [near, terms @ .., last] = &ERF[1..] else { return x };
    let mut slope = lookup(last, places);
    for term in terms.iter().rev() {
        slope = _mm512_fmadd_pd(slope, distance, lookup(term, places));
    }
    let lacks_x = _mm512_testn_epi64_mask(places, _mm512_set1_epi64(14));
    let beyond = _mm512_fmadd_pd(slope, distance, lookup(near, places));
    let y = _mm512_add_pd(_mm512_maskz_mov_pd(lacks_x, a), beyond);
    _mm512_or_pd(y, _mm512_and_pd(x, _mm512_set1_pd(-0.0)))
}
