//! `pow`, by a logarithm in double-double arithmetic, and `hypot`. Errors: 1 ULP.

pub(crate) mod lanes;
#[rustfmt::skip]
pub(crate) mod tables;

use crate::double_double::two_product;
use crate::exp::{self, ExpReduced, clamp};
use crate::log::{self, log_double_double, log_double_double_in_range};
use crate::precision::{Precision, mul_add};

/// From here on every number is whole, and from twice as much on even.
const WHOLE: f64 = 4_503_599_627_370_496.0;

#[inline(always)]
fn is_whole(y: f64) -> bool {
    let a = y.abs();
    a >= WHOLE || (a + WHOLE) - WHOLE == a
}

/// `x` to the power `y`, if `x` is [in range](crate::range) and `y` finite.
#[inline(always)]
pub(crate) fn pow_in_range<P: Precision>(x: f64, y: f64) -> f64 {
    if P::DOUBLE_DOUBLE {
        by_parts::<P>(log_double_double_in_range::<P>(x), y)
    } else {
        by_binary_logarithm::<P>(x, y)
    }
}

/// `a` to the power `y`, if neither is zero or infinite and `a` is positive.
#[inline(always)]
fn positive_pow<P: Precision>(a: f64, y: f64) -> f64 {
    if P::DOUBLE_DOUBLE {
        by_parts::<P>(log_double_double::<P>(a), y)
    } else {
        by_binary_logarithm::<P>(a, y)
    }
}

/// The exponential of `y` times a logarithm that is a sum of two.
#[inline(always)]
fn by_parts<P: Precision>((ln, rest): (f64, f64), y: f64) -> f64 {
    let exponent = clamp(y, -1e300, 1e300);
    let (high, low) = two_product::<P>(exponent, ln);
    let low = if high.abs() > 1000.0 { 0.0 } else { mul_add::<P>(exponent, rest, low) };
    ExpReduced::of::<P>(clamp(high, -746.0, 710.0), low).exp::<P>()
}

/// Two to the power of `y` times the binary logarithm, for `f32`.
#[inline(always)]
fn by_binary_logarithm<P: Precision>(a: f64, y: f64) -> f64 {
    let exponent = y * log::log2_approx::<P>(a);
    // Beyond these ends every `f32` is 0 or infinite, and no `f64` is.
    exp::exp2_approx::<P>(clamp(exponent, -200.0, 200.0))
}

/// `x` to the power `y`, with the special cases of C.
#[inline(always)]
pub(crate) fn pow<P: Precision>(x: f64, y: f64) -> f64 {
    // 1. |x|^y, if neither is zero or infinite.
    let a = x.abs();
    let power = positive_pow::<P>(a, y);
    // 2. What is infinite, or a power of zero.
    let limit = |is_large: bool| if is_large { f64::INFINITY } else { 0.0 };
    let is_positive = y > 0.0;
    let power = if a == 0.0 { limit(!is_positive) } else { power };
    let power = if a == f64::INFINITY { limit(is_positive) } else { power };
    let of_one = if a == 1.0 { 1.0 } else { limit((a > 1.0) == is_positive) };
    let has_no_end = y.abs() == f64::INFINITY;
    let power = if has_no_end { of_one } else { power };
    // 3. Powers of negative numbers.
    let is_whole_power = is_whole(y);
    let is_odd = is_whole_power && y.abs() < 2.0 * WHOLE && !is_whole(0.5 * y);
    let is_finite = x < 0.0 && a != f64::INFINITY && !has_no_end;
    let power = if is_finite && !is_whole_power { f64::NAN } else { power };
    let power = if x.is_sign_negative() && is_odd { -power } else { power };
    // 4. NaN, unless it does not matter.
    let power = if x.is_nan() || y.is_nan() { f64::NAN } else { power };
    if y == 0.0 || x == 1.0 { 1.0 } else { power }
}

/// The distance of the point `(x, y)` from zero, with the special cases of C.
#[inline(always)]
pub(crate) fn hypot<P: Precision>(x: f64, y: f64) -> f64 {
    /// `2^600`
    const MORE: f64 = f64::from_bits((1023 + 600) << 52);

    let (a, b) = (x.abs(), y.abs());
    let (greater, lesser) = if a > b { (a, b) } else { (b, a) };
    // So that squares neither overflow nor lose digits; no `f32` has such.
    let (scale, back) = if greater > 1e150 { (MORE.recip(), MORE) } else { (1.0, 1.0) };
    let (scale, back) = if greater < 1e-150 { (MORE, MORE.recip()) } else { (scale, back) };
    let (greater, lesser) = (greater * scale, lesser * scale);
    let length = mul_add::<P>(greater, greater, lesser * lesser).sqrt() * back;
    let is_infinite = a == f64::INFINITY || b == f64::INFINITY;
    if is_infinite { f64::INFINITY } else { length }
}
