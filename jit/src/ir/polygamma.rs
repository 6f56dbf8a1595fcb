//! The digamma function and its derivatives, which the derivatives of `gamma` and `lgamma` need.
//!
//! Recurrence up to where the asymptotic series holds (Abramowitz and Stegun, 6.3.18 and 6.4.11);
//! reflection at the left.

use std::f64::consts::PI;

/// From where on the series has all digits.
const LARGE: f64 = 16.0;

/// Bernoulli numbers B₂, B₄, ...
const BERNOULLI: [f64; 8] = [
    1.0 / 6.0,
    -1.0 / 30.0,
    1.0 / 42.0,
    -1.0 / 30.0,
    5.0 / 66.0,
    -691.0 / 2730.0,
    7.0 / 6.0,
    -3617.0 / 510.0,
];

/// How far at the left the recurrence goes for derivatives beyond the first.
const MAX_STEPS: f64 = 1e6;

/// The greatest whole number whose factorial is a number.
const MAX_ORDER: f64 = 170.0;

/// The derivative of `lgamma`.
pub(super) fn digamma(x: f64) -> f64 {
    if x == 0.0 {
        return f64::INFINITY.copysign(-x);
    }
    if x < 0.0 {
        if x == x.floor() {
            return f64::NAN;
        }
        let part = x - x.floor();
        return digamma(1.0 - x) - PI / (PI * part).tan();
    }
    let (mut sum, mut at) = (0.0, x);
    while at < LARGE {
        sum -= at.recip();
        at += 1.0;
    }
    let square = (at * at).recip();
    let (mut power, mut series) = (square, 0.0);
    for (number, twice) in BERNOULLI.iter().zip((2..).step_by(2)) {
        series += number / f64::from(twice) * power;
        power *= square;
    }
    sum + at.ln() - 0.5 / at - series
}

/// The derivative of `digamma` of a whole order from 1 to 170, beyond which its factor is no number;
/// of others it is NaN.
pub(super) fn polygamma(order: f64, x: f64) -> f64 {
    if !(1.0..=MAX_ORDER).contains(&order) || order != order.floor() {
        return f64::NAN;
    }
    if x <= 0.0 && x == x.floor() {
        return if order % 2.0 == 1.0 { f64::INFINITY } else { f64::NAN };
    }
    if x < 0.0 && order == 1.0 {
        let sine = (PI * (x - x.floor())).sin();
        return (PI / sine).powi(2) - polygamma(order, 1.0 - x);
    }
    if x < -MAX_STEPS {
        return f64::NAN;
    }
    let factorial = (1..=order as u64).map(|it| it as f64).product::<f64>();
    let sign = if order % 2.0 == 1.0 { 1.0 } else { -1.0 };
    sign * factorial * zeta(order + 1.0, x)
}

/// The zeta function of Hurwitz: the sum of (q + k)⁻ˢ, for whole s.
fn zeta(s: f64, q: f64) -> f64 {
    let power = |at: f64| at.powi(s as i32).recip();
    let (mut sum, mut at) = (0.0, q);
    while at < LARGE + s {
        sum += power(at);
        at += 1.0;
    }
    // What is left, by the formula of Euler and Maclaurin.
    sum += power(at) * at / (s - 1.0) + 0.5 * power(at);
    let mut term = power(at) / at * s / 2.0;
    for (number, twice) in BERNOULLI.iter().zip((2..).step_by(2).map(f64::from)) {
        sum += number * term;
        term *= (s + twice - 1.0) * (s + twice) / ((twice + 1.0) * (twice + 2.0)) / (at * at);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::{PI, digamma, polygamma};

    #[track_caller]
    fn check(found: f64, expected: f64) {
        let error = (found - expected).abs() / expected.abs().max(1.0);
        assert!(error < 1e-13, "{found} is not {expected}");
    }

    #[test]
    fn has_the_known_values() {
        let euler = 0.577_215_664_901_532_9;
        let apery = 1.202_056_903_159_594_2;
        check(digamma(1.0), -euler);
        check(digamma(0.5), -euler - 2.0 * 2.0_f64.ln());
        check(digamma(10.0), 2.251_752_589_066_721);
        check(polygamma(1.0, 1.0), PI * PI / 6.0);
        check(polygamma(1.0, 0.5), PI * PI / 2.0);
        check(polygamma(2.0, 1.0), -2.0 * apery);
        check(polygamma(3.0, 1.0), PI.powi(4) / 15.0);
        check(polygamma(2.0, 0.5), -14.0 * apery);
        assert_eq!(digamma(0.0), f64::NEG_INFINITY);
        assert!(digamma(-3.0).is_nan());
        for order in [0.0, 1.5, 171.0, f64::INFINITY, f64::NAN] {
            assert!(polygamma(order, 1.0).is_nan());
        }
    }

    #[test]
    fn recurs() {
        for x in [-7.3, -2.5, -0.1, 0.3, 1.7, 8.0, 100.5] {
            check(digamma(x + 1.0) - digamma(x), 1.0 / x);
            check(polygamma(1.0, x) - polygamma(1.0, x + 1.0), x.powi(-2));
            check(polygamma(2.0, x + 1.0) - polygamma(2.0, x), 2.0 * x.powi(-3));
        }
    }
}
