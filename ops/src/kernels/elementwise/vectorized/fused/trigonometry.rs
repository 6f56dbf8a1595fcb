//! Sine, cosine and tangent of what is not too large.

use std::f32::consts::FRAC_2_PI;

use super::super::single::SHIFT;
use super::horner;

/// Up to here, and as far below zero, the functions are right.
pub(in super::super) const MOST: f32 = 131_072.0;

/// Half of pi. Nothing is lost of an angle less the first part times so few quarters of a turn.
const HALF_PI: [f32; 3] = [1.570_796_4, -4.371_139e-8, -1.715_124_5e-15];

/// An angle as `n` quarters of a turn and `angle + rest`.
struct Quarters {
    /// The lowest bits of `n`.
    n: u32,
    angle: f32,
    rest: f32,
}

impl Quarters {
    #[inline(always)]
    fn of(x: f32) -> Quarters {
        let shifted = x.mul_add(FRAC_2_PI, SHIFT);
        let n = shifted - SHIFT;
        let first = n.mul_add(-HALF_PI[0], x);
        let angle = n.mul_add(-HALF_PI[1], first);
        let lost = n.mul_add(-HALF_PI[1], first - angle);
        Quarters { n: shifted.to_bits(), angle, rest: n.mul_add(-HALF_PI[2], lost) }
    }

    #[inline(always)]
    fn is_even(&self) -> bool {
        self.n & 1 == 0
    }

    /// `sin(angle + rest) - angle`, and `cos(angle + rest) - 1`.
    #[inline(always)]
    fn both_beyond(&self) -> (f32, f32) {
        let z = self.angle * self.angle;
        let sine = horner!(z, -0.166_666_55 0.008_332_155 -0.000_195_140_78);
        let cosine = horner!(z, -0.5 0.041_666_646 -0.001_388_733_7 0.000_024_434_874);
        let sine = (z * self.angle).mul_add(sine, self.rest);
        (sine, z.mul_add(cosine, -self.angle * self.rest))
    }
}

/// With another sign if the second bit is set.
#[inline(always)]
fn turned(y: f32, n: u32) -> f32 {
    f32::from_bits(y.to_bits() ^ ((n & 2) << 30))
}

/// The sine of what is at most [`MOST`].
#[inline(always)]
pub(in super::super) fn sin(x: f32) -> f32 {
    let quarters = Quarters::of(x);
    let (sine, cosine) = quarters.both_beyond();
    let is_even = quarters.is_even();
    let y = if is_even { quarters.angle } else { 1.0 } + if is_even { sine } else { cosine };
    let y = turned(y, quarters.n);
    if x == 0.0 { x } else { y }
}

/// The cosine of what is at most [`MOST`].
#[inline(always)]
pub(in super::super) fn cos(x: f32) -> f32 {
    let quarters = Quarters::of(x);
    let (sine, cosine) = quarters.both_beyond();
    let is_even = quarters.is_even();
    let y = if is_even { 1.0 } else { quarters.angle } + if is_even { cosine } else { sine };
    turned(y, quarters.n.wrapping_add(1))
}

/// The tangent of what is at most [`MOST`].
#[inline(always)]
pub(in super::super) fn tan(x: f32) -> f32 {
    let quarters = Quarters::of(x);
    let (sine_beyond, cosine_beyond) = quarters.both_beyond();
    let (sine, cosine) = (quarters.angle + sine_beyond, 1.0 + cosine_beyond);
    let sine_rest = sine_beyond - (sine - quarters.angle);
    let cosine_rest = cosine_beyond - (cosine - 1.0);
    let is_even = quarters.is_even();
    let (above, above_rest) = if is_even { (sine, sine_rest) } else { (cosine, cosine_rest) };
    let (below, below_rest) = if is_even { (cosine, cosine_rest) } else { (sine, sine_rest) };
    let inverse = below.recip();
    let y = above * inverse;
    let remainder = (-y).mul_add(below, above) + (-y).mul_add(below_rest, above_rest);
    let y = remainder.mul_add(inverse, y);
    let y = f32::from_bits(y.to_bits() ^ (quarters.n << 31));
    if x == 0.0 { x } else { y }
}
