//! `asin`, `atan` and `atan2` of `f32` with FMA: minimax polynomials (Remez, Horner), a Newton–Raphson step
//! for roots and quotients. Errors: 1 ULP.

use std::f32::consts::{FRAC_PI_2, PI};

use crate::precision::horner_f32;

/// What [`FRAC_PI_2`] lacks.
const HALF_PI_REST: f32 = -4.371_139e-8;

/// `(atan(t) - t) / t^3`, where `z` is `t^2`, and `t` from 0 to 1.
#[inline(always)]
fn atan_factor(z: f32) -> f32 {
    horner_f32!(
        z,
        -0.333_333_02 0.199_986_38 -0.142_652_45 0.109_575_72 -0.084_194_46 0.058_234_32
        -0.031_455_47 0.011_064_315 -0.001_827_184_7
    )
}

/// The arc tangent.
#[inline(always)]
pub(crate) fn atan(x: f32) -> f32 {
    let a = x.abs();
    let is_large = a > 1.0;
    let t = if is_large { a.recip() } else { a };
    let z = t * t;
    let beyond = t * z * atan_factor(z);
    // What is lost of the inverse; of infinity, nothing is.
    let lost = (-t).mul_add(if a < f32::INFINITY { a } else { 0.0 }, 1.0) * t;
    let near = FRAC_PI_2 - t;
    let rest = lost.mul_add((-0.5 * t).mul_add(t, 1.0), beyond) - HALF_PI_REST;
    let large = near + (((FRAC_PI_2 - near) - t) - rest);
    (if is_large { large } else { t + beyond }).copysign(x)
}

/// The angle of the point `(x, y)`, if both are [in range](crate::range).
#[inline(always)]
pub(crate) fn atan2_in_range(y: f32, x: f32) -> f32 {
    let (a, b) = (x.abs(), y.abs());
    let (t, lost) = quotient((if a > b { b } else { a }, 0.0), (if a > b { a } else { b }, 0.0));
    angle(y, x, t, lost)
}

/// The angle of the point `(x, y)`, with the special cases of C.
#[inline(always)]
pub(crate) fn atan2(y: f32, x: f32) -> f32 {
    /// `2^70`
    const MORE: f32 = f32::from_bits((127 + 70) << 23);

    let (a, b) = (x.abs(), y.abs());
    let (lesser, greater) = if a > b { (b, a) } else { (a, b) };
    // So that the greater one has an inverse.
    let scale = if greater > MORE { MORE.recip() } else { 1.0 };
    let scale = if greater < MORE.recip() { MORE } else { scale };
    let (t, lost) = quotient((lesser * scale, 0.0), (greater * scale, 0.0));
    // Zeros and infinities have no quotient.
    let has_none = greater == 0.0 || greater == f32::INFINITY;
    let is_one = lesser == f32::INFINITY;
    let t = if has_none { 0.0 } else { t };
    let t = if is_one { 1.0 } else { t };
    let lost = if has_none { 0.0 } else { lost };
    let result = angle(y, x, t, lost);
    if x.is_nan() || y.is_nan() { f32::NAN } else { result }
}

/// A quotient of sums of two as such a sum.
#[inline(always)]
pub(crate) fn quotient(above: (f32, f32), below: (f32, f32)) -> (f32, f32) {
    let inverse = below.0.recip();
    let t = above.0 * inverse;
    let missing = (-t).mul_add(below.0, above.0) + (-t).mul_add(below.1, above.1);
    (t, missing * inverse)
}

/// The angle of the point `(x, y)`, where `t + lost` is the quotient of the lesser and the greater
/// one.
#[inline(always)]
fn angle(y: f32, x: f32, t: f32, lost: f32) -> f32 {
    let is_steep = y.abs() > x.abs();
    let is_left = x.is_sign_negative();
    // atan'(t) = 1 / (1 + t^2), of which 1 - t^2 / 2 is enough.
    let slope = (-0.5 * t).mul_add(t, 1.0);
    // What is lost of the product counts beside what is lost of the rest.
    let z = t * t;
    let p = atan_factor(z);
    let product = z * p;
    let product_rest = z.mul_add(p, -product);
    let beyond = t.mul_add(product, t.mul_add(product_rest, lost * slope));
    let (base, rest) = if is_left { (PI, 2.0 * HALF_PI_REST) } else { (0.0, 0.0) };
    let (base, rest) = if is_steep { (FRAC_PI_2, HALF_PI_REST) } else { (base, rest) };
    let is_less = is_steep != is_left;
    let (t, beyond) = if is_less { (-t, -beyond) } else { (t, beyond) };
    let sum = base + t;
    let result = sum + (((base - sum) + t) + (beyond + rest));
    result.copysign(y)
}

/// One over the square root of a positive number, but for 4 %, as that of [`parts`](super::parts).
#[inline(always)]
fn rsqrt_approx(a: f32) -> f32 {
    f32::from_bits(0x5f37_59df_u32.wrapping_sub(a.to_bits() >> 1))
}

/// What the arc sine is made of: a number up to 1/2, and how much greater its arc sine
/// is. The number is `a`, or the root of `(1 - a) / 2` if that is less.
#[inline(always)]
fn up_to_half(a: f32) -> (f32, f32) {
    let is_large = a > 0.5;
    let z = if is_large { 0.5 - 0.5 * a } else { a * a };
    let root = z.sqrt();
    let missing = (-root).mul_add(root, z) * (0.5 * rsqrt_approx(z));
    let s = if is_large { root } else { a };
    let p = horner_f32!(z, 0.166_667_54 0.074_952_33 0.045_478_34 0.024_141_01 0.042_230_52);
    (s, (s * z).mul_add(p, if is_large { missing } else { 0.0 }))
}

/// The arc sine.
#[inline(always)]
pub(crate) fn asin(x: f32) -> f32 {
    let a = x.abs();
    let (s, beyond) = up_to_half(a);
    let near = FRAC_PI_2 - 2.0 * s;
    let lost = (FRAC_PI_2 - near) - 2.0 * s;
    let large = near + (lost - 2.0f32.mul_add(beyond, -HALF_PI_REST));
    (if a > 0.5 { large } else { s + beyond }).copysign(x)
}
