//! `sinh`, `cosh` and `tanh`, and `asinh` of `f64`, by table lookup. Errors: 1 ULP.
//!
//! `sinh` and `cosh` are sums of an exponential and its inverse. Both come from tables of powers of two,
//! and what is left of the argument is so small that few terms of its own sine and cosine are enough.
//! `sinh` near zero and `tanh` of `f32` are piecewise polynomials.

use std::f32;
use std::f64::consts::LOG2_E;
use std::hint::cold_path;

use super::tables::{SINH, TANH};
use crate::blocks;
use crate::erf::lanes::odd_piecewise;
use crate::exp::LN_2;
use crate::exp::fma::LN_2_PARTS;
use crate::exp::lanes::{SIXTEENTHS, THIRTY_SECONDS};
use crate::exp::tables::{POWERS_F32, POWERS_F64, POWERS_REST_F32, POWERS_REST_F64};
use crate::log::lanes::natural_logarithm;
use crate::simd::lanes::{Bits, F32s, F64s, Mask};
use crate::single::SHIFT;

/// An eighth of the exponential of a number, and of its inverse, but for what is left of it.
struct SinhCoshF64<V: F64s> {
    power: V,
    inverse: V,
    /// Where they are in the tables.
    indices: [V::Bits; 2],
    /// What is left of the number, and what is lost of this.
    left: [V; 2],
}

impl<V: F64s> SinhCoshF64<V> {
    /// Of a number that is not negative.
    #[inline(always)]
    fn of(a: V) -> SinhCoshF64<V> {
        /// From here on the functions are infinite.
        const MOST: f64 = 711.0;

        let a = a.at_most(MOST);
        let shifted = a.mul_add(V::splat(LOG2_E), V::splat(SIXTEENTHS));
        let n = shifted - V::splat(SIXTEENTHS);
        let above = n.neg_mul_add(V::splat(LN_2[0]), a);
        let left = n.neg_mul_add(V::splat(LN_2[1]), above);
        let lost = above - left;
        let lost = n.neg_mul_add(V::splat(LN_2[1]), lost);
        let index = shifted.to_bits();
        let indices = [index, V::Bits::splat(0).wrapping_sub(index)];
        let power = V::lookup(&POWERS_F64, indices[0]);
        let inverse = V::lookup(&POWERS_F64, indices[1]);
        let n = shifted - V::splat(SIXTEENTHS + 3.0);
        let opposite = V::splat(SIXTEENTHS - 3.0) - shifted;
        SinhCoshF64 {
            power: power.scale(n),
            inverse: inverse.scale(opposite),
            indices,
            left: [left, lost],
        }
    }

    /// What the table lacks of the power, and of the inverse.
    #[inline(always)]
    fn rests(&self) -> [V; 2] {
        let [power, inverse] = self.indices;
        [V::lookup(&POWERS_REST_F64, power), V::lookup(&POWERS_REST_F64, inverse)]
    }

    /// The cosine of what is left, less one.
    #[inline(always)]
    fn cosine(z: V) -> V {
        const TERMS: [f64; 3] =
            [0.500_000_000_000_000_4, 0.041_666_666_660_562_846, 0.001_388_911_286_349_511];
        z * z.polynomial(&TERMS)
    }

    /// The sine of what is left, less this, but for what is lost of it.
    #[inline(always)]
    fn sine(&self, z: V) -> V {
        const TERMS: [f64; 3] =
            [0.166_666_666_666_666_7, 0.008_333_333_332_655_133, 0.000_198_415_187_016_124_18];
        let [left, lost] = self.left;
        (left * z).mul_add(z.polynomial(&TERMS), lost)
    }
}

/// The hyperbolic sine: `4 * (d * cosh(left) + s * sinh(left))`, where `d` and `s` are the difference
/// and the sum of power and inverse.
#[inline(always)]
pub(crate) fn sinh_f64<V: F64s>(x: V) -> V {
    /// Up to here it is the number, of which a quarter may be no normal one.
    const LEAST: f64 = 1e-30;

    let a = x.abs();
    let parts = SinhCoshF64::of(a);
    let SinhCoshF64 { power, inverse, left: [left, _], .. } = parts;
    let [power_rest, inverse_rest] = parts.rests();
    let z = left * left;
    let sum = power + inverse;
    let difference = power - inverse;
    let lost = power - difference - inverse;
    let lost = power.mul_add(power_rest, lost);
    let lost = inverse.neg_mul_add(inverse_rest, lost);
    let high = sum.mul_add(left, difference);
    let low = sum.mul_add(left, difference - high);
    let low = sum.mul_add(parts.sine(z), low);
    let low = low + difference.mul_add(SinhCoshF64::cosine(z), lost);
    let y = V::splat(4.0) * (high + low);
    let is_least = a.lt(V::splat(LEAST));
    let y = V::select(is_least, a, y);
    y.or_sign_of(x)
}

/// The hyperbolic cosine: `4 * (s * cosh(left) + d * sinh(left))`.
#[inline(always)]
pub(crate) fn cosh_f64<V: F64s>(x: V) -> V {
    let parts = SinhCoshF64::of(x.abs());
    let SinhCoshF64 { power, inverse, indices: [index, _], left: [left, _] } = parts;
    let rest = V::lookup(&POWERS_REST_F64, index);
    let z = left * left;
    let sum = power + inverse;
    let difference = power - inverse;
    let sine = left + parts.sine(z);
    let low = power.mul_add(rest, inverse);
    let low = sum.mul_add(SinhCoshF64::cosine(z), low);
    let low = difference.mul_add(sine, low);
    V::splat(4.0) * (power + low)
}

/// Piecewise where all are near zero; what is beyond is calculated as any number is.
#[inline(always)]
pub(crate) fn sinh_f32<V: F32s>(x: V) -> V {
    /// Up to here go the pieces.
    const MOST: f32 = 3.9;

    let a = x.abs();
    let y = near(a).or_sign_of(x);
    let is_far = a.not_le(V::splat(MOST));
    if is_far.any() { V::select(is_far, sinh_f32_any(x), y) } else { y }
}

#[inline(always)]
fn near<V: F32s>(a: V) -> V {
    // The first piece goes to 1/8: beside what is greater, what is lost of the others is little.
    let beyond = a - V::splat(0.0625);
    let shifted = beyond.mul_add(V::splat(8.0), V::splat(SHIFT));
    let indices = shifted.to_bits();
    let [centres, near, terms @ ..] = &SINH;
    let distance = a - V::lookup(centres, indices);
    let slope = distance.piecewise(terms, indices);
    let is_first = !indices.has(31);
    let near = V::select(is_first, a, V::lookup(near, indices));
    slope.mul_add(distance, near)
}

/// As [`SinhCoshF64`].
struct SinhCoshF32<V: F32s> {
    power: V,
    inverse: V,
    indices: [V::Bits; 2],
    left: V,
}

impl<V: F32s> SinhCoshF32<V> {
    /// Of a number that is not negative.
    #[inline(always)]
    fn of(a: V) -> SinhCoshF32<V> {
        /// From here on the functions are infinite.
        const MOST: f32 = 89.5;

        let a = a.at_most(MOST);
        let log2_e = V::splat(f32::consts::LOG2_E);
        let shifted = a.mul_add(log2_e, V::splat(THIRTY_SECONDS));
        let n = shifted - V::splat(THIRTY_SECONDS);
        let opposite = V::splat(THIRTY_SECONDS) - shifted;
        let left = n.neg_mul_add(V::splat(LN_2_PARTS[0]), a);
        let left = n.neg_mul_add(V::splat(LN_2_PARTS[1]), left);
        let index = shifted.to_bits();
        let indices = [index, V::Bits::splat(0).wrapping_sub(index)];
        let power = V::lookup(&EIGHTHS, indices[0]);
        let inverse = V::lookup(&EIGHTHS, indices[1]);
        SinhCoshF32 { power: power.scale(n), inverse: inverse.scale(opposite), indices, left }
    }
}

/// `(cosh(r) - 1) / r^2`, where `|r|` is at most `ln(2) / 64`.
const COSINE: f32 = 0.500_004_06;
/// `(sinh(r) - r) / r^3`, likewise.
const SINE: f32 = 0.166_667_48;

/// As [`sinh_f64`].
#[inline(always)]
fn sinh_f32_any<V: F32s>(x: V) -> V {
    /// As for `f64`.
    const LEAST: f32 = 1e-20;

    let a = x.abs();
    let SinhCoshF32 { power, inverse, indices, left } = SinhCoshF32::of(a);
    let power_rest = V::lookup(&POWERS_REST_F32, indices[0]);
    let inverse_rest = V::lookup(&POWERS_REST_F32, indices[1]);
    let z = left * left;
    let sum = power + inverse;
    let difference = power - inverse;
    let lost = power - difference - inverse;
    let lost = power.mul_add(power_rest, lost);
    let lost = inverse.neg_mul_add(inverse_rest, lost);
    let high = sum.mul_add(left, difference);
    let low = sum.mul_add(left, difference - high);
    let sine = left * z * V::splat(SINE);
    let low = sum.mul_add(sine, low + lost);
    let cosine = z * V::splat(COSINE);
    let low = difference.mul_add(cosine, low);
    let y = V::splat(4.0) * (high + low);
    let is_least = a.lt(V::splat(LEAST));
    let y = V::select(is_least, a, y);
    y.or_sign_of(x)
}

/// As [`cosh_f64`].
#[inline(always)]
pub(crate) fn cosh_f32<V: F32s>(x: V) -> V {
    let SinhCoshF32 { power, inverse, indices: [index, _], left } = SinhCoshF32::of(x.abs());
    let rest = V::lookup(&POWERS_REST_F32, index);
    let z = left * left;
    let sum = power + inverse;
    let difference = power - inverse;
    let sine = (left * z).mul_add(V::splat(SINE), left);
    let cosine = z * V::splat(COSINE);
    let low = power.mul_add(rest, inverse);
    let low = sum.mul_add(cosine, low);
    let low = difference.mul_add(sine, low);
    V::splat(4.0) * (power + low)
}

/// Eighths of powers of two.
static EIGHTHS: [f32; 32] = eighths(&POWERS_F32);

const fn eighths(numbers: &[f32; 32]) -> [f32; 32] {
    let mut eighths = *numbers;
    let mut index = 0;
    while index < eighths.len() {
        eighths[index] *= 0.125;
        index += 1;
    }
    eighths
}

#[inline(always)]
pub(crate) fn tanh_f32<V: F32s>(x: V) -> V {
    /// The last number before the piece that is one throughout.
    const MOST: f32 = 10.0_f32.next_down();

    odd_piecewise(&TANH, x, MOST)
}

/// A polynomial where the number is small, and the logarithm of it and of the root of its square and
/// one else.
#[inline(always)]
pub(crate) fn asinh_f64<V: F64s>(x: V) -> V {
    /// Up to here the polynomial is exact enough.
    const SMALL: f64 = 0.015_625;
    /// From here on one is nothing beside the square.
    const LARGE: f64 = 268_435_456.0;

    let a = x.abs();
    let y = V::select(a.lt(V::splat(SMALL)), small(a), by_logarithm(a)).or_sign_of(x);
    let is_large = a.not_le(V::splat(LARGE));
    if is_large.any() {
        cold_path();
        return V::select(is_large, x.by_block(blocks::one_by_one::asinh), y);
    }
    y
}

#[inline(always)]
fn small<V: F64s>(a: V) -> V {
    /// `(asinh(a) / a - 1) / a^2` (Remez' algorithm).
    const TERMS: [f64; 4] = [
        -0.166_666_666_666_666_66,
        0.074_999_999_999_778_05,
        -0.044_642_854_402_522_12,
        0.030_368_609_896_080_742,
    ];

    let z = a * a;
    (a * z).mul_add(z.polynomial(&TERMS), a)
}

#[inline(always)]
fn by_logarithm<V: F64s>(a: V) -> V {
    let one = V::splat(1.0);
    // 1. a^2 + 1, and what is lost of it
    let square = a * a;
    let square_lost = a.mul_sub(a, square);
    let above = square + one;
    let added = above - square;
    let lost = square - (above - added);
    let lost = lost + (one - added);
    // 2. Its root, and how much its square lacks
    let root = above.sqrt();
    let missing = root.neg_mul_add(root, above);
    let missing = missing + (lost + square_lost);
    // 3. The sum with a, and what it lacks, as a share of it
    let sum = root + a;
    let lost = a - (sum - root);
    let twice = root + root;
    let share = twice.mul_add(lost, missing);
    let share = share * (twice * sum).recip_approx();
    natural_logarithm(sum, share)
}
