//! `digamma`: a Chebyshev series about its root, recurrence on both sides of it, the asymptotic series
//! of Stirling from 10 on (Abramowitz and Stegun, 6.3.18), and reflection at the left. Errors: 3 ULP of
//! positive numbers, and 1e-15 between negative integers, where zeros are.

use std::f64::consts::PI;

use super::BERNOULLI;
use crate::chebyshev::series;

/// Where it is zero.
const ROOT: f64 = 1.461_632_144_968_362_2;
/// What is missing of that.
const ROOT_REST: f64 = 9.549_995_429_965_697e-17;
/// From where on Stirling's series has all digits.
const LARGE: f64 = 10.0;

/// `digamma(x) / (x - ROOT)` in `2 * x - 3`, where `x` is from 1 to 2.
const NEAR_ONE: [f64; 24] = [
    0.983_570_260_441_567, -0.227_064_086_334_644_4, 0.033_368_899_023_930_11,
    -0.005_320_077_271_596_548, 0.000_878_865_693_782_050_5, -0.000_147_734_926_506_060_44,
    2.506_054_346_835_914_6e-5, -4.272_103_402_999_332_4e-6, 7.302_769_272_465_923e-7,
    -1.250_288_681_355_959_4e-7, 2.142_500_932_235_947_2e-8, -3.673_295_918_565_179e-9,
    6.299_717_236_108_931e-10, -1.080_593_028_883_266e-10, 1.853_735_192_053_638e-11,
    -3.180_235_365_825_53e-12, 5.456_147_570_322_795e-13, -9.360_993_131_036_438e-14,
    1.606_064_636_295_075e-14, -2.755_543_137_743_881_5e-15, 4.727_736_178_601_912e-16,
    -8.111_484_203_465_09e-17, 1.391_707_769_474_154e-17, -2.387_790_108_218_862_5e-18,
];

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
