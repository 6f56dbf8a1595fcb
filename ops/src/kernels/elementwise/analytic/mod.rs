//! Functions of real and complex numbers that the standard library has only
//! for the former, or that lose digits when written down naively.

mod complex;

use super::vectorized;

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
    /// The sine.
    fn sine(self) -> Self;
    /// The cosine.
    fn cosine(self) -> Self;
    /// The tangent.
    fn tangent(self) -> Self;
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
    ($($ty:ident, $exp:path, $ln:path, $tanh:path;)*) => {$(
        impl Analytic for $ty {
            #[inline(always)]
            fn exponential(self) -> $ty {
                $exp(self)
            }
            #[inline(always)]
            fn logarithm(self) -> $ty {
                $ln(self)
            }
            #[inline(always)]
            fn power_of_two(self) -> $ty {
                self.exp2()
            }
            #[inline(always)]
            fn expm1(self) -> $ty {
                self.exp_m1()
            }
            #[inline(always)]
            fn binary_logarithm(self) -> $ty {
                self.log2()
            }
            #[inline(always)]
            fn decimal_logarithm(self) -> $ty {
                self.log10()
            }
            #[inline(always)]
            fn log1p(self) -> $ty {
                self.ln_1p()
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
                (1.0 + $exp(-self)).recip()
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
                self.powf(exponent)
            }
            #[inline(always)]
            fn sine(self) -> $ty {
                self.sin()
            }
            #[inline(always)]
            fn cosine(self) -> $ty {
                self.cos()
            }
            #[inline(always)]
            fn tangent(self) -> $ty {
                self.tan()
            }
            #[inline(always)]
            fn hyperbolic_sine(self) -> $ty {
                self.sinh()
            }
            #[inline(always)]
            fn hyperbolic_cosine(self) -> $ty {
                self.cosh()
            }
            #[inline(always)]
            fn hyperbolic_tangent(self) -> $ty {
                $tanh(self)
            }
            #[inline(always)]
            fn arc_sine(self) -> $ty {
                self.asin()
            }
            #[inline(always)]
            fn arc_cosine(self) -> $ty {
                self.acos()
            }
            #[inline(always)]
            fn arc_tangent(self) -> $ty {
                self.atan()
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

reals! {
    f32, vectorized::exp, vectorized::ln, vectorized::tanh;
    f64, f64::exp, f64::ln, f64::tanh;
}
