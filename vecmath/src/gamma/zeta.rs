//! `zeta` of Hurwitz and `polygamma`: terms of the sum, and what is left by the formula of Euler and
//! Maclaurin (DLMF, 25.11.28). Errors: 1e-14 of the result, and of its greatest term where `q` is negative.

use super::digamma::digamma;
use super::BERNOULLI;

/// What is less than this part of a sum does not change it.
const NOTHING: f64 = 1e-17;

/// The greatest whole number whose factorial is a number.
const MAX_ORDER: f64 = 170.0;

/// The sum of `(q + k)^-s` for all whole `k` from zero on: infinite if `s` is 1 or `q` a whole number
/// that is not positive, and NaN if `s` is below 1, or no whole number while `q` is negative.
pub fn zeta(s: f64, q: f64) -> f64 {
    if s == 1.0 {
        return f64::INFINITY;
    }
    if !(s > 1.0) || q.is_nan() {
        return f64::NAN;
    }
    if q > 0.0 {
        return of_positive(s, q);
    }
    if q == q.floor() {
        return f64::INFINITY;
    }
    if s != s.floor() {
        return f64::NAN;
    }
    // Terms of negative numbers are those of positive ones up to their sign.
    let (size, sign) = (-q, if s % 2.0 == 0.0 { 1.0 } else { -1.0 });
    let least = size - size.floor();
    let below = of_positive(s, least) - of_positive(s, size + 1.0);
    sign * below + of_positive(s, 1.0 - least)
}

fn of_positive(s: f64, q: f64) -> f64 {
    if q == f64::INFINITY {
        return 0.0;
    }
    let (mut sum, mut at) = (0.0, q);
    while at < 10.0 + s {
        let term = at.powf(-s);
        sum += term;
        if term <= sum * NOTHING {
            return sum;
        }
        at += 1.0;
    }
    let power = at.powf(-s);
    sum += at.powf(1.0 - s) / (s - 1.0) + 0.5 * power;
    let mut term = power / at * s / 2.0;
    for (number, twice) in BERNOULLI.iter().zip((2..).step_by(2).map(f64::from)) {
        sum += number * term;
        term *= (s + twice - 1.0) * (s + twice) / ((twice + 1.0) * (twice + 2.0)) / (at * at);
    }
    sum
}

/// The derivative of `digamma` of a whole order, which is `digamma` itself if that is zero, and NaN
/// if it is no order.
pub fn polygamma(order: f64, x: f64) -> f64 {
    if order == 0.0 {
        return digamma(x);
    }
    if !(order > 0.0) || order != order.floor() {
        return f64::NAN;
    }
    let factorial = match order <= MAX_ORDER {
        true => (1..=order as u64).map(|it| it as f64).product(),
        false => f64::INFINITY,
    };
    let sign = if order % 2.0 == 1.0 { 1.0 } else { -1.0 };
    sign * factorial * zeta(order + 1.0, x)
}
