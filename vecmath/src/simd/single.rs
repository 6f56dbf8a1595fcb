//! Functions of `f32`.

use std::arch::x86_64::*;
use std::f32::consts::{FRAC_1_SQRT_2, FRAC_2_PI, LOG2_E};

use crate::Isa;

use super::{broadcast_ps, registers};
use crate::erf::pieces::{ERF, ERFCX, TANH};
use crate::exp::{avx512_f32 as exponential, sigmoid};
use crate::hyperbolic::{avx512 as hyperbolic, sinh_avx512 as sinh};
use crate::log::avx512_f32 as logarithm;
use crate::single::{SHIFT, far_tan};
use crate::trig::fma::HALF_PI;
use crate::trig::inverse::acos_avx512;
use crate::trig::large::with_fallback;

registers! {
    f32 __mmask16 16
    _mm512_loadu_ps _mm512_storeu_ps _mm512_mask_loadu_ps _mm512_mask_storeu_ps
    _mm512_set1_ps _mm512_cvtss_f32
    /// `e` to the power of each.
    exp = exponential::exp_of;
    /// Two to the power of each.
    exp2 = exponential::exp2_of;
    /// The natural logarithm of each.
    log = logarithm::log_of;
    /// The logarithm to base two of each.
    log2 = logarithm::log2_of;
    /// The logarithm to base ten of each.
    log10 = logarithm::log10_of;
    /// The arc cosine of each.
    acos = acos_avx512::acos_of;
    /// The hyperbolic tangent of each.
    tanh = tanh_of;
    /// The error function of each.
    erf = erf_of;
    /// One less this, of each.
    erfc = erfc_of;
    /// `x / 2 * (1 + erf(x / sqrt(2)))` of each.
    gelu = gelu_of;
    /// The hyperbolic sine of each.
    sinh = sinh::sinh_of;
    /// The hyperbolic cosine of each.
    cosh = hyperbolic::cosh_of_singles;
    /// `1 / (1 + exp(-x))` of each.
    sigmoid = sigmoid::sigmoid_of_singles;
    /// The same times the number.
    silu = sigmoid::silu_of_singles;
}

/// The tangent of each.
pub(crate) fn tan(numbers: &mut [f32]) -> bool {
    with_fallback(numbers, in_range::tan, far_tan)
}

mod in_range {
    use super::*;

    registers! {
        f32 __mmask16 16
    _mm512_loadu_ps _mm512_storeu_ps _mm512_mask_loadu_ps _mm512_mask_storeu_ps
    _mm512_set1_ps _mm512_cvtss_f32
        tan = tan_of;
    }
}

/// Table entries at the places in the lowest five bits.
#[target_feature(enable = "avx512f")]
#[inline]
pub(crate) fn lookup(table: &[f32; 32], places: __m512i) -> __m512 {
    // SAFETY: a table is two registers.
    let (low, high) =
        unsafe { (_mm512_loadu_ps(table.as_ptr()), _mm512_loadu_ps(table.as_ptr().add(16))) };
    _mm512_permutex2var_ps(low, places, high)
}

/// A function in [pieces](super::pieces) of what is not negative, as a sum of two; from `most` on it
/// does not change. NaN stays.
#[target_feature(enable = "avx512f")]
#[inline]
fn piecewise<const N: usize>(pieces: &[[f32; 32]; N], a: __m512, most: f32) -> (__m512, __m512) {
    let a = _mm512_min_ps(_mm512_set1_ps(most), a);
    let least = _mm512_max_ps(a, _mm512_set1_ps(0.0625));
    let places = _mm512_srli_epi32::<21>(_mm512_castps_si512(least));
    let distance = _mm512_sub_ps(a, lookup(&pieces[0], places));
    let mut slope = lookup(&pieces[N - 1], places);
    for term in pieces[2..N - 1].iter().rev() {
        slope = _mm512_fmadd_ps(slope, distance, lookup(term, places));
    }
    (lookup(&pieces[1], places), _mm512_mul_ps(slope, distance))
}

/// The same of an odd function, with any sign.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn odd_piecewise<const N: usize>(pieces: &[[f32; 32]; N], x: __m512, most: f32) -> __m512 {
    let y = positive_piecewise(pieces, _mm512_abs_ps(x), most);
    _mm512_or_ps(y, _mm512_and_ps(x, _mm512_set1_ps(-0.0)))
}

/// The same of what is not negative.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn positive_piecewise<const N: usize>(pieces: &[[f32; 32]; N], a: __m512, most: f32) -> __m512 {
    /// Up to here goes the first piece.
    const SMALL: f32 = 0.078_125;

    let (near, beyond) = piecewise(pieces, a, most);
    let is_small = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, _mm512_set1_ps(SMALL));
    _mm512_add_ps(_mm512_mask_mov_ps(near, is_small, a), beyond)
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn tanh_of(x: __m512) -> __m512 {
    /// The last number before the piece that is one throughout.
    const MOST: f32 = 10.0_f32.next_down();

    odd_piecewise(&TANH, x, MOST)
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn erf_of(x: __m512) -> __m512 {
    odd_piecewise(&ERF, x, 3.93)
}

/// By way of the complement of the error function, since one more than the error function says
/// nothing of small results. What is infinite is zero times it.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn gelu_of(x: __m512) -> __m512 {
    /// From here on the complement is zero.
    const MOST: f32 = 14.84;

    let a = _mm512_min_ps(_mm512_set1_ps(MOST), _mm512_abs_ps(x));
    let half = _mm512_mul_ps(a, _mm512_set1_ps(0.5));
    let square = _mm512_mul_ps(half, a);
    let lost = _mm512_fmsub_ps(half, a, square);
    let (y, n) = complement(_mm512_mul_ps(a, _mm512_set1_ps(FRAC_1_SQRT_2)), square, lost);
    // a / 2 * erfc(a / sqrt(2)), which `x` is less by where it is positive.
    let less = _mm512_scalef_ps(_mm512_mul_ps(half, y), n);
    let positive = _mm512_max_ps(_mm512_setzero_ps(), x);
    let sign = _mm512_and_ps(x, _mm512_set1_ps(-0.0));
    _mm512_or_ps(_mm512_sub_ps(positive, less), sign)
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn erfc_of(x: __m512) -> __m512 {
    /// From here on the result is zero.
    const MOST: f32 = 10.5;

    let a = _mm512_min_ps(_mm512_set1_ps(MOST), _mm512_abs_ps(x));
    let square = _mm512_mul_ps(a, a);
    let lost = _mm512_fmsub_ps(a, a, square);
    let (y, n) = complement(a, square, lost);
    // The other half is taken from two.
    let y = _mm512_scalef_ps(y, n);
    let is_negative = _mm512_movepi32_mask(_mm512_castps_si512(x));
    _mm512_mask_sub_ps(y, is_negative, _mm512_set1_ps(2.0), y)
}

/// `exp(-a^2)` times the factor of it in pieces, less `2^n`, where the square is a sum of two.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn complement(a: __m512, square: __m512, lost: __m512) -> (__m512, __m512) {
    /// From here on the factor does not change.
    const MOST: f32 = 10.5;
    /// The natural logarithm of two, the first part with 15 bits.
    const LN_2: [f32; 2] = [0.693_145_75, 1.428_606_8e-6];

    let (near, far) = piecewise(&ERFCX, a, MOST);
    let factor = _mm512_add_ps(near, far);
    // 1. -a^2 = n * ln(2) + r
    let n = _mm512_roundscale_ps::<8>(_mm512_mul_ps(square, _mm512_set1_ps(-LOG2_E)));
    let r = _mm512_fnmsub_ps(n, _mm512_set1_ps(LN_2[0]), square);
    let r = _mm512_fnmsub_ps(n, _mm512_set1_ps(LN_2[1]), _mm512_sub_ps(lost, r));
    // 2. exp(r) - 1
    let mut p = _mm512_set1_ps(0.000_199_137_82);
    for term in [0.001_394_117, 0.008_333_274, 0.041_666_35, 0.166_666_67, 0.5] {
        p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(term));
    }
    let beyond = _mm512_fmadd_ps(_mm512_mul_ps(r, r), p, r);
    (_mm512_add_ps(near, _mm512_fmadd_ps(factor, beyond, far)), n)
}

/// As where there are no such registers, but for the inverse.
#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn tan_of(x: __m512) -> __m512 {
    /// `tan(r) / r - 1`, of `r^2 - 1/2`.
    const TERMS: [f32; 8] = [
        0.208_460_24,
        0.521_727_8,
        0.262_840_3,
        0.133_510_77,
        0.067_863_464,
        0.034_136_396,
        0.015_527_027,
        0.004_465_819_3,
    ];

    // 1. x = n * pi / 2 + angle + rest
    let [first, second, third] = broadcast_ps(&HALF_PI);
    let shifted = _mm512_fmadd_ps(x, _mm512_set1_ps(FRAC_2_PI), _mm512_set1_ps(SHIFT));
    let n = _mm512_sub_ps(shifted, _mm512_set1_ps(SHIFT));
    let near = _mm512_fnmadd_ps(n, first, x);
    let angle = _mm512_sub_ps(near, _mm512_mul_ps(n, second));
    let rest = _mm512_fnmsub_ps(n, second, _mm512_sub_ps(angle, near));
    let rest = _mm512_fnmadd_ps(n, third, rest);
    // 2. tan(angle + rest) = angle + beyond
    let z = _mm512_fmadd_ps(angle, angle, _mm512_set1_ps(-0.5));
    let mut share = _mm512_set1_ps(TERMS[7]);
    for term in TERMS[..7].iter().rev() {
        share = _mm512_fmadd_ps(share, z, _mm512_set1_ps(*term));
    }
    let slope = _mm512_mul_ps(_mm512_set1_ps(3.5), rest);
    let beyond = _mm512_fmadd_ps(angle, share, _mm512_fmadd_ps(share, slope, rest));
    let y = _mm512_add_ps(angle, beyond);
    // 3. A quarter of a turn more, it is the inverse with another sign.
    let is_odd = _mm512_test_epi32_mask(_mm512_castps_si512(shifted), _mm512_set1_epi32(1));
    let inverse = _mm512_mask_rcp14_ps(y, is_odd, y);
    let left = _mm512_fnmadd_ps(angle, inverse, _mm512_set1_ps(1.0));
    let left = _mm512_fnmadd_ps(beyond, inverse, left);
    _mm512_mask_fnmsub_ps(inverse, is_odd, left, inverse)
}
