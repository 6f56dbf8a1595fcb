//! Exponentials.

use std::f64::consts::LOG2_E;

use super::parts::{sum_to_greater, upper};
use super::precision::Precision;

/// Adding this leaves a small number rounded to an integer, in the lowest bits.
pub(super) const SHIFT: f64 = 6_755_399_441_055_744.0;

/// The natural logarithm of two, the first part with 32 bits.
pub(super) const LN_2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];

/// A number as `n * ln(2) + r + rest`, and `|r|` is at most half of `ln(2)`.
pub(super) struct Reduced {
    /// `n + SHIFT`.
    shifted: f64,
    r: f64,
    rest: f64,
}

impl Reduced {
    /// That of `x + rest`, whose parts differ by so much that nothing is lost of the product.
    #[inline(always)]
    pub(super) fn of(x: f64, rest: f64) -> Reduced {
        let shifted = x * LOG2_E + SHIFT;
        let n = shifted - SHIFT;
        let high = x - n * LN_2[0];
        let low = n * LN_2[1] - rest;
        let r = high - low;
        Reduced { shifted, r, rest: (high - r) - low }
    }

    /// `exp(r + rest) - 1 - r`.
    #[inline(always)]
    fn beyond<P: Precision>(&self) -> f64 {
        self.r * self.r * P::exp(self.r) + self.rest
    }

    /// The exponential.
    #[inline(always)]
    pub(super) fn exp<P: Precision>(&self) -> f64 {
        self.scaled(1.0 + (self.r + self.beyond::<P>()))
    }

    /// The exponential as a sum of two, neither of them [`scaled`](Reduced::scaled).
    #[inline(always)]
    pub(super) fn exp_in_parts<P: Precision>(&self) -> (f64, f64) {
        let (high, low) = sum_to_greater(1.0, self.r);
        (high, low + self.beyond::<P>())
    }

    /// Times `2^n`, in two steps because `2^n` alone may not be representable.
    #[inline(always)]
    pub(super) fn scaled(&self, y: f64) -> f64 {
        /// So much, that there are no negative numbers.
        const BIAS: u64 = 4096;
        let n = self.n().wrapping_add(BIAS);
        let half = n >> 1;
        y * power_of_two(half.wrapping_sub(BIAS / 2))
            * power_of_two((n - half).wrapping_sub(BIAS / 2))
    }

    #[inline(always)]
    fn n(&self) -> u64 {
        self.shifted.to_bits().wrapping_sub(SHIFT.to_bits())
    }
}

/// `2^n`.
#[inline(always)]
fn power_of_two(n: u64) -> f64 {
    f64::from_bits(n.wrapping_add(1023) << 52)
}

/// NaN stays.
#[inline(always)]
pub(super) fn clamp(x: f64, least: f64, most: f64) -> f64 {
    let x = if x < least { least } else { x };
    if x > most { most } else { x }
}

/// `e` to the power `x`.
#[inline(always)]
pub(super) fn exp<P: Precision>(x: f64) -> f64 {
    // Beyond these ends the result is 0 or infinite.
    Reduced::of(clamp(x, -746.0, 710.0), 0.0).exp::<P>()
}

/// Two to the power `x`.
#[inline(always)]
pub(super) fn exp2<P: Precision>(x: f64) -> f64 {
    let x = clamp(x, -1076.0, 1025.0);
    let shifted = x + SHIFT;
    let t = x - (shifted - SHIFT);
    let head = upper(t);
    let high = head * LN_2[0];
    let low = t * LN_2[1] + (t - head) * LN_2[0];
    let r = high + low;
    Reduced { shifted, r, rest: (high - r) + low }.exp::<P>()
}

/// `exp(x) - 1`.
#[inline(always)]
pub(super) fn expm1<P: Precision>(x: f64) -> f64 {
    let reduced = Reduced::of(clamp(x, -50.0, 710.0), 0.0);
    let beyond = reduced.beyond::<P>();
    let n = reduced.shifted - SHIFT;
    // 2^n * (1 + r + beyond) - 1 = 2^n * ((1 - 2^-n) + r + beyond)
    let inverse = power_of_two(reduced.n().wrapping_neg());
    let inverse = if n > 60.0 { 0.0 } else { inverse };
    let (sum, lost) = sum_to_greater(1.0 - inverse, reduced.r);
    let result = reduced.scaled(sum + (lost + beyond));
    let result = if n == 0.0 { x + beyond } else { result };
    if x == 0.0 { x } else { result }
}
