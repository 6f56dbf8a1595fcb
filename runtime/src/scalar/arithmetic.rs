//! Arithmetic of numbers whose category is known, and the width is not.

use std::ops::{Add, Div, Mul, Neg, Sub};

use num_complex::Complex;

use super::Scalar;

/// Calculates in the higher category of the two; booleans count as integers, which wrap.
macro_rules! arithmetic {
    ($($operation:ident $function:ident $wrapping:ident $sign:tt;)*) => {$(
        impl $operation for Scalar {
            type Output = Scalar;

            fn $function(self, other: Scalar) -> Scalar {
                match (self, other) {
                    (Scalar::Complex(_), _) | (_, Scalar::Complex(_)) => {
                        Scalar::Complex(self.wrap::<Complex<f64>>() $sign other.wrap::<Complex<f64>>())
                    }
                    (Scalar::Float(_), _) | (_, Scalar::Float(_)) => {
                        Scalar::Float(self.wrap::<f64>() $sign other.wrap::<f64>())
                    }
                    _ => Scalar::Int(self.wrap::<i64>().$wrapping(other.wrap())),
                }
            }
        }
    )*};
}

arithmetic! {
    Add add wrapping_add +;
    Sub sub wrapping_sub -;
    Mul mul wrapping_mul *;
}

/// Never divides as integers do.
impl Div for Scalar {
    type Output = Scalar;

    fn div(self, other: Scalar) -> Scalar {
        match (self, other) {
            (Scalar::Complex(_), _) | (_, Scalar::Complex(_)) => {
                Scalar::Complex(self.wrap::<Complex<f64>>() / other.wrap::<Complex<f64>>())
            }
            _ => Scalar::Float(self.wrap::<f64>() / other.wrap::<f64>()),
        }
    }
}

impl Neg for Scalar {
    type Output = Scalar;

    fn neg(self) -> Scalar {
        Scalar::Int(-1) * self
    }
}

impl Scalar {
    /// The complex conjugate, which of a real number is that number.
    #[must_use]
    pub fn conj(self) -> Scalar {
        match self {
            Scalar::Complex(it) => Scalar::Complex(it.conj()),
            real => real,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_higher_category_wins() {
        assert_eq!(Scalar::Int(2) + Scalar::Bool(true), Scalar::Int(3));
        assert_eq!(Scalar::Int(2) * Scalar::Float(0.5), Scalar::Float(1.0));
        let i = Complex::new(0.0, 1.0);
        assert_eq!(Scalar::Float(2.0) - Scalar::Complex(i), Scalar::Complex(2.0 - i));
        assert_eq!(Scalar::Complex(i).conj(), Scalar::Complex(-i));
        assert_eq!(Scalar::Int(1) / Scalar::Int(2), Scalar::Float(0.5));
        assert_eq!(-Scalar::Int(i64::MIN), Scalar::Int(i64::MIN));
    }
}
