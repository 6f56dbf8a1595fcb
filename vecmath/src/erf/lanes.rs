//! `erf`, `erfc` and `gelu` by piecewise minimax polynomials, whose terms are looked up in tables.
//! Errors: 1 ULP, of `erfc` 2.

use std::f32::consts::{FRAC_1_SQRT_2, LOG2_E};

use super::tables::{ERF_F32, ERF_F64, ERFC_F64, ERFCX};
use crate::exp::SHIFT;
use crate::exp::fma::LN_2_PARTS;
use crate::precision::Double;
use crate::simd::lanes::{Bits, F32s, F64s, MOST_LANES, Mask};

#[inline(always)]
pub(crate) fn erf_f64<V: F64s>(x: V) -> V {
    /// From here on it is one.
    const MOST: f64 = 6.0;
    let a = x.abs().at_most(MOST);
    let shifted = a.mul_add(V::splat(2.5), V::splat(SHIFT));
    let indices = shifted.to_bits();
    let [centres, near, terms @ ..] = &ERF_F64;
    let distance = a - V::lookup(centres, indices);
    let slope = distance.piecewise(terms, indices);
    let lacks_x = !indices.has(14);
    let beyond = slope.mul_add(distance, V::lookup(near, indices));
    let y = V::select(lacks_x, a, V::splat(0.0)) + beyond;
    y.or_sign_of(x)
}

/// Piecewise, as far as the function hardly changes in a fifth of a unit.
#[inline(always)]
pub(crate) fn erfc_f64<V: F64s>(x: V) -> V {
    /// Up to here go the pieces.
    const MOST: f64 = 3.1;

    let a = x.abs();
    let y = erfc_near(x, a);
    let is_far = a.not_le(V::splat(MOST));
    if is_far.any() {
        let mut block = [0.0; MOST_LANES];
        x.store(&mut block);
        for x in &mut block[..V::COUNT] {
            *x = super::erfc::<Double<true>>(*x);
        }
        return V::select(is_far, V::load(&block), y);
    }
    y
}

#[inline(always)]
fn erfc_near<V: F64s>(x: V, a: V) -> V {
    let shifted = a.mul_add(V::splat(5.0), V::splat(SHIFT));
    let indices = shifted.to_bits();
    let [centres, near, terms @ ..] = &ERFC_F64;
    let distance = a - V::lookup(centres, indices);
    let slope = distance.piecewise(terms, indices);
    let y = slope.mul_add(distance, V::lookup(near, indices));
    // The other half is taken from two.
    let is_negative = x.is_negative();
    V::select(is_negative, V::splat(2.0) - y, y)
}

/// A piecewise polynomial of what is not negative, as a sum of two; from `most` on it
/// does not change. NaN stays.
#[inline(always)]
fn piecewise<V: F32s, const N: usize>(pieces: &[[f32; 32]; N], a: V, most: f32) -> (V, V) {
    let a = V::splat(most).min(a);
    let least = a.max(V::splat(0.0625));
    let indices = least.to_bits().shr(21);
    let distance = a - V::lookup(&pieces[0], indices);
    let slope = distance.piecewise(&pieces[2..], indices);
    (V::lookup(&pieces[1], indices), slope * distance)
}

/// The same of an odd function, with any sign.
#[inline(always)]
pub(crate) fn odd_piecewise<V: F32s, const N: usize>(
    pieces: &[[f32; 32]; N],
    x: V,
    most: f32,
) -> V {
    let y = positive_piecewise(pieces, x.abs(), most);
    y.or_sign_of(x)
}

/// The same of what is not negative.
#[inline(always)]
fn positive_piecewise<V: F32s, const N: usize>(pieces: &[[f32; 32]; N], a: V, most: f32) -> V {
    /// Up to here goes the first piece.
    const SMALL: f32 = 0.078_125;

    let (near, beyond) = piecewise(pieces, a, most);
    let is_small = a.lt(V::splat(SMALL));
    V::select(is_small, a, near) + beyond
}

#[inline(always)]
pub(crate) fn erf_f32<V: F32s>(x: V) -> V {
    odd_piecewise(&ERF_F32, x, 3.93)
}

/// By `erfc`, since one more than `erf` says nothing of small results. What is infinite is zero times it.
#[inline(always)]
pub(crate) fn gelu_f32<V: F32s>(x: V) -> V {
    /// From here on `erfc` is zero.
    const MOST: f32 = 14.84;

    let a = x.abs().at_most(MOST);
    let half = a * V::splat(0.5);
    let square = half * a;
    let lost = half.mul_sub(a, square);
    let (y, n) = erfc_scaled(a * V::splat(FRAC_1_SQRT_2), square, lost);
    // a / 2 * erfc(a / sqrt(2)), which `x` is less by where it is positive.
    let less = (half * y).scale(n);
    let positive = V::splat(0.0).max(x);
    (positive - less).or_sign_of(x)
}

#[inline(always)]
pub(crate) fn erfc_f32<V: F32s>(x: V) -> V {
    /// From here on the result is zero.
    const MOST: f32 = 10.5;

    let a = x.abs().at_most(MOST);
    let square = a * a;
    let lost = a.mul_sub(a, square);
    let (y, n) = erfc_scaled(a, square, lost);
    // The other half is taken from two.
    let y = y.scale(n);
    let is_negative = x.is_negative();
    V::select(is_negative, V::splat(2.0) - y, y)
}

/// `exp(-a^2)` times the factor of it in pieces, less `2^n`, where the square is a sum of two.
#[inline(always)]
fn erfc_scaled<V: F32s>(a: V, square: V, lost: V) -> (V, V) {
    /// From here on the factor does not change.
    const MOST: f32 = 10.5;
    /// `(exp(r) - 1 - r) / r^2`
    const TERMS: [f32; 6] =
        [0.5, 0.166_666_67, 0.041_666_35, 0.008_333_274, 0.001_394_117, 0.000_199_137_82];

    let (near, far) = piecewise(&ERFCX, a, MOST);
    let factor = near + far;
    // 1. -a^2 = n * ln(2) + r
    let n = (square * V::splat(-LOG2_E)).round_to::<0>();
    let r = n.neg_mul_sub(V::splat(LN_2_PARTS[0]), square);
    let r = n.neg_mul_sub(V::splat(LN_2_PARTS[1]), lost - r);
    // 2. exp(r) - 1
    let p = r.polynomial(&TERMS);
    let beyond = (r * r).mul_add(p, r);
    (near + factor.mul_add(beyond, far), n)
}
