//! Functions of real and complex numbers that the standard library has only
//! for the former, or that lose digits when written down naively.

mod complex;

use super::vectorized::{double, single};

/// What real and complex numbers have in common here.
pub(crate) trait Analytic: Copy {
    /// `exp(self)`
    fn exponential(self) -> Self;
    /// `2^self`
    fn power_of_two(self) -> Self;
    /// `exp(self) - 1`
    fn expm1(self) -> Self;
    /// `log(self)`
    fn logarithm(self) -> Self;
    /// `log(self) / log(2)`
    fn binary_logarithm(self) -> Self;
    /// `log(self) / log(10)`
    fn decimal_logarithm(self) -> Self;
    /// `log(1 + self)`
    fn log1p(self) -> Self;
    /// The square root, with a real part that is not negative.
    fn root(self) -> Self;
    /// The absolute value.
    fn magnitude(self) -> f64;
    /// `self / divisor`
    fn over(self, divisor: Self) -> Self;
    /// `1 / self`
    fn reciprocal(self) -> Self;
    /// `1 / sqrt(self)`
    fn rsqrt(self) -> Self;
    /// `1 / (1 + exp(-self))`
    fn logistic(self) -> Self;
    /// `sin(pi * self) / (pi * self)`, and 1 at 0
    fn sinc(self) -> Self;
    /// `self^exponent`
    fn power(self, exponent: Self) -> Self;
    /// Whether sine, cosine and tangent have nothing special to do.
    fn is_usual_angle(self) -> bool;
    /// The sine.
    fn sine(self) -> Self;
    /// The same of a usual angle.
    fn usual_sine(self) -> Self;
    /// The cosine.
    fn cosine(self) -> Self;
    /// The same of a usual angle.
    fn usual_cosine(self) -> Self;
    /// The tangent.
    fn tangent(self) -> Self;
    /// The same of a usual angle.
    fn usual_tangent(self) -> Self;
    /// The hyperbolic sine.
    fn hyperbolic_sine(self) -> Self;
    /// The hyperbolic cosine.
    fn hyperbolic_cosine(self) -> Self;
    /// The hyperbolic tangent.
    fn hyperbolic_tangent(self) -> Self;
    /// The arc sine.
    fn arc_sine(self) -> Self;
    /// The arc cosine.
    fn arc_cosine(self) -> Self;
    /// The arc tangent.
    fn arc_tangent(self) -> Self;
    /// The inverse of the hyperbolic sine.
    fn area_sine(self) -> Self;
    /// The inverse of the hyperbolic cosine.
    fn area_cosine(self) -> Self;
    /// The inverse of the hyperbolic tangent.
    fn area_tangent(self) -> Self;
}

// Always inlined, because a loop over a call is not turned into vector instructions.
macro_rules! reals {
    ($($ty:ident $functions:ident)*) => {$(
        impl Analytic for $ty {
            #[inline(always)]
            fn exponential(self) -> $ty {
                $functions::exp(self)
            }
            #[inline(always)]
            fn logarithm(self) -> $ty {
                $functions::ln(self)
            }
            #[inline(always)]
            fn power_of_two(self) -> $ty {
                $functions::exp2(self)
            }
            #[inline(always)]
            fn expm1(self) -> $ty {
                $functions::expm1(self)
            }
            #[inline(always)]
            fn binary_logarithm(self) -> $ty {
                $functions::log2(self)
            }
            #[inline(always)]
            fn decimal_logarithm(self) -> $ty {
                $functions::log10(self)
            }
            #[inline(always)]
            fn log1p(self) -> $ty {
                $functions::ln_1p(self)
            }
            #[inline(always)]
            fn root(self) -> $ty {
                self.sqrt()
            }
            #[inline(always)]
            fn magnitude(self) -> f64 {
                f64::from(self.abs())
            }
            #[inline(always)]
            fn over(self, divisor: $ty) -> $ty {
                self / divisor
            }
            #[inline(always)]
            fn reciprocal(self) -> $ty {
                self.recip()
            }
            #[inline(always)]
            fn rsqrt(self) -> $ty {
                self.sqrt().recip()
            }
            #[inline(always)]
            fn logistic(self) -> $ty {
                (1.0 + $functions::exp(-self)).recip()
            }
            #[inline(always)]
            fn sinc(self) -> $ty {
                if self == 0.0 {
                    return 1.0;
                }
                let angle = std::$ty::consts::PI * self;
                angle.sin() / angle
            }
            #[inline(always)]
            fn power(self, exponent: $ty) -> $ty {
                $functions::pow(self, exponent)
            }
            #[inline(always)]
            fn is_usual_angle(self) -> bool {
                $functions::is_usual(self)
            }
            #[inline(always)]
            fn sine(self) -> $ty {
                if $functions::is_usual(self) { $functions::sin(self) } else { self.sin() }
            }
            #[inline(always)]
            fn usual_sine(self) -> $ty {
                $functions::sin(self)
            }
            #[inline(always)]
            fn cosine(self) -> $ty {
                if $functions::is_usual(self) { $functions::cos(self) } else { self.cos() }
            }
            #[inline(always)]
            fn usual_cosine(self) -> $ty {
                $functions::cos(self)
            }
            #[inline(always)]
            fn tangent(self) -> $ty {
                if $functions::is_usual(self) { $functions::tan(self) } else { self.tan() }
            }
            #[inline(always)]
            fn usual_tangent(self) -> $ty {
                $functions::tan(self)
            }
            #[inline(always)]
            fn hyperbolic_sine(self) -> $ty {
                $functions::sinh(self)
            }
            #[inline(always)]
            fn hyperbolic_cosine(self) -> $ty {
                $functions::cosh(self)
            }
            #[inline(always)]
            fn hyperbolic_tangent(self) -> $ty {
                $functions::tanh(self)
            }
            #[inline(always)]
            fn arc_sine(self) -> $ty {
                $functions::asin(self)
            }
            #[inline(always)]
            fn arc_cosine(self) -> $ty {
                $functions::acos(self)
            }
            #[inline(always)]
            fn arc_tangent(self) -> $ty {
                $functions::atan(self)
            }
            #[inline(always)]
            fn area_sine(self) -> $ty {
                self.asinh()
            }
            #[inline(always)]
            fn area_cosine(self) -> $ty {
                self.acosh()
            }
            #[inline(always)]
            fn area_tangent(self) -> $ty {
                self.atanh()
            }
        }
    )*};
}

reals! { f32 single f64 double }
