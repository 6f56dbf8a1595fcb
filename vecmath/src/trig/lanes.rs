//! `sin`, `cos` and `tan` of what is not too large, by lanes. Errors: 1 ULP.
//!
//! Of `f64` by table lookup: Cody–Waite reduction to `n` sixteenths of pi and `r`, of which minimax
//! polynomials have few terms; functions of the sixteenths stand in tables. `tan` of `f32` as in
//! [`fma`](super::fma), but for the inverse.

use std::f32::consts::FRAC_2_PI;

use super::fma::HALF_PI;
use super::tables::{COSINES, DENOMINATORS, NUMERATORS, SINES, SINES_REST};
use crate::exp::SHIFT;
use crate::simd::lanes::{Bits, F32s, F64s};
use crate::single;

/// An angle as `n` sixteenths of pi and `r + rest`.
struct Sixteenths<V: F64s> {
    /// `n` in the lowest bits.
    indices: V::Bits,
    r: V,
    rest: V,
}

/// The indices are those of `n` and `shift - SHIFT`.
#[inline(always)]
fn sixteenths<V: F64s>(x: V, shift: f64) -> Sixteenths<V> {
    /// A sixteenth of pi; products of the second part, which has 27 bits, are exact.
    const PARTS: [f64; 3] =
        [0.196_349_540_849_362_07, 7.654_042_518_464_57e-18, -2.379_361_202_524_158_3e-26];
    const PER_PI: f64 = 5.092_958_178_940_651;

    let shift = V::splat(shift);
    let shifted = x.mul_add(V::splat(PER_PI), shift);
    let n = shifted - shift;
    // Neither the first difference is rounded, nor what the second lacks.
    let [first, second, third] = V::splats(&PARTS);
    let near = n.neg_mul_add(first, x);
    let r = n.neg_mul_add(second, near);
    let rest = n.neg_mul_add(second, near - r);
    Sixteenths { indices: shifted.to_bits(), r, rest: n.neg_mul_add(third, rest) }
}

/// A sine, with another sign if the fifth bit of the indices is set.
struct Sine<V: F64s> {
    /// It is almost this, and has the sign of it.
    near: V,
    y: V,
    indices: V::Bits,
}

/// The sine of `x` and `shift - SHIFT` sixteenths of pi.
#[inline(always)]
fn sine<V: F64s>(x: V, shift: f64) -> Sine<V> {
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

    let Sixteenths { indices, r, rest } = sixteenths(x, shift);
    let (sine, cosine) = (V::lookup(&SINES, indices), V::lookup(&COSINES, indices));
    let near = cosine.mul_add(r, sine);
    let lost = cosine.mul_sub(r, near - sine);
    let lost = cosine.mul_add(rest, lost + V::lookup(&SINES_REST, indices));
    let z = r * r;
    let even = sine * z.polynomial(&EVEN);
    let curve = (cosine * r).mul_add(z.polynomial(&ODD), even);
    Sine { near, y: near + z.mul_add(curve, lost), indices }
}

#[inline(always)]
pub(crate) fn sin_f64<V: F64s>(x: V) -> V {
    let Sine { near, y, indices } = sine(x, SHIFT);
    // Only the first part knows which zero it is.
    let sign = indices.shl(59) ^ near.to_bits();
    let is_sign = V::Bits::splat(1 << 63);
    V::from_bits((sign & is_sign) | y.abs().to_bits())
}

#[inline(always)]
pub(crate) fn cos_f64<V: F64s>(x: V) -> V {
    let Sine { y, indices, .. } = sine(x, SHIFT + 8.0);
    y.xor_sign_of(V::from_bits(indices.shl(59)))
}

#[inline(always)]
pub(crate) fn tan_f64<V: F64s>(x: V) -> V {
    /// `(tan(r) / r - 1) / r^2`
    const TERMS: [f64; 5] = [
        0.333_333_333_333_340_8,
        0.133_333_333_322_361_16,
        0.053_968_259_203_508_84,
        0.021_868_398_903_282_83,
        0.008_966_060_364_538_786,
    ];

    let Sixteenths { indices, r, rest } = sixteenths(x, SHIFT);
    let (above, below) = (V::lookup(&NUMERATORS, indices), V::lookup(&DENOMINATORS, indices));
    // 1. tan(r) = r + beyond
    let z = r * r;
    let beyond = (z * r).mul_add(z.polynomial(&TERMS), rest);
    // 2. above + below * tan(r), and below - above * tan(r)
    let sine = below.mul_add(r, above);
    let sine_rest = below.mul_sub(r, sine - above);
    let sine_rest = below.mul_add(beyond, sine_rest);
    let cosine = above.neg_mul_add(r, below);
    let cosine_rest = above.neg_mul_add(r, below - cosine);
    let cosine_rest = above.neg_mul_add(beyond, cosine_rest);
    // 3. Their quotient.
    let divisor = cosine + cosine_rest;
    let inverse = V::splat(1.0) / divisor;
    let is_other = x.ne(V::splat(0.0));
    let y = V::select(is_other, sine + sine_rest, sine) * inverse;
    let left = y.neg_mul_add(cosine, sine);
    let left = left + y.neg_mul_add(cosine_rest, sine_rest);
    V::select(is_other, left.mul_add(inverse, y), y)
}

/// As where there are no such registers, but for the inverse.
#[inline(always)]
pub(crate) fn tan_f32<V: F32s>(x: V) -> V {
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
    let [first, second, third] = V::splats(&HALF_PI);
    let shifted = x.mul_add(V::splat(FRAC_2_PI), V::splat(single::SHIFT));
    let n = shifted - V::splat(single::SHIFT);
    let near = n.neg_mul_add(first, x);
    let angle = near - n * second;
    let rest = n.neg_mul_sub(second, angle - near);
    let rest = n.neg_mul_add(third, rest);
    // 2. tan(angle + rest) = angle + beyond
    let z = angle.mul_add(angle, V::splat(-0.5));
    let share = z.polynomial(&TERMS);
    let slope = V::splat(3.5) * rest;
    let beyond = angle.mul_add(share, share.mul_add(slope, rest));
    let y = angle + beyond;
    // 3. A quarter of a turn more, it is the inverse with another sign.
    let is_odd = shifted.to_bits().has(1);
    let inverse = V::select(is_odd, y.recip_approx(), y);
    let left = angle.neg_mul_add(inverse, V::splat(1.0));
    let left = beyond.neg_mul_add(inverse, left);
    V::select(is_odd, inverse.neg_mul_sub(left, inverse), inverse)
}
