//! The inverse of the hyperbolic sine, of `f64`.

use std::arch::x86_64::*;

use crate::double::asinh;
use crate::simd::double::{natural_logarithm, polynomial};

/// A polynomial where the number is small, and the logarithm of it and of the root of its square and
/// one else.
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx2,fma")]
#[inline]
pub(crate) fn asinh_of(x: __m512d) -> __m512d {
    /// Up to here the polynomial is exact enough.
    const SMALL: f64 = 0.015_625;
    /// From here on one is nothing beside the square.
    const LARGE: f64 = 268_435_456.0;

    let a = _mm512_abs_pd(x);
    let is_small = _mm512_cmp_pd_mask::<_CMP_LT_OQ>(a, _mm512_set1_pd(SMALL));
    let y = _mm512_mask_mov_pd(by_logarithm(a), is_small, small(a));
    let y = _mm512_or_pd(y, _mm512_and_pd(x, _mm512_set1_pd(-0.0)));
    match _mm512_cmp_pd_mask::<_CMP_NLE_UQ>(a, _mm512_set1_pd(LARGE)) {
        0 => y,
        are_large => _mm512_mask_mov_pd(y, are_large, large(x)),
    }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn small(a: __m512d) -> __m512d {
    /// `(asinh(a) / a - 1) / a^2` (Remez' algorithm).
    const TERMS: [f64; 4] = [
        -0.166_666_666_666_666_66,
        0.074_999_999_999_778_05,
        -0.044_642_854_402_522_12,
        0.030_368_609_896_080_742,
    ];

    let z = _mm512_mul_pd(a, a);
    _mm512_fmadd_pd(_mm512_mul_pd(a, z), polynomial(z, &TERMS), a)
}

#[target_feature(enable = "avx512f,avx512dq")]
#[inline]
fn by_logarithm(a: __m512d) -> __m512d {
    let one = _mm512_set1_pd(1.0);
    // 1. a^2 + 1, and what is lost of it
    let square = _mm512_mul_pd(a, a);
    let square_lost = _mm512_fmsub_pd(a, a, square);
    let above = _mm512_add_pd(square, one);
    let added = _mm512_sub_pd(above, square);
    let lost = _mm512_sub_pd(square, _mm512_sub_pd(above, added));
    let lost = _mm512_add_pd(lost, _mm512_sub_pd(one, added));
    // 2. Its root, and how much its square lacks
    let root = _mm512_sqrt_pd(above);
    let missing = _mm512_fnmadd_pd(root, root, above);
    let missing = _mm512_add_pd(missing, _mm512_add_pd(lost, square_lost));
    // 3. The sum with a, and what it lacks, as a share of it
    let sum = _mm512_add_pd(root, a);
    let lost = _mm512_sub_pd(a, _mm512_sub_pd(sum, root));
    let twice = _mm512_add_pd(root, root);
    let share = _mm512_fmadd_pd(twice, lost, missing);
    let share = _mm512_mul_pd(share, _mm512_rcp14_pd(_mm512_mul_pd(twice, sum)));
    natural_logarithm(sum, share)
}

/// Of any number.
#[target_feature(enable = "avx512f,avx512dq,avx512bw,avx512vl,avx2,fma")]
#[cold]
fn large(x: __m512d) -> __m512d {
    let mut numbers = [0.0; 8];
    // SAFETY: the numbers are as many as a register has.
    unsafe { _mm512_storeu_pd(numbers.as_mut_ptr(), x) };
    let numbers = numbers.map(asinh::<true>);
    // SAFETY: likewise.
    unsafe { _mm512_loadu_pd(numbers.as_ptr()) }
}
