//! `exp`, `exp2` and `expm1`: Cody–Waite reduction and minimax polynomials (Remez, Horner). Errors: 1 ULP.

pub(crate) mod fma;
pub(crate) mod lanes;
#[expect(clippy::approx_constant, reason = "some numbers of a table are known by name")]
#[rustfmt::skip]
pub(crate) mod tables;

use std::f64::consts::{self, LOG2_E};

use crate::double_double::{fast_two_sum, high_half, two_product};
use crate::precision::{Precision, horner, mul_add};

/// Adding this leaves a small number rounded to an integer, in the lowest bits.
pub(crate) const SHIFT: f64 = 6_755_399_441_055_744.0;

/// The natural logarithm of two, the first part with 32 bits.
pub(crate) const LN_2: [f64; 2] = [0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10];

/// A number as `n * ln(2) + r + rest`, and `|r|` is at most half of `ln(2)`.
pub(crate) struct ExpReduced {
    /// `n + SHIFT`.
    shifted: f64,
    r: f64,
    rest: f64,
}

impl ExpReduced {
    /// That of `x + rest`, whose parts differ by so much that nothing is lost of the product.
    #[inline(always)]
    pub(crate) fn of<P: Precision>(x: f64, rest: f64) -> ExpReduced {
        let shifted = mul_add::<P>(x, LOG2_E, SHIFT);
        let n = shifted - SHIFT;
        let high = mul_add::<P>(n, -LN_2[0], x);
        let low = n * LN_2[1] - rest;
        let r = high - low;
        ExpReduced { shifted, r, rest: (high - r) - low }
    }

    /// `exp(r + rest) - 1 - r`.
    #[inline(always)]
    fn beyond<P: Precision>(&self) -> f64 {
        mul_add::<P>(self.r * self.r, P::exp(self.r), self.rest)
    }

    /// The same, where one is taken away from the exponential, and hardly more than this is left.
    #[inline(always)]
    fn exact_beyond<P: Precision>(&self) -> f64 {
        let (square, lost) = two_product::<P>(self.r, self.r);
        let low = mul_add::<P>(0.5, lost, self.rest);
        0.5 * square + mul_add::<P>(self.r * square, P::expm1(self.r), low)
    }

    /// The exponential.
    #[inline(always)]
    pub(crate) fn exp<P: Precision>(&self) -> f64 {
        self.scaled(self.power::<P>())
    }

    /// The same, if it is a normal number; any number of what is none.
    #[inline(always)]
    pub(crate) fn normal_exp<P: Precision>(&self) -> f64 {
        let y = self.power::<P>();
        // The lowest bits of `shifted` are those of n, and all others are shifted out.
        f64::from_bits(y.to_bits().wrapping_add(self.shifted.to_bits() << 52))
    }

    /// `exp(r + rest)`.
    #[inline(always)]
    fn power<P: Precision>(&self) -> f64 {
        if P::FMA || !P::DOUBLE_DOUBLE {
            return 1.0 + (self.r + self.beyond::<P>());
        }
        // Where products are rounded the sum of the smaller parts must not be, too.
        let (high, low) = self.exp_double_double::<P>();
        high + low
    }

    /// The exponential as a sum of two, neither of them [`scaled`](ExpReduced::scaled).
    #[inline(always)]
    pub(crate) fn exp_double_double<P: Precision>(&self) -> (f64, f64) {
        let (high, low) = fast_two_sum(1.0, self.r);
        (high, low + self.beyond::<P>())
    }

    /// Times `2^n`, in two steps because `2^n` alone may not be representable.
    #[inline(always)]
    pub(crate) fn scaled(&self, y: f64) -> f64 {
        /// So much, that there are no negative numbers.
        const BIAS: u64 = 4096;
        let n = self.n().wrapping_add(BIAS);
        let half = n >> 1;
        y * power_of_two(half.wrapping_sub(BIAS / 2))
            * power_of_two((n - half).wrapping_sub(BIAS / 2))
    }

    /// `2^(n - 2)`, which is a normal number for every `n` whose power may be one.
    #[inline(always)]
    pub(crate) fn quarter(&self) -> f64 {
        power_of_two(self.n().wrapping_sub(2))
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
pub(crate) fn clamp(x: f64, least: f64, most: f64) -> f64 {
    let x = if x < least { least } else { x };
    if x > most { most } else { x }
}

/// `e` to the power `x`.
#[inline(always)]
pub(crate) fn exp<P: Precision>(x: f64) -> f64 {
    // Beyond these ends the result is 0 or infinite.
    ExpReduced::of::<P>(clamp(x, -746.0, 710.0), 0.0).exp::<P>()
}

/// The same, of what is [in range](crate::range).
#[inline(always)]
pub(crate) fn exp_in_range<P: Precision>(x: f64) -> f64 {
    ExpReduced::of::<P>(x, 0.0).normal_exp::<P>()
}

/// Two to the power `x`.
#[inline(always)]
pub(crate) fn exp2<P: Precision>(x: f64) -> f64 {
    binary::<P>(clamp(x, -1076.0, 1025.0)).exp::<P>()
}

/// The same, of what is [in range](crate::range).
#[inline(always)]
pub(crate) fn exp2_in_range<P: Precision>(x: f64) -> f64 {
    binary::<P>(x).normal_exp::<P>()
}

/// Two to the power `x`, if that is a normal number, with a relative error of 2^-29.
#[inline(always)]
pub(crate) fn exp2_approx<P: Precision>(x: f64) -> f64 {
    let shifted = x + SHIFT;
    let t = x - (shifted - SHIFT);
    let y = horner!(
        P,
        t,
        1.000_000_000_554_109_9
        0.693_147_205_734_886_8
        0.240_226_468_901_155_22
        0.055_503_287_816_624_156
        0.009_618_489_060_964_234
        0.001_339_992_981_862_938_3
        0.000_153_457_797_712_969_5
    );
    f64::from_bits(y.to_bits().wrapping_add(shifted.to_bits() << 52))
}

/// That of `x * ln(2)`.
#[inline(always)]
fn binary<P: Precision>(x: f64) -> ExpReduced {
    /// What `ln(2)` is more than the nearest number.
    const REST: f64 = 2.319_046_813_846_299_6e-17;

    let shifted = x + SHIFT;
    let t = x - (shifted - SHIFT);
    if P::FMA {
        let r = t * consts::LN_2;
        let rest = t.mul_add(REST, t.mul_add(consts::LN_2, -r));
        return ExpReduced { shifted, r, rest };
    }
    let head = high_half(t);
    let high = head * LN_2[0];
    let low = t * LN_2[1] + (t - head) * LN_2[0];
    let r = high + low;
    ExpReduced { shifted, r, rest: (high - r) + low }
}

/// `exp(x) - 1`.
#[inline(always)]
pub(crate) fn expm1<P: Precision>(x: f64) -> f64 {
    let reduced = ExpReduced::of::<P>(clamp(x, -50.0, 710.0), 0.0);
    less_one::<P>(x, &reduced, |y| reduced.scaled(y))
}

/// The same, of what is [in range](crate::range).
#[inline(always)]
pub(crate) fn expm1_in_range<P: Precision>(x: f64) -> f64 {
    let reduced = ExpReduced::of::<P>(x, 0.0);
    less_one::<P>(x, &reduced, |y| y * power_of_two(reduced.shifted.to_bits()))
}

/// One less the exponential; `scaled` multiplies by `2^n`.
#[inline(always)]
fn less_one<P: Precision>(x: f64, reduced: &ExpReduced, scaled: impl Fn(f64) -> f64) -> f64 {
    let beyond = reduced.exact_beyond::<P>();
    let n = reduced.shifted - SHIFT;
    // 2^n * (1 + r + beyond) - 1 = 2^n * ((1 - 2^-n) + r + beyond)
    let inverse = power_of_two(reduced.n().wrapping_neg());
    let inverse = if n > 60.0 { 0.0 } else { inverse };
    let less = 1.0 - inverse;
    let less_rest = (1.0 - less) - inverse;
    let (sum, lost) = fast_two_sum(less, reduced.r);
    let result = scaled(sum + (lost + (less_rest + beyond)));
    let result = if n == 0.0 { x + beyond } else { result };
    if x == 0.0 { x } else { result }
}
