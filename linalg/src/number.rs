//! The numbers that matrices are made of.

use std::ops::{Mul, Sub};

use faer::traits::{ComplexField, RealField};
use num_complex::Complex;

/// A real number of a matrix.
pub trait RealScalar: RealField + Copy {
    /// The logarithm to base two of the greatest power of two by which numbers are
    /// scaled.
    const MOST_SCALE: i32;

    /// Cast from a number of double precision.
    fn of(number: f64) -> Self;

    /// Cast to one.
    fn wide(self) -> f64;
}

/// A number of a matrix.
pub trait RealOrComplex:
    ComplexField<Real: RealScalar>
    + Copy
    + Send
    + Sync
    + Sub<Output = Self>
    + Mul<Output = Self>
    + 'static
{
    /// The complex number with such parts.
    type Complex: RealOrComplex<Real = Self::Real>;

    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;

    /// The real and the imaginary part, in double precision.
    fn parts(self) -> (f64, f64);

    /// The number with these parts, the second of which a real one has not.
    fn of_parts(re: f64, im: f64) -> Self;

    /// The conjugate.
    fn conjugate(self) -> Self {
        let (re, im) = self.parts();
        Self::of_parts(re, -im)
    }

    /// The quotient, right also where squares of the parts are not.
    #[inline]
    fn divided(self, other: Self) -> Self {
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        if d == 0.0 {
            Self::of_parts(a / c, b / c)
        } else if c.abs() >= d.abs() {
            let (ratio, whole) = (d / c, c + d * (d / c));
            Self::of_parts((a + b * ratio) / whole, (b - a * ratio) / whole)
        } else {
            let (ratio, whole) = (c / d, c * (c / d) + d);
            Self::of_parts((a * ratio + b) / whole, (b * ratio - a) / whole)
        }
    }
}

macro_rules! numbers {
    ($($ty:ty as $complex:ty, $zero:expr, $one:expr, |$it:ident| $parts:expr, |$re:ident, $im:pat_param| $of_parts:expr;)*) => {$(
        impl RealOrComplex for $ty {
            type Complex = $complex;

            const ZERO: $ty = $zero;
            const ONE: $ty = $one;

            #[inline(always)]
            fn parts(self) -> (f64, f64) {
                let $it = self;
                $parts
            }

            #[inline(always)]
            fn of_parts($re: f64, $im: f64) -> $ty {
                $of_parts
            }
        }
    )*};
}

numbers! {
    f32 as Complex<f32>, 0.0, 1.0, |x| (f64::from(x), 0.0), |re, _| re as f32;
    f64 as Complex<f64>, 0.0, 1.0, |x| (x, 0.0), |re, _| re;
    Complex<f32> as Complex<f32>, Complex::new(0.0, 0.0), Complex::new(1.0, 0.0),
        |x| (f64::from(x.re), f64::from(x.im)), |re, im| Complex::new(re as f32, im as f32);
    Complex<f64> as Complex<f64>, Complex::new(0.0, 0.0), Complex::new(1.0, 0.0),
        |x| (x.re, x.im), |re, im| Complex::new(re, im);
}

impl RealScalar for f32 {
    const MOST_SCALE: i32 = 120;

    fn of(number: f64) -> f32 {
        number as f32
    }

    fn wide(self) -> f64 {
        f64::from(self)
    }
}

impl RealScalar for f64 {
    const MOST_SCALE: i32 = 1000;

    fn of(number: f64) -> f64 {
        number
    }

    fn wide(self) -> f64 {
        self
    }
}
