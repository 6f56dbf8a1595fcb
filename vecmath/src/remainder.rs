//! `fmod` by an exact product of quotient and divisor, where the quotient is not too large.

use crate::double_double::two_product;
use crate::precision::Precision;
use crate::round::Round;

/// Whether [`rest`] is right: `a` divided by `b` is exact enough to tell its whole part, or one
/// more, and nothing on the way is lost.
#[inline(always)]
pub(super) fn quotient_is_exact(a: f64, b: f64) -> bool {
    let is_in_range = (a.abs() < 1e300) & (b.abs() < 1e300) & (b.abs() > 1e-280);
    is_in_range & ((a / b).abs() < 4_503_599_627_370_496.0)
}

/// What is left of `a` after a whole number of `b`; it has the sign of `a`.
#[inline(always)]
pub(super) fn rest<P: Precision>(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    let whole = if P::FMA { quotient.trunc() } else { quotient.towards_zero() };
    let (taken, lost) = two_product::<P>(whole, b);
    let rest = (a - taken) - lost;
    // A quotient just below a whole number is rounded to it.
    let is_beyond = rest != 0.0 && (rest < 0.0) != (a < 0.0);
    let rest = if is_beyond { rest + b.abs().copysign(a) } else { rest };
    rest.copysign(a)
}
