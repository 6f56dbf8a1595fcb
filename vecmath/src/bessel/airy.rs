//! `airy_ai`: a Chebyshev series of the function itself from -3 to 2, and of its amplitude on both sides
//! (DLMF, 9.7.5 and 9.7.9). Errors: 1e-16 in the middle; at the sides a
//! ULP for each unit of `2 / 3 * |x|^(3/2)`, which is rounded.

use std::f64::consts::{FRAC_PI_4, PI};

use super::tables::{AIRY_LEFT_COSINE, AIRY_LEFT_SINE, AIRY_NEAR, AIRY_RIGHT};
use crate::chebyshev::series;

/// `2 / 3 * x^(3/2)` where `x` is 2, from where on the function falls.
const ZETA_RIGHT: f64 = 1.885_618_083_164_126_7;
/// The same where it is 3: below its opposite the function swings.
const ZETA_LEFT: f64 = 3.464_101_615_137_754_4;

/// Airy's function `Ai`. As PyTorch has it, it is NaN where the argument is infinite.
pub fn airy_ai(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let size = x.abs();
    let zeta = 2.0 / 3.0 * size * size.sqrt();
    let root = size.sqrt().sqrt();
    if x > 2.0 {
        let amplitude = series(2.0 * ZETA_RIGHT / zeta - 1.0, &AIRY_RIGHT);
        return amplitude * (-zeta).exp() / (2.0 * PI.sqrt() * root);
    }
    if x >= -3.0 {
        return series(0.4 * x + 0.2, &AIRY_NEAR);
    }
    let ratio = ZETA_LEFT / zeta;
    let variable = 2.0 * ratio * ratio - 1.0;
    let (sine, cosine) = (zeta - FRAC_PI_4).sin_cos();
    let sum = cosine * series(variable, &AIRY_LEFT_COSINE)
        + sine * series(variable, &AIRY_LEFT_SINE) / zeta;
    sum / (PI.sqrt() * root)
}
