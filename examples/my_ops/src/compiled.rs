//! Overloads for functions of Python that `opwright.jit` compiles: functions of numbers, and casts.

use opwright::runtime::{Result, ensure};
use opwright::{cast, overload};

use crate::interval::Interval;

/// The mean of two numbers.
#[overload]
fn mean_of(a: f64, b: f64) -> f64 {
    f64::midpoint(a, b)
}

/// The same of whole numbers, under the same name, rounded toward zero.
#[overload(mean_of)]
fn mean_of_integers(a: i64, b: i64) -> i64 {
    i64::midpoint(a, b)
}

/// The whole number below a number, and the rest.
#[overload]
fn split(x: f64) -> (i64, f64) {
    (x.floor() as i64, x - x.floor())
}

/// How often a number is halved until it is below one.
#[overload]
fn halvings(x: f64) -> Result<i64> {
    ensure!(x.is_finite(), Value, "{x} stays what it is");
    Ok(if x < 1.0 { 0 } else { x.log2().floor() as i64 + 1 })
}

/// The number that stands for an interval.
#[cast]
fn middle(of: &Interval) -> f64 {
    f64::midpoint(of.lo, of.hi)
}

/// Whether an interval has a number: its truth.
#[cast]
fn has_numbers(of: Interval) -> bool {
    of.lo <= of.hi
}

/// The interval of one number.
#[cast]
fn just(x: f64) -> Result<Interval> {
    ensure!(!x.is_nan(), Value, "no interval is around {x}");
    Ok(Interval { lo: x, hi: x })
}
