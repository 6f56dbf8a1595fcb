//! `sin`, `cos` and `tan` of `f32` with FMA: Cody–Waite reduction by quarters of a turn, minimax
//! polynomials. Errors: 1 ULP.

use std::f32::consts::{FRAC_2_PI, FRAC_PI_2};

use crate::precision::horner_f32;
use crate::single::SHIFT;

/// Up to here, and as far below zero, the functions are right.
pub(crate) const MOST: f32 = 131_072.0;

/// Half of pi, each part less than what is left. Nothing is lost of an angle less the first one times
/// so few quarters of a turn.
pub(crate) const HALF_PI: [f32; 3] = [FRAC_PI_2.next_down(), 7.549_789_4e-8, 5.390_302_5e-15];

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
        let angle = first - n * HALF_PI[1];
        let rest = -n.mul_add(HALF_PI[1], angle - first);
        let rest = n.mul_add(-HALF_PI[2], rest);
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
        let sine = horner_f32!(z, -0.166_666_55 0.008_332_155 -0.000_195_140_78);
        let cosine = horner_f32!(z, -0.5 0.041_666_646 -0.001_388_733_7 0.000_024_434_874);
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
pub(crate) fn sin(x: f32) -> f32 {
    let quarters = Quarters::of(x);
    let (sine, cosine) = quarters.both_beyond();
    let is_even = quarters.is_even();
    let y = if is_even { quarters.angle } else { 1.0 } + if is_even { sine } else { cosine };
    let y = turned(y, quarters.n);
    if x == 0.0 { x } else { y }
}

/// The cosine of what is at most [`MOST`].
#[inline(always)]
pub(crate) fn cos(x: f32) -> f32 {
    let quarters = Quarters::of(x);
    let (sine, cosine) = quarters.both_beyond();
    let is_even = quarters.is_even();
    let y = if is_even { 1.0 } else { quarters.angle } + if is_even { cosine } else { sine };
    turned(y, quarters.n.wrapping_add(1))
}

/// The tangent of what is at most [`MOST`].
#[inline(always)]
pub(crate) fn tan(x: f32) -> f32 {
    let quarters = Quarters::of(x);
    let Quarters { angle, rest, .. } = quarters;
    // Where this difference matters most, it has more digits than the square.
    let z = angle.mul_add(angle, -0.5);
    let share = horner_f32!(
        z, 0.208_460_24 0.521_727_8 0.262_840_3 0.133_510_77 0.067_863_464 0.034_136_396
        0.015_527_027 0.004_465_819_3
    );
    // The slope is nearly `1 + 3.5 * share`.
    let rest = share.mul_add(3.5 * rest, rest);
    let beyond = angle.mul_add(share, rest);
    let y = angle + beyond;
    // A quarter of a turn more, it is the inverse with another sign.
    let inverse = -1.0 / y;
    let left = beyond.mul_add(inverse, angle.mul_add(inverse, 1.0));
    if quarters.is_even() { y } else { inverse.mul_add(left, inverse) }
}
