//! Sine and cosine of what is not too large.

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
        let second = n * HALF_PI[1];
        let second_rest = n.mul_add(HALF_PI[1], -second);
        let angle = first - second;
        let taken = first - angle;
        let lost = (first - (angle + taken)) + (taken - second);
        let rest = n.mul_add(-HALF_PI[2], lost - second_rest);
        Quarters { n: shifted.to_bits(), angle, rest }
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
        // What is lost of the square counts as much as the rest of the angle.
        let square_rest = self.angle.mul_add(self.angle, -z);
        let rest = square_rest.mul_add(-0.5, -self.angle * self.rest);
        (sine, z.mul_add(cosine, rest))
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
