//! `sin`, `cos` and `tan` of what is not too large: Cody–Waite reduction by quarters of a turn, minimax
//! polynomials. Errors: 1 ULP.

pub(crate) mod fma;
pub(crate) mod inverse;
pub(crate) mod lanes;
#[expect(clippy::approx_constant, reason = "some numbers of a table are known by name")]
#[rustfmt::skip]
pub(crate) mod tables;

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

use crate::double_double::{fast_two_sum, two_product};
use crate::exp::SHIFT;
use crate::precision::{Precision, mul_add};

/// Up to here, and as far below zero, the functions are right.
pub(crate) const MOST: f64 = 524_288.0;

/// Half of pi, the first two parts with 33 bits.
const HALF_PI: [f64; 4] = [
    1.570_796_326_734_125_6,
    6.077_100_506_303_966e-11,
    2.022_266_248_711_166_5e-21,
    8.478_427_660_368_9e-32,
];

/// An angle as `n` quarters of a turn and `angle + rest`.
struct Quarters {
    /// The lowest bits of `n`.
    n: u64,
    angle: f64,
    rest: f64,
}

impl Quarters {
    #[inline(always)]
    fn of<P: Precision>(x: f64) -> Quarters {
        let shifted = mul_add::<P>(x, FRAC_2_PI, SHIFT);
        let n = shifted - SHIFT;
        // Nothing is lost of these products, nor of the first difference.
        let first = mul_add::<P>(n, -HALF_PI[0], x);
        let second = n * HALF_PI[1];
        let near = first - second;
        if !P::DOUBLE_DOUBLE {
            return Quarters { n: shifted.to_bits(), angle: near, rest: 0.0 };
        }
        let taken = first - near;
        let lost = (first - (near + taken)) + (taken - second);
        let third = n * HALF_PI[2];
        let angle = near + (lost - third);
        let rest = (((near - angle) + lost) - third) - n * HALF_PI[3];
        Quarters { n: shifted.to_bits(), angle, rest }
    }

    #[inline(always)]
    fn is_even(&self) -> bool {
        self.n & 1 == 0
    }

    /// `sin(angle + rest) - angle`.
    #[inline(always)]
    fn sine_beyond<P: Precision>(&self) -> f64 {
        let z = self.angle * self.angle;
        let cube = z * self.angle;
        let rest = if P::DOUBLE_DOUBLE { self.rest - 0.5 * z * self.rest } else { 0.0 };
        mul_add::<P>(cube, P::sin(z), rest)
    }

    /// `1 - z / 2`, and `cos(angle + rest)` less this.
    #[inline(always)]
    fn cosine<P: Precision>(&self) -> (f64, f64) {
        let z = self.angle * self.angle;
        let half = 0.5 * z;
        let near = 1.0 - half;
        let lost =
            if P::DOUBLE_DOUBLE { (1.0 - near) - half - self.angle * self.rest } else { 0.0 };
        (near, mul_add::<P>(z * z, P::cos(z), lost))
    }

    /// Sine and cosine of `angle + rest`.
    #[inline(always)]
    fn both<P: Precision>(&self) -> (f64, f64) {
        let (near, beyond) = self.cosine::<P>();
        (self.angle + self.sine_beyond::<P>(), near + beyond)
    }
}

/// With another sign if the second bit is set.
#[inline(always)]
fn turned(y: f64, n: u64) -> f64 {
    f64::from_bits(y.to_bits() ^ ((n & 2) << 62))
}

/// The sine of what is at most [`MOST`].
#[inline(always)]
pub(crate) fn sin<P: Precision>(x: f64) -> f64 {
    let quarters = Quarters::of::<P>(x);
    let (sine, cosine) = quarters.both::<P>();
    let y = turned(if quarters.is_even() { sine } else { cosine }, quarters.n);
    if x == 0.0 { x } else { y }
}

/// The cosine of what is at most [`MOST`].
#[inline(always)]
pub(crate) fn cos<P: Precision>(x: f64) -> f64 {
    let quarters = Quarters::of::<P>(x);
    let (sine, cosine) = quarters.both::<P>();
    turned(if quarters.is_even() { cosine } else { sine }, quarters.n.wrapping_add(1))
}

/// Sine and cosine of a number of turns from 0 to 1.
#[inline(always)]
pub(crate) fn sin_cos_of_turns<P: Precision>(turns: f64) -> (f64, f64) {
    let shifted = 4.0 * turns + SHIFT;
    let angle = (4.0 * turns - (shifted - SHIFT)) * FRAC_PI_2;
    let quarters = Quarters { n: shifted.to_bits(), angle, rest: 0.0 };
    let (sine, cosine) = quarters.both::<P>();
    let (sine, cosine) = if quarters.is_even() { (sine, cosine) } else { (cosine, sine) };
    (turned(sine, quarters.n), turned(cosine, quarters.n.wrapping_add(1)))
}

/// The tangent of what is at most [`MOST`].
#[inline(always)]
pub(crate) fn tan<P: Precision>(x: f64) -> f64 {
    let quarters = Quarters::of::<P>(x);
    let is_even = quarters.is_even();
    if !P::DOUBLE_DOUBLE {
        let (sine, cosine) = quarters.both::<P>();
        let y = if is_even { sine } else { -cosine } / if is_even { cosine } else { sine };
        return if x == 0.0 { x } else { y };
    }
    let (sine, sine_rest) = fast_two_sum(quarters.angle, quarters.sine_beyond::<P>());
    let (near, beyond) = quarters.cosine::<P>();
    let (cosine, cosine_rest) = fast_two_sum(near, beyond);
    let above = if is_even { sine } else { -cosine };
    let above_rest = if is_even { sine_rest } else { -cosine_rest };
    let below = if is_even { cosine } else { sine };
    let below_rest = if is_even { cosine_rest } else { sine_rest };
    let inverse = below.recip();
    let y = above * inverse;
    let (back, back_rest) = two_product::<P>(y, below);
    let remainder = ((above - back) - back_rest) + (above_rest - y * below_rest);
    let y = mul_add::<P>(remainder, inverse, y);
    if x == 0.0 { x } else { y }
}
