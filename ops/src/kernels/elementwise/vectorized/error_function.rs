//! The error function and its complement.

use super::exponential::{Reduced, clamp};
use super::parts::{product, sum, sum_to_greater};
use super::precision::Precision;

/// From here on `erfc` is zero.
const MOST: f64 = 28.0;

/// `(1 + 2 * x) * exp(x^2) * erfc(x)`, where `x` is not negative, as a sum of two.
///
/// The polynomial is in `(x - 3.75) / (x + 3.75)` (Shepherd and Laframboise, 1981), shifted so
/// that it goes from -1 to 1.
#[inline(always)]
fn scaled<P: Precision>(x: f64) -> (f64, f64) {
    const LAST: f64 = (MOST - 3.75) / (MOST + 3.75);
    let t = (x - 3.75) / (x + 3.75);
    let u = (t - 0.5 * (LAST - 1.0)) * (2.0 / (LAST + 1.0));
    sum_to_greater(1.253_967_471_185_387_6, u * P::erfc(u))
}

/// The complement for what is not negative.
#[inline(always)]
fn complement<P: Precision>(x: f64) -> f64 {
    let x = clamp(x, 0.0, MOST);
    let (square, lost) = product::<P>(x, x);
    let power = Reduced::of::<P>(clamp(-square, -746.0, 0.0), -lost);
    let (factor, factor_rest) = scaled::<P>(x);
    if !P::COUNTS_REST {
        return power.exp::<P>() * factor / (1.0 + 2.0 * x);
    }
    let (exp, exp_rest) = power.exp_in_parts::<P>();
    let (above, above_rest) = product::<P>(exp, factor);
    let above_rest = above_rest + (exp * factor_rest + exp_rest * factor);
    let (below, below_rest) = sum(1.0, 2.0 * x);
    let y = above / below;
    let (back, back_rest) = product::<P>(y, below);
    let remainder = ((above - back) - back_rest) + (above_rest - y * below_rest);
    power.scaled(y + remainder / below)
}

/// The error function.
#[inline(always)]
pub(super) fn erf<P: Precision>(x: f64) -> f64 {
    let a = x.abs();
    let small = a + a * P::erf(a * a);
    let y = if a < 1.0 { small } else { 1.0 - complement::<P>(a) };
    let y = if x.is_nan() { x } else { y };
    y.copysign(x)
}

/// One less the error function.
#[inline(always)]
pub(super) fn erfc<P: Precision>(x: f64) -> f64 {
    let a = x.abs();
    let small = 0.5 - (x * P::erf(x * x) + (x - 0.5));
    let complement = complement::<P>(a);
    let large = if x < 0.0 { 2.0 - complement } else { complement };
    let y = if a < 0.5 { small } else { large };
    if x.is_nan() { x } else { y }
}
