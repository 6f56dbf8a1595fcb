//! `zeta` of Hurwitz and `polygamma`: terms of the sum, and what is left by the formula of Euler and
//! Maclaurin (DLMF, 25.11.28). Errors: 1e-14 of the result, and of its greatest term where `q` is negative.

use super::digamma::digamma;
use super::tables::BERNOULLI;

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
    if s < 1.0 || s.is_nan() || q.is_nan() {
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
    if order < 0.0 || order != order.floor() {
        return f64::NAN;
    }
    let factorial = match order <= MAX_ORDER {
        true => (1..=order as u64).map(|it| it as f64).product(),
        false => f64::INFINITY,
    };
    let sign = if order % 2.0 == 1.0 { 1.0 } else { -1.0 };
    sign * factorial * zeta(order + 1.0, x)
}

#[cfg(test)]
mod tests {
    use super::{digamma, polygamma, zeta};

    #[test]
    fn has_the_known_values() {
        let pairs = [
            (digamma(1.0e-20), -1.0e20),
            (digamma(0.25), -4.227_453_533_376_265_5),
            (digamma(1.5), 0.036_489_973_978_576_52),
            (digamma(1.9), 0.356_184_161_164_059_65),
            (digamma(3.25), 1.016_990_911_068_179),
            (digamma(9.75), 2.225_109_535_044_576),
            (digamma(25.0), 3.198_742_512_851_974),
            (digamma(-0.5), 0.036_489_973_978_576_52),
            (digamma(-1.0e-20), 1.0e20),
            (digamma(-7.25), 5.189_977_214_956_288),
            (zeta(2.0, 1.0), 1.644_934_066_848_226_4),
            (zeta(1.001, 3.0), 999.077_634_929_516_4),
            (zeta(3.5, 0.01), 10_000_001.090_612_074),
            (zeta(40.0, 1.5), 9.043_772_695_905_904e-8),
            (zeta(5.0, -2.25), -1_020.061_662_954_273_4),
            (zeta(2.0, -1000.5), 9.868_605_400_173_442),
            (zeta(2.0, 1.0e200), 1.0e-200),
        ];
        for (found, expected) in pairs {
            let error = (found - expected).abs() / expected.abs();
            assert!(error < 1e-14, "{found:e} is not {expected:e}");
        }
    }

    #[test]
    fn has_derivatives_of_whole_orders() {
        let pairs = [
            (polygamma(1.0, 0.5), 4.934_802_200_544_679),
            (polygamma(1.0, -3.25), 19.474_085_068_082_154),
            (polygamma(2.0, 10.0), -0.011_049_834_970_802_067),
            (polygamma(9.0, 3.5), 1.439_995_681_884_887_6),
        ];
        for (found, expected) in pairs {
            assert!(((found - expected) / expected).abs() < 1e-13, "{found:e} is not {expected:e}");
        }
        for order in [-1.0, 1.5, f64::NAN] {
            assert!(polygamma(order, 1.0).is_nan());
        }
        assert_eq!(polygamma(0.0, 2.5), digamma(2.5));
        assert_eq!(polygamma(1.0, -3.0), f64::INFINITY);
        assert_eq!(polygamma(2.0, 0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn has_poles() {
        assert_eq!(digamma(0.0), f64::NEG_INFINITY);
        assert_eq!(digamma(-0.0), f64::INFINITY);
        assert!(digamma(-3.0).is_nan() && digamma(f64::NEG_INFINITY).is_nan());
        assert_eq!(zeta(2.0, -1.0), f64::INFINITY);
        assert!(zeta(2.5, -1.5).is_nan() && zeta(0.5, 2.0).is_nan());
        // What would take forever, term by term.
        assert!(zeta(3.0, -1e15 - 0.5).is_finite());
        assert_eq!(zeta(1e300, 2.0), 0.0);
    }
}
