//! `digamma`: a Chebyshev series about its root, recurrence on both sides of it, the asymptotic series
//! of Stirling from 10 on (Abramowitz and Stegun, 6.3.18), and reflection at the left. Errors: 3 ULP of
//! positive numbers, and 1e-15 between negative integers, where zeros are.

use std::f64::consts::PI;

use super::tables::{BERNOULLI, NEAR_ONE};
use crate::chebyshev::series;

/// Where it is zero.
const ROOT: f64 = 1.461_632_144_968_362_2;
/// What is missing of that.
const ROOT_REST: f64 = 9.549_995_429_965_697e-17;
/// From where on Stirling's series has all digits.
const LARGE: f64 = 10.0;

/// The derivative of the logarithm of the gamma function.
pub fn digamma(x: f64) -> f64 {
    if x == 0.0 {
        return f64::INFINITY.copysign(-x);
    }
    if x > 0.0 {
        return of_positive(x);
    }
    let beside = x - x.round_ties_even();
    if beside == 0.0 { f64::NAN } else { of_positive(1.0 - x) - PI / (PI * beside).tan() }
}

/// What is no number stays none.
fn of_positive(x: f64) -> f64 {
    if x < 1.0 {
        return near_root(x + 1.0) - x.recip();
    }
    if x < LARGE {
        let (mut at, mut sum) = (x, 0.0);
        while at > 2.0 {
            at -= 1.0;
            sum += at.recip();
        }
        return sum + near_root(at);
    }
    let square = (x * x).recip();
    let (mut power, mut rest) = (square, 0.0);
    for (number, twice) in BERNOULLI.iter().zip((2..).step_by(2)) {
        rest += number / f64::from(twice) * power;
        power *= square;
    }
    x.ln() - 0.5 / x - rest
}

/// Of a number from 1 to 2.
fn near_root(x: f64) -> f64 {
    (x - ROOT - ROOT_REST) * series(2.0 * x - 3.0, &NEAR_ONE)
}
