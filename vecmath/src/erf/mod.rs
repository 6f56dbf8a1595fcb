//! `erf`, `erfc`, `erfcx` and `gelu`: minimax polynomials, and a Chebyshev-like variable for `erfc`. Errors: 1 ULP, of `erfc` and `erfcx` 2.

pub(crate) mod fma;
pub(crate) mod lanes;
#[expect(clippy::approx_constant, reason = "some numbers of a table are known by name")]
#[rustfmt::skip]
pub(crate) mod tables;

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use crate::double_double::{fast_two_sum, two_product, two_sum};
use crate::exp::{ExpReduced, clamp};
use crate::precision::{Double, Precision, horner, mul_add};

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
    fast_two_sum(1.253_967_471_185_387_6, u * P::erfc(u))
}

/// `erfc` of what is not negative.
#[inline(always)]
fn erfc_tail<P: Precision>(x: f64) -> f64 {
    let x = clamp(x, 0.0, MOST);
    let (square, lost) = two_product::<P>(x, x);
    let power = ExpReduced::of::<P>(clamp(-square, -746.0, 0.0), -lost);
    let (factor, factor_rest) = scaled::<P>(x);
    if !P::DOUBLE_DOUBLE {
        return power.exp::<P>() * factor / (1.0 + 2.0 * x);
    }
    let (exp, exp_rest) = power.exp_double_double::<P>();
    let (above, above_rest) = two_product::<P>(exp, factor);
    let above_rest = above_rest + (exp * factor_rest + exp_rest * factor);
    let (below, below_rest) = two_sum(1.0, 2.0 * x);
    let y = above / below;
    let (back, back_rest) = two_product::<P>(y, below);
    let remainder = ((above - back) - back_rest) + (above_rest - y * below_rest);
    power.scaled(y + remainder / below)
}

/// `erfc` from one on, exact enough to be taken from one.
///
/// The polynomial is that of `exp(a^2) * erfc(a) / w` in `w = 1 / (1 + 2 * a)`, shifted so that it
/// goes from -1 to 1; its error counts as much as it changes the result (Remez' algorithm).
#[inline(always)]
fn erfc_far<P: Precision>(a: f64) -> f64 {
    /// From here on `erfc` is nothing beside one.
    const MOST: f64 = 6.0;

    let a = clamp(a, 1.0, MOST);
    let (square, lost) = two_product::<P>(a, a);
    let power = ExpReduced::of::<P>(-square, -lost).normal_exp::<P>();
    let w = 1.0 / (1.0 + 2.0 * a);
    let factor = horner!(
        P,
        7.8 * w - 1.6,
        1.278_408_331_933_109_7
        0.034_339_713_660_686_93
        -0.035_044_813_458_022_54
        0.004_572_386_770_338_757
        0.000_952_514_592_914_312_5
        -0.000_597_595_056_639_043_8
        0.000_122_732_469_178_659_03
        7.813_013_246_418_76e-6
        -1.501_903_201_314_815_3e-5
        5.647_013_834_244_802e-6
        -9.191_964_517_869_399e-7
        -2.106_705_482_205_215_7e-7
        2.111_771_930_044_195_5e-7
        -8.037_764_135_286_188e-8
        1.735_099_408_998_464_2e-8
        -1.722_758_940_284_589e-9
    );
    power * (w * factor)
}

/// The error function.
#[inline(always)]
pub(crate) fn erf<P: Precision>(x: f64) -> f64 {
    let a = x.abs();
    let small = mul_add::<P>(a, P::erf(a * a), a);
    let far = if P::DOUBLE_DOUBLE { erfc_far::<P>(a) } else { erfc_tail::<P>(a) };
    let y = if a < 1.0 { small } else { 1.0 - far };
    let y = if x.is_nan() { x } else { y };
    y.copysign(x)
}

/// One less the error function.
#[inline(always)]
pub(crate) fn erfc<P: Precision>(x: f64) -> f64 {
    let a = x.abs();
    let small = 0.5 - (x * P::erf(x * x) + (x - 0.5));
    let tail = erfc_tail::<P>(a);
    let large = if x < 0.0 { 2.0 - tail } else { tail };
    let y = if a < 0.5 { small } else { large };
    if x.is_nan() { x } else { y }
}

/// `exp(x^2) * erfc(x)`
///
/// From where `erfc` is zero on by the asymptotic series (DLMF, 7.12.1), of negative numbers by the
/// symmetry of `erfc`, and about zero from that itself.
pub fn erfcx(x: f64) -> f64 {
    type Exact = Double<false>;
    /// In front of powers of `1 / (2 * x^2)`.
    const TERMS: [f64; 6] = [1.0, -1.0, 3.0, -15.0, 105.0, -945.0];

    if x.abs() < 0.5 {
        return (x * x).exp() * erfc::<Exact>(x);
    }
    if x < 0.0 {
        let (square, lost) = two_product::<Exact>(x, x);
        let power = square.exp();
        // Of what is infinite nothing was lost.
        return if power.is_finite() { 2.0 * (power + power * lost) - erfcx(-x) } else { power };
    }
    if x < MOST {
        let (factor, rest) = scaled::<Exact>(x);
        return (factor + rest) / (1.0 + 2.0 * x);
    }
    let inverse = x.recip();
    let variable = 0.5 * inverse * inverse;
    TERMS.iter().rev().fold(0.0, |sum, it| sum * variable + it) * inverse / PI.sqrt()
}

/// `x / 2 * erfc(-x / sqrt(2))`: one more than the error function would say nothing of results
/// close to zero.
#[inline(always)]
pub(crate) fn gelu<P: Precision>(x: f64) -> f64 {
    /// From here on `erfc` is zero; what is infinite is zero times it.
    const MOST: f64 = 64.0;
    /// What is missing of the root of a half.
    const ROOT_REST: f64 = -4.833_646_656_726_457e-17;

    let a = x.abs();
    let a = if a > MOST { MOST } else { a };
    let (u, rest) = two_product::<P>(a, FRAC_1_SQRT_2);
    let rest = rest + a * ROOT_REST;
    let half = 0.5 * a * (erfc::<P>(u) * (1.0 - 2.0 * u * rest));
    if x < 0.0 { -half } else { x - half }
}
