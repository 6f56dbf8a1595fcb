//! `asin`, `acos`, `atan` and `atan2` of `f64`: reduction to a known angle, and minimax polynomials (Remez,
//! Horner); roots and quotients as sums of two. Errors: 1 ULP.

pub(crate) mod fma;
pub(crate) mod lanes;
#[expect(clippy::approx_constant, reason = "some numbers of a table are known by name")]
#[rustfmt::skip]
pub(crate) mod tables;

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use crate::double_double::{rsqrt_approx, two_product};
use crate::precision::{Precision, mul_add};

/// Half of pi less what `f64` has of it.
const HALF_PI_REST: f64 = 6.123_233_995_736_766e-17;

/// The arc tangent of a quotient as that of a known one and of `top / bottom`.
struct Turned {
    top: f64,
    bottom: f64,
    /// The known angle.
    base: f64,
    /// What is lost of it.
    rest: f64,
}

impl Turned {
    /// That of `above / below`, both positive; `x` is to `one` almost as `above` is to `below`.
    #[inline(always)]
    fn of<P: Precision>(above: f64, below: f64, x: f64, one: f64) -> Turned {
        let (top, bottom, base, rest) = if x < 0.4375 * one {
            (above, below, 0.0, 0.0)
        } else if x < 0.6875 * one {
            (
                2.0 * above - below,
                2.0 * below + above,
                0.463_647_609_000_806_1,
                2.269_877_745_296_168_7e-17,
            )
        } else if x < 1.1875 * one {
            (above - below, above + below, FRAC_PI_4, 0.5 * HALF_PI_REST)
        } else if x < 2.4375 * one {
            (
                // Of which hardly anything is lost.
                (above - below) - 0.5 * below,
                mul_add::<P>(1.5, above, below),
                0.982_793_723_247_329,
                1.390_331_103_123_099_8e-17,
            )
        } else {
            (-below, above, FRAC_PI_2, HALF_PI_REST)
        };
        Turned { top, bottom, base, rest }
    }

    /// `top / bottom`, and what is lost of it.
    #[inline(always)]
    fn quotient<P: Precision>(&self) -> (f64, f64) {
        if !P::DOUBLE_DOUBLE {
            return (self.top / self.bottom, 0.0);
        }
        let inverse = self.bottom.recip();
        let t = self.top * inverse;
        let (back, back_rest) = two_product::<P>(t, self.bottom);
        (t, ((self.top - back) - back_rest) * inverse)
    }
}

/// The arc tangent.
#[inline(always)]
pub(crate) fn atan<P: Precision>(x: f64) -> f64 {
    let a = x.abs();
    let Turned { top, bottom, base, rest } = Turned::of::<P>(a, 1.0, a, 1.0);
    let t = top / bottom;
    let z = t * t;
    let y = base + (t + (rest + t * z * P::atan(z)));
    // Its square may be no normal number.
    let y = if a < 1e-8 { a } else { y };
    y.copysign(x)
}

/// `2^-600`
const LESS: f64 = f64::from_bits((1023 - 600) << 52);

/// The angle of the point `(x, y)`, with the special cases of C.
#[inline(always)]
pub(crate) fn atan2<P: Precision>(y: f64, x: f64) -> f64 {
    let (a, b) = (y.abs(), x.abs());
    let greater = if a > b { a } else { b };
    // So that sums of both neither overflow nor lose digits.
    let scale = if greater > 1e152 { LESS } else { 1.0 };
    let scale = if greater < 1e-152 { 1.0 / LESS } else { scale };
    let is_left = x.is_sign_negative();
    let angle = angle::<P>(a * scale, b * scale, is_left);
    // Quotients that may be no normal numbers.
    let quotient = a / b;
    let least = if is_left { PI } else { quotient };
    let angle = if quotient < 1e-280 { least } else { angle };
    // Zeros and infinities have no quotient.
    let angle = if a == f64::INFINITY { FRAC_PI_2 } else { angle };
    let middle = if is_left { 3.0 * FRAC_PI_4 } else { FRAC_PI_4 };
    let angle = if a == b { middle } else { angle };
    let angle = if a == 0.0 { if is_left { PI } else { 0.0 } } else { angle };
    let angle = if x.is_nan() || y.is_nan() { f64::NAN } else { angle };
    angle.copysign(y)
}

/// The angle of the point `(x, y)`, if both are [in range](crate::range).
#[inline(always)]
pub(crate) fn atan2_in_range<P: Precision>(y: f64, x: f64) -> f64 {
    angle::<P>(y.abs(), x.abs(), x < 0.0).copysign(y)
}

/// The angle of a point from the axis on the right, if it is `above` and `below` away from them.
#[inline(always)]
fn angle<P: Precision>(above: f64, below: f64, is_left: bool) -> f64 {
    let turned = Turned::of::<P>(above, below, above, below);
    let (t, lost) = turned.quotient::<P>();
    let z = t * t;
    // What is lost counts only where the known angle is zero, and t is small.
    let beyond = t + (turned.rest + mul_add::<P>(t * z, P::atan(z), lost));
    let high = PI - turned.base;
    let high_rest = (PI - high) - turned.base + 2.0 * HALF_PI_REST;
    let left = high + (high_rest - beyond);
    if is_left { left } else { turned.base + beyond }
}

/// What arc sine and arc cosine are made of: a number up to 1/2, what is lost of it, and how much
/// greater its arc sine is. It is `a`, or the root of `(1 - a) / 2` if that is less.
#[inline(always)]
fn up_to_half<P: Precision>(a: f64) -> (f64, f64, f64) {
    let is_large = a > 0.5;
    let z = if is_large { (1.0 - a) * 0.5 } else { a * a };
    let s = if is_large { z.sqrt() } else { a };
    let beyond = s * (z * P::asin(z));
    if !P::DOUBLE_DOUBLE {
        return (s, 0.0, beyond);
    }
    let head = f64::from_bits(s.to_bits() & 0xffff_ffff_0000_0000);
    let (back, back_rest) = two_product::<P>(s, s);
    let of_root = ((z - back) - back_rest) * (0.5 * rsqrt_approx(z));
    (head, (s - head) + if is_large { of_root } else { 0.0 }, beyond)
}

/// The arc sine.
#[inline(always)]
pub(crate) fn asin<P: Precision>(x: f64) -> f64 {
    let a = x.abs();
    let (head, rest, beyond) = up_to_half::<P>(a);
    let near = FRAC_PI_4 - 2.0 * head;
    let large = FRAC_PI_4 - ((2.0 * beyond - (HALF_PI_REST - 2.0 * rest)) - near);
    let y = if a > 0.5 { large } else { a + beyond };
    y.copysign(x)
}

/// The arc cosine.
#[inline(always)]
pub(crate) fn acos<P: Precision>(x: f64) -> f64 {
    let a = x.abs();
    let (head, rest, beyond) = up_to_half::<P>(a);
    let small = FRAC_PI_2 - (x - (HALF_PI_REST - beyond.copysign(x)));
    let positive = 2.0 * (head + (rest + beyond));
    let negative = PI - 2.0 * ((head + rest) + (beyond - HALF_PI_REST));
    let large = if x > 0.0 { positive } else { negative };
    if a > 0.5 { large } else { small }
}
