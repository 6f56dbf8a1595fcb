//! `erf` and `gelu` of `f32` with FMA: minimax polynomials. Errors: 1 ULP.

use crate::exp::fma::{clamp, exp_in_range, exp_times};
use crate::precision::horner_f32;

/// The error function. From 1 on it is `1 - exp(p)`, and `p` a polynomial without a constant term.
#[inline(always)]
pub(crate) fn erf(x: f32) -> f32 {
    /// From here on it is one.
    const MOST: f32 = 4.0;

    let a = x.abs();
    let p = horner_f32!(
        a * a,
        0.128_379_17 -0.376_126_26 0.112_835_85 -0.026_853_807 0.005_188_318_3 -0.000_801_010_1
        0.000_078_535_29
    );
    let small = a.mul_add(p, a);
    let a = clamp(a, 0.0, MOST);
    let p = horner_f32!(
        a,
        -0.128_551_77 -0.635_625_1 -0.105_262_95 0.022_674_407 -0.002_930_327_9 0.000_049_649_865
        0.000_045_568_507 -0.000_004_937_149_8
    );
    let large = 1.0 - exp_in_range(p.mul_add(a, -a));
    let y = if x.abs() < 1.0 { small } else { large };
    (if x.is_nan() { x } else { y }).copysign(x)
}

/// `x / 2 * erfc(-x / sqrt(2))`, by `erfc` of what is not negative.
///
/// The polynomial is that of `exp(a^2 / 2) * erfc(a / sqrt(2)) / w` in `1 - 6 * w`, where
/// `w = 1 / (a + 3)`: a least-squares fit at Chebyshev's polar from 0 to 15.
#[inline(always)]
pub(crate) fn gelu(x: f32) -> f32 {
    /// From here on `erfc` is zero.
    const MOST: f32 = 16.0;

    let a = clamp(x.abs(), 0.0, MOST);
    let square = a * a;
    let lost = a.mul_add(a, -square);
    let w = 1.0 / (a + 3.0);
    let factor = horner_f32!(
        w.mul_add(-6.0, 1.0),
        1.458_167_4 -1.018_664_4 0.460_035_3 -0.094_515_85 -0.020_923_38 0.013_872_849 0.002_028_05
        -0.001_892_774 -0.000_399_717_28 0.000_107_828_13
    );
    let half = exp_times(-0.5 * square, 0.5 * a * w * factor * lost.mul_add(-0.5, 1.0));
    if x < 0.0 { -half } else { x - half }
}
