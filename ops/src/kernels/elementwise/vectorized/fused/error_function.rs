//! The error function.

use super::exponential::{clamp, usual_exp};
use super::horner;

/// The error function. From 1 on it is `1 - exp(p)`, and `p` a polynomial without a constant term.
#[inline(always)]
pub(in super::super) fn erf(x: f32) -> f32 {
    /// From here on it is one.
    const MOST: f32 = 4.0;

    let a = x.abs();
    let p = horner!(
        a * a,
        0.128_379_17 -0.376_126_26 0.112_835_85 -0.026_853_807 0.005_188_318_3 -0.000_801_010_1
        0.000_078_535_29
    );
    let small = a.mul_add(p, a);
    let a = clamp(a, 0.0, MOST);
    let p = horner!(
        a,
        -0.128_551_77 -0.635_625_1 -0.105_262_95 0.022_674_407 -0.002_930_327_9 0.000_049_649_865
        0.000_045_568_507 -0.000_004_937_149_8
    );
    let large = 1.0 - usual_exp(p.mul_add(a, -a));
    let y = if x.abs() < 1.0 { small } else { large };
    (if x.is_nan() { x } else { y }).copysign(x)
}
