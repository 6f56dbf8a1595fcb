//! Arc functions.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use super::parts::{nearly_inverse_root, product};
use super::precision::Precision;

/// Half of pi less what `f64` has of it.
const HALF_PI_REST: f64 = 6.123_233_995_736_766e-17;

/// The arc tangent of `above / below`, both positive; `x` is their quotient.
#[inline(always)]
fn of_quotient<P: Precision>(above: f64, below: f64, x: f64) -> f64 {
    // An angle near that of x, what is lost of it, and the tangent of the difference.
    let (top, bottom, base, rest) = if x < 0.4375 {
        (above, below, 0.0, 0.0)
    } else if x < 0.6875 {
        (
            2.0 * above - below,
            2.0 * below + above,
            0.463_647_609_000_806_1,
            2.269_877_745_296_168_7e-17,
        )
    } else if x < 1.1875 {
        (above - below, above + below, FRAC_PI_4, 0.5 * HALF_PI_REST)
    } else if x < 2.4375 {
        (
            above - 1.5 * below,
            below + 1.5 * above,
            0.982_793_723_247_329,
            1.390_331_103_123_099_8e-17,
        )
    } else {
        (-below, above, FRAC_PI_2, HALF_PI_REST)
    };
    let t = top / bottom;
    let z = t * t;
    base + (t + (rest + t * z * P::atan(z)))
}

/// The arc tangent.
#[inline(always)]
pub(super) fn atan<P: Precision>(x: f64) -> f64 {
    let a = x.abs();
    let y = of_quotient::<P>(a, 1.0, a);
    // Its square may be no normal number.
    let y = if a < 1e-8 { a } else { y };
    y.copysign(x)
}

/// `2^-600`
const LESS: f64 = f64::from_bits((1023 - 600) << 52);

/// The angle of the point `(x, y)`, with the special cases of C.
#[inline(always)]
pub(super) fn atan2<P: Precision>(y: f64, x: f64) -> f64 {
    let (a, b) = (y.abs(), x.abs());
    let greater = if a > b { a } else { b };
    // So that sums of both neither overflow nor lose digits.
    let scale = if greater > 1e152 { LESS } else { 1.0 };
    let scale = if greater < 1e-152 { 1.0 / LESS } else { scale };
    let quotient = a / b;
    let angle = of_quotient::<P>(a * scale, b * scale, quotient);
    let angle = if quotient < 1e-8 { quotient } else { angle };
    // Zeros and infinities have no quotient.
    let angle = if a == b { FRAC_PI_4 } else { angle };
    let angle = if a == 0.0 { 0.0 } else { angle };
    let angle = if x.is_sign_negative() { PI - (angle - 2.0 * HALF_PI_REST) } else { angle };
    let angle = if x.is_nan() || y.is_nan() { f64::NAN } else { angle };
    angle.copysign(y)
}

/// The angle of the point `(x, y)`, if both are [ordinates](super::usual).
#[inline(always)]
pub(super) fn usual_atan2<P: Precision>(y: f64, x: f64) -> f64 {
    let (a, b) = (y.abs(), x.abs());
    let quotient = a / b;
    let angle = of_quotient::<P>(a, b, quotient);
    let angle = if quotient < 1e-8 { quotient } else { angle };
    let angle = if a == b { FRAC_PI_4 } else { angle };
    let angle = if x < 0.0 { PI - (angle - 2.0 * HALF_PI_REST) } else { angle };
    angle.copysign(y)
}

/// What arc sine and arc cosine are made of: a number up to 1/2, what is lost of it, and how much
/// greater its arc sine is. It is `a`, or the root of `(1 - a) / 2` if that is less.
#[inline(always)]
fn up_to_half<P: Precision>(a: f64) -> (f64, f64, f64) {
    let is_large = a > 0.5;
    let z = if is_large { (1.0 - a) * 0.5 } else { a * a };
    let s = if is_large { z.sqrt() } else { a };
    let beyond = s * (z * P::asin(z));
    if !P::COUNTS_REST {
        return (s, 0.0, beyond);
    }
    let head = f64::from_bits(s.to_bits() & 0xffff_ffff_0000_0000);
    let (back, back_rest) = product::<P>(s, s);
    let of_root = ((z - back) - back_rest) * (0.5 * nearly_inverse_root(z));
    (head, (s - head) + if is_large { of_root } else { 0.0 }, beyond)
}

/// The arc sine.
#[inline(always)]
pub(super) fn asin<P: Precision>(x: f64) -> f64 {
    let a = x.abs();
    let (head, rest, beyond) = up_to_half::<P>(a);
    let near = FRAC_PI_4 - 2.0 * head;
    let large = FRAC_PI_4 - ((2.0 * beyond - (HALF_PI_REST - 2.0 * rest)) - near);
    let y = if a > 0.5 { large } else { a + beyond };
    y.copysign(x)
}

/// The arc cosine.
#[inline(always)]
pub(super) fn acos<P: Precision>(x: f64) -> f64 {
    let a = x.abs();
    let (head, rest, beyond) = up_to_half::<P>(a);
    let small = FRAC_PI_2 - (x - (HALF_PI_REST - beyond.copysign(x)));
    let positive = 2.0 * (head + (rest + beyond));
    let negative = PI - 2.0 * ((head + rest) + (beyond - HALF_PI_REST));
    let large = if x > 0.0 { positive } else { negative };
    if a > 0.5 { large } else { small }
}
