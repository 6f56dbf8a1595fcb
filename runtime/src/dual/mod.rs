//! Dual numbers, for forward-mode differentiation of functions of elements.
//!
//! A function that is generic over [`Float`](crate::dtype::Float), [`Real`](crate::dtype::Real) or
//! [`Number`] takes them as it takes others, and what it returns carries the
//! derivative of the function. Of a dual of duals there are derivatives of these.
//!
//! ```
//! use opwright_runtime::dtype::Float;
//! use opwright_runtime::dual::Dual;
//!
//! fn bell<T: Float>(x: T) -> T {
//!     (-x * x).exp()
//! }
//!
//! let at = bell(Dual::new(0.5_f64, 1.0));
//! assert_eq!(at.value, bell(0.5));
//! assert!((at.slope + bell(0.5)).abs() < 1e-15);
//!
//! let twice = bell(Dual::new(Dual::new(0.0_f64, 1.0), Dual::new(1.0, 0.0)));
//! assert_eq!(twice.slope.slope, -2.0);
//! ```
//!
//! Comparisons look at values alone, so that a function takes the branch that it takes without
//! derivatives. Where there are several derivatives, as at the kink of an absolute value, it is
//! zero, or that of the first of two equal arguments.

mod float;
mod number;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use crate::dtype::Number;

/// A number, and its derivative by something.
#[derive(Clone, Copy, Debug)]
pub struct Dual<T> {
    /// The number.
    pub value: T,
    /// Its derivative.
    pub slope: T,
}

/// A number that a derivative can be.
pub trait Slope: Number {
    /// Whether it is zero, and so are its own derivatives: what is multiplied by it does not
    /// matter, be it infinite.
    fn vanishes(self) -> bool;
}

impl Slope for f32 {
    #[inline(always)]
    fn vanishes(self) -> bool {
        self == 0.0
    }
}

impl Slope for f64 {
    #[inline(always)]
    fn vanishes(self) -> bool {
        self == 0.0
    }
}

impl<T: Slope> Slope for Dual<T> {
    #[inline(always)]
    fn vanishes(self) -> bool {
        self.value.vanishes() && self.slope.vanishes()
    }
}

impl<T: Number> Dual<T> {
    /// A number with this derivative: 1 for what is derived by.
    #[inline(always)]
    pub fn new(value: T, slope: T) -> Dual<T> {
        Dual { value, slope }
    }

    /// A number that depends on nothing.
    #[inline(always)]
    pub fn constant(value: T) -> Dual<T> {
        Dual { value, slope: T::ZERO }
    }

    /// The number that the derivative is taken by, or one that depends on nothing.
    #[inline(always)]
    pub fn seed(value: T, is_taken: bool) -> Dual<T> {
        Dual { value, slope: if is_taken { T::ONE } else { T::ZERO } }
    }
}

impl<T: Slope> Dual<T> {
    /// The result of a function at this number, which has this derivative there.
    #[inline(always)]
    fn through(self, value: T, derivative: T) -> Dual<T> {
        Dual { value, slope: along(self.slope, derivative) }
    }
}

/// The derivative of the result, of that of an argument and that of the function.
#[inline(always)]
pub fn along<T: Slope>(slope: T, derivative: T) -> T {
    if slope.vanishes() { T::ZERO } else { slope.times(derivative) }
}

impl<T: PartialEq> PartialEq for Dual<T> {
    #[inline(always)]
    fn eq(&self, other: &Dual<T>) -> bool {
        self.value == other.value
    }
}

impl<T: PartialOrd> PartialOrd for Dual<T> {
    #[inline(always)]
    fn partial_cmp(&self, other: &Dual<T>) -> Option<Ordering> {
        self.value.partial_cmp(&other.value)
    }
}
