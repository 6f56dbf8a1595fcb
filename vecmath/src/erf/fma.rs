//! `gelu` of `f32` with FMA, by a polynomial of scaled `erfc`. Errors: 8 ULP from -1 to 1.

use crate::exp::fma::{clamp, exp_times};
use crate::precision::horner_f32;

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
