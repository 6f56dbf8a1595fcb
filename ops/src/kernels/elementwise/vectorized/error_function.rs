//! The error function and its complement.

use super::exponential::{Reduced, clamp};
use super::parts::{horner, product, sum, sum_to_greater};
use super::precision::Double;

/// From here on `erfc` is zero.
const MOST: f64 = 28.0;

/// `erf(x) / x - 1` in `x^2`, where `|x|` is at most 1.
const NEAR: [f64; 13] = [
    0.1283791670955126,
    -0.3761263890318375,
    0.11283791670954857,
    -0.026866170645072837,
    0.0052239776247802894,
    -0.000854832697870775,
    0.00012055331035597838,
    -1.4925593474578075e-5,
    1.6460972283012838e-6,
    -1.6350019403780765e-7,
    1.4657839698925545e-8,
    -1.1365507110858212e-9,
    5.944987123284047e-11,
];

/// [`scaled`] less its value for `u = 0`, over `u`.
const FAR: [f64; 22] = [
    -0.12066783607454441,
    -0.028294804466573537,
    0.10198698200415389,
    -0.10728411861801782,
    0.07635790529948819,
    -0.04053954209294644,
    0.01592052777441446,
    -0.004150791169883816,
    0.0003778200467501516,
    0.00020076187905615953,
    -8.345284742221255e-5,
    9.064862192555376e-7,
    7.472185931709152e-6,
    -1.183599700676788e-6,
    -6.124499108895818e-7,
    1.7541664782192806e-7,
    5.498893906370652e-8,
    -2.107862899026911e-8,
    -5.332741402521657e-9,
    2.186637952593993e-9,
    3.85048356934672e-10,
    -1.480905619143661e-10,
];

/// `(1 + 2 * x) * exp(x^2) * erfc(x)`, where `x` is not negative, as a sum of two.
///
/// The polynomial is in `(x - 3.75) / (x + 3.75)` (Shepherd and Laframboise, 1981), shifted so
/// that it goes from -1 to 1.
#[inline(always)]
fn scaled(x: f64) -> (f64, f64) {
    const LAST: f64 = (MOST - 3.75) / (MOST + 3.75);
    let t = (x - 3.75) / (x + 3.75);
    let u = (t - 0.5 * (LAST - 1.0)) * (2.0 / (LAST + 1.0));
    sum_to_greater(1.253_967_471_185_387_6, u * horner(u, FAR))
}

/// The complement for what is not negative.
#[inline(always)]
fn complement(x: f64) -> f64 {
    let x = clamp(x, 0.0, MOST);
    let (square, lost) = product(x, x);
    let power = Reduced::of(clamp(-square, -746.0, 0.0), -lost);
    let (factor, factor_rest) = scaled(x);
    let (exp, exp_rest) = power.exp_in_parts::<Double>();
    let (above, above_rest) = product(exp, factor);
    let above_rest = above_rest + (exp * factor_rest + exp_rest * factor);
    let (below, below_rest) = sum(1.0, 2.0 * x);
    let y = above / below;
    let (back, back_rest) = product(y, below);
    let remainder = ((above - back) - back_rest) + (above_rest - y * below_rest);
    power.scaled(y + remainder / below)
}

/// The error function.
#[inline(always)]
pub(crate) fn erf(x: f64) -> f64 {
    let a = x.abs();
    let small = a + a * horner(a * a, NEAR);
    let y = if a < 1.0 { small } else { 1.0 - complement(a) };
    let y = if x.is_nan() { x } else { y };
    y.copysign(x)
}

/// One less the error function.
#[inline(always)]
pub(crate) fn erfc(x: f64) -> f64 {
    let a = x.abs();
    let small = 0.5 - (x * horner(x * x, NEAR) + (x - 0.5));
    let complement = complement(a);
    let large = if x < 0.0 { 2.0 - complement } else { complement };
    let y = if a < 0.5 { small } else { large };
    if x.is_nan() { x } else { y }
}
