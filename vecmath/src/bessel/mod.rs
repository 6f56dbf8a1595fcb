//! Bessel functions of the orders zero and one: those of the first and the second kind of `libm`,
//! modified ones by Chebyshev series of what is left without their exponential and root (Clenshaw,
//! 1962), Airy's in a file of its own. Errors: 3 ULP, but near zeros, where they are 1e-16 of the
//! amplitude, and near zero those of the logarithm in `k0`.
//!
//! What is infinite has no function of the first or second kind here, as PyTorch has it.

mod airy;
mod tables;

pub use self::airy::airy_ai;

use self::tables::{I0_FAR, I0_NEAR, I1_FAR, I1_NEAR, K0_FAR, K0_NEAR, K1_FAR, K1_NEAR};
use crate::chebyshev::series;

/// Up to here modified functions of the first kind have series in the argument, then in its inverse.
const FIRST_NEAR: f64 = 8.0;
/// The same of those of the second kind.
const SECOND_NEAR: f64 = 2.0;
/// Exponentials of greater numbers may be infinite.
const MOST: f64 = 700.0;

macro_rules! oscillating {
    ($($(#[$about:meta])* $name:ident;)*) => {$(
        $(#[$about])*
        pub fn $name(x: f64) -> f64 {
            if x.is_infinite() { f64::NAN } else { libm::$name(x) }
        }
    )*};
}

oscillating! {
    /// The function of the first kind of order zero.
    j0;
    /// That of order one.
    j1;
    /// The function of the second kind of order zero: NaN of negative numbers.
    y0;
    /// That of order one, likewise.
    y1;
}

/// `exp(x) * scaled` of a positive number, which may be finite where the exponential is not.
fn grown(x: f64, scaled: f64) -> f64 {
    if x < MOST {
        return x.exp() * scaled;
    }
    let half = (0.5 * x).exp();
    half * scaled * half
}

/// The modified function of the first kind of order zero. It is NaN of infinity, as PyTorch has it.
pub fn i0(x: f64) -> f64 {
    grown(x.abs(), i0e(x))
}

/// The same times `exp(-|x|)`.
pub fn i0e(x: f64) -> f64 {
    let size = x.abs();
    match size <= FIRST_NEAR {
        true => series(size / 4.0 - 1.0, &I0_NEAR),
        false => series(16.0 / size - 1.0, &I0_FAR) / size.sqrt(),
    }
}

/// The modified function of the first kind of order one. It is NaN of infinity, as PyTorch has it.
pub fn i1(x: f64) -> f64 {
    grown(x.abs(), i1e(x))
}

/// The same times `exp(-|x|)`.
pub fn i1e(x: f64) -> f64 {
    let size = x.abs();
    match size <= FIRST_NEAR {
        true => x * series(size / 4.0 - 1.0, &I1_NEAR),
        false => (series(16.0 / size - 1.0, &I1_FAR) / size.sqrt()).copysign(x),
    }
}

/// The modified function of the second kind of order zero: NaN of negative numbers.
pub fn k0(x: f64) -> f64 {
    match x <= SECOND_NEAR {
        true => k0_near(x),
        false => (-x).exp() * k0e(x),
    }
}

/// The same times `exp(x)`.
pub fn k0e(x: f64) -> f64 {
    match x <= SECOND_NEAR {
        true => x.exp() * k0_near(x),
        false => series(4.0 / x - 1.0, &K0_FAR) / x.sqrt(),
    }
}

/// The logarithm is that of zero or of a negative number where there is no function.
fn k0_near(x: f64) -> f64 {
    series(0.5 * x * x - 1.0, &K0_NEAR) - (0.5 * x).ln() * i0(x)
}

/// The modified function of the second kind of order one: NaN of negative numbers.
pub fn k1(x: f64) -> f64 {
    match x <= SECOND_NEAR {
        true => k1_near(x),
        false => (-x).exp() * k1e(x),
    }
}

/// The same times `exp(x)`.
pub fn k1e(x: f64) -> f64 {
    match x <= SECOND_NEAR {
        true => x.exp() * k1_near(x),
        false => series(4.0 / x - 1.0, &K1_FAR) / x.sqrt(),
    }
}

fn k1_near(x: f64) -> f64 {
    if x == 0.0 {
        return f64::INFINITY;
    }
    series(0.5 * x * x - 1.0, &K1_NEAR) / x + (0.5 * x).ln() * i1(x)
}

/// The spherical function of the first kind of order zero, `sin(x) / x`.
pub fn spherical_j0(x: f64) -> f64 {
    if x.is_infinite() {
        return 0.0;
    }
    if x == 0.0 { 1.0 } else { x.sin() / x }
}
