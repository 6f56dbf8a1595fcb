//! Functions of real and complex numbers that the standard library has only
//! for the former, or that lose digits when written down naively.

mod complex;

#[cfg(target_arch = "x86_64")]
use super::vectorized::wide;
use super::vectorized::{double, single, usual};

/// What real and complex numbers have in common here.
///
/// What is called usual gives the same bits where the argument is usual, and is faster; complex
/// numbers never are.
pub trait Analytic: Copy {
    /// [`exponential`](Analytic::exponential) of each: false, and nothing is done, if the processor
    /// or the type lacks what it takes.
    #[inline(always)]
    fn exponentials(_: &mut [Self]) -> bool {
        false
    }
    /// [`power_of_two`](Analytic::power_of_two) of each, likewise.
    #[inline(always)]
    fn powers_of_two(_: &mut [Self]) -> bool {
        false
    }
    /// [`expm1`](Analytic::expm1) of each, likewise.
    #[inline(always)]
    fn expm1s(_: &mut [Self]) -> bool {
        false
    }
    /// [`logarithm`](Analytic::logarithm) of each, likewise.
    #[inline(always)]
    fn logarithms(_: &mut [Self]) -> bool {
        false
    }
    /// [`binary_logarithm`](Analytic::binary_logarithm) of each, likewise.
    #[inline(always)]
    fn binary_logarithms(_: &mut [Self]) -> bool {
        false
    }
    /// [`decimal_logarithm`](Analytic::decimal_logarithm) of each, likewise.
    #[inline(always)]
    fn decimal_logarithms(_: &mut [Self]) -> bool {
        false
    }
    /// [`hyperbolic_sine`](Analytic::hyperbolic_sine) of each, likewise.
    #[inline(always)]
    fn hyperbolic_sines(_: &mut [Self]) -> bool {
        false
    }
    /// [`hyperbolic_cosine`](Analytic::hyperbolic_cosine) of each, likewise.
    #[inline(always)]
    fn hyperbolic_cosines(_: &mut [Self]) -> bool {
        false
    }
    /// [`hyperbolic_tangent`](Analytic::hyperbolic_tangent) of each, likewise.
    #[inline(always)]
    fn hyperbolic_tangents(_: &mut [Self]) -> bool {
        false
    }
    /// [`power`](Analytic::power) of each and its exponent, or the only one, likewise.
    #[inline(always)]
    fn powers(_: &mut [Self], _: &[Self]) -> bool {
        false
    }
    /// [`arc_cosine`](Analytic::arc_cosine) of each, likewise.
    #[inline(always)]
    fn arc_cosines(_: &mut [Self]) -> bool {
        false
    }
    /// [`arc_tangent`](Analytic::arc_tangent) of each, likewise.
    #[inline(always)]
    fn arc_tangents(_: &mut [Self]) -> bool {
        false
    }
    /// [`area_sine`](Analytic::area_sine) of each, likewise.
    #[inline(always)]
    fn area_sines(_: &mut [Self]) -> bool {
        false
    }
    /// [`logistic`](Analytic::logistic) of each, likewise.
    #[inline(always)]
    fn logistics(_: &mut [Self]) -> bool {
        false
    }
    /// Each times its [`logistic`](Analytic::logistic), likewise.
    #[inline(always)]
    fn sigmoid_linear_units(_: &mut [Self]) -> bool {
        false
    }
    /// [`sine`](Analytic::sine) of each, likewise.
    #[inline(always)]
    fn sines(_: &mut [Self]) -> bool {
        false
    }
    /// [`cosine`](Analytic::cosine) of each, likewise.
    #[inline(always)]
    fn cosines(_: &mut [Self]) -> bool {
        false
    }
    /// [`tangent`](Analytic::tangent) of each, likewise.
    #[inline(always)]
    fn tangents(_: &mut [Self]) -> bool {
        false
    }
    /// Whether exponentials have nothing special to do.
    #[inline(always)]
    fn are_usual_exponents(_: &[Self]) -> bool {
        false
    }
    /// Whether logarithms have nothing special to do.
    #[inline(always)]
    fn have_usual_logarithms(_: &[Self]) -> bool {
        false
    }
    /// Whether [`log1p`](Analytic::log1p) has nothing special to do.
    #[inline(always)]
    fn have_usual_log1p(_: &[Self]) -> bool {
        false
    }
    /// Whether sine, cosine and tangent have nothing special to do.
    #[inline(always)]
    fn are_usual_angles(_: &[Self]) -> bool {
        false
    }
    /// Whether powers of bases with usual logarithms have nothing special to do.
    #[inline(always)]
    fn are_usual_powers(_: &[Self]) -> bool {
        false
    }
    /// `exp(self)`
    fn exponential<const FUSED: bool>(self) -> Self;
    /// The same of what is usual.
    #[inline(always)]
    fn usual_exponential<const FUSED: bool>(self) -> Self {
        self.exponential::<FUSED>()
    }
    /// `2^self`
    fn power_of_two<const FUSED: bool>(self) -> Self;
    /// The same of what is usual.
    #[inline(always)]
    fn usual_power_of_two<const FUSED: bool>(self) -> Self {
        self.power_of_two::<FUSED>()
    }
    /// `exp(self) - 1`
    fn expm1<const FUSED: bool>(self) -> Self;
    /// The same of what is usual.
    #[inline(always)]
    fn usual_expm1<const FUSED: bool>(self) -> Self {
        self.expm1::<FUSED>()
    }
    /// `log(self)`
    fn logarithm<const FUSED: bool>(self) -> Self;
    /// The same of what is usual.
    #[inline(always)]
    fn usual_logarithm<const FUSED: bool>(self) -> Self {
        self.logarithm::<FUSED>()
    }
    /// `log(self) / log(2)`
    fn binary_logarithm<const FUSED: bool>(self) -> Self;
    /// The same of what is usual.
    #[inline(always)]
    fn usual_binary_logarithm<const FUSED: bool>(self) -> Self {
        self.binary_logarithm::<FUSED>()
    }
    /// `log(self) / log(10)`
    fn decimal_logarithm<const FUSED: bool>(self) -> Self;
    /// The same of what is usual.
    #[inline(always)]
    fn usual_decimal_logarithm<const FUSED: bool>(self) -> Self {
        self.decimal_logarithm::<FUSED>()
    }
    /// `log(1 + self)`
    fn log1p<const FUSED: bool>(self) -> Self;
    /// The same of what is usual.
    #[inline(always)]
    fn usual_log1p<const FUSED: bool>(self) -> Self {
        self.log1p::<FUSED>()
    }
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
    fn logistic<const FUSED: bool>(self) -> Self;
    /// The same of what is usual.
    #[inline(always)]
    fn usual_logistic<const FUSED: bool>(self) -> Self {
        self.logistic::<FUSED>()
    }
    /// The number, or one so small that its exponential is zero: the product of that and of
    /// infinity would be no number.
    #[inline(always)]
    fn not_infinitely_negative(self) -> Self {
        self
    }
    /// `sin(pi * self) / (pi * self)`, 1 at 0, and 0 of what is infinite
    fn sinc(self) -> Self;
    /// `self^exponent`
    fn power<const FUSED: bool>(self, exponent: Self) -> Self;
    /// The same of what is usual.
    #[inline(always)]
    fn usual_power<const FUSED: bool>(self, exponent: Self) -> Self {
        self.power::<FUSED>(exponent)
    }
    /// The sine.
    fn sine<const FUSED: bool>(self) -> Self;
    /// The same of a usual angle.
    fn usual_sine<const FUSED: bool>(self) -> Self;
    /// The cosine.
    fn cosine<const FUSED: bool>(self) -> Self;
    /// The same of a usual angle.
    fn usual_cosine<const FUSED: bool>(self) -> Self;
    /// The tangent.
    fn tangent<const FUSED: bool>(self) -> Self;
    /// The same of a usual angle.
    fn usual_tangent<const FUSED: bool>(self) -> Self;
    /// The hyperbolic sine.
    fn hyperbolic_sine<const FUSED: bool>(self) -> Self;
    /// The hyperbolic cosine.
    fn hyperbolic_cosine<const FUSED: bool>(self) -> Self;
    /// The hyperbolic tangent.
    fn hyperbolic_tangent<const FUSED: bool>(self) -> Self;
    /// The arc sine.
    fn arc_sine<const FUSED: bool>(self) -> Self;
    /// The arc cosine.
    fn arc_cosine<const FUSED: bool>(self) -> Self;
    /// The arc tangent.
    fn arc_tangent<const FUSED: bool>(self) -> Self;
    /// The inverse of the hyperbolic sine.
    fn area_sine<const FUSED: bool>(self) -> Self;
    /// The inverse of the hyperbolic cosine.
    fn area_cosine<const FUSED: bool>(self) -> Self;
    /// The inverse of the hyperbolic tangent.
    fn area_tangent<const FUSED: bool>(self) -> Self;
}

// Always inlined, because a loop over a call is not turned into vector instructions.
macro_rules! reals {
    ($($ty:ident $functions:ident [$($method:ident $registers:ident)*])*) => {$(
        impl Analytic for $ty {
            $(
                #[cfg(target_arch = "x86_64")]
                #[inline(always)]
                fn $method(numbers: &mut [$ty]) -> bool {
                    wide::$functions::$registers(numbers)
                }
            )*
            #[cfg(target_arch = "x86_64")]
            #[inline(always)]
            fn powers(numbers: &mut [$ty], exponents: &[$ty]) -> bool {
                wide::powers::$functions::pow(numbers, exponents)
            }
            #[inline(always)]
            fn are_usual_exponents(numbers: &[$ty]) -> bool {
                usual::$functions::exponents(numbers)
            }
            #[inline(always)]
            fn have_usual_logarithms(numbers: &[$ty]) -> bool {
                usual::$functions::positive(numbers)
            }
            #[inline(always)]
            fn have_usual_log1p(numbers: &[$ty]) -> bool {
                usual::$functions::above_minus_one(numbers)
            }
            #[inline(always)]
            fn are_usual_angles(numbers: &[$ty]) -> bool {
                usual::$functions::angles(numbers)
            }
            #[inline(always)]
            fn are_usual_powers(numbers: &[$ty]) -> bool {
                usual::$functions::finite(numbers)
            }
            #[inline(always)]
            fn exponential<const FUSED: bool>(self) -> $ty {
                $functions::exp::<FUSED>(self)
            }
            #[inline(always)]
            fn usual_exponential<const FUSED: bool>(self) -> $ty {
                $functions::usual_exp::<FUSED>(self)
            }
            #[inline(always)]
            fn logarithm<const FUSED: bool>(self) -> $ty {
                $functions::ln::<FUSED>(self)
            }
            #[inline(always)]
            fn usual_logarithm<const FUSED: bool>(self) -> $ty {
                $functions::usual_ln::<FUSED>(self)
            }
            #[inline(always)]
            fn power_of_two<const FUSED: bool>(self) -> $ty {
                $functions::exp2::<FUSED>(self)
            }
            #[inline(always)]
            fn usual_power_of_two<const FUSED: bool>(self) -> $ty {
                $functions::usual_exp2::<FUSED>(self)
            }
            #[inline(always)]
            fn expm1<const FUSED: bool>(self) -> $ty {
                $functions::expm1::<FUSED>(self)
            }
            #[inline(always)]
            fn usual_expm1<const FUSED: bool>(self) -> $ty {
                $functions::usual_expm1::<FUSED>(self)
            }
            #[inline(always)]
            fn binary_logarithm<const FUSED: bool>(self) -> $ty {
                $functions::log2::<FUSED>(self)
            }
            #[inline(always)]
            fn usual_binary_logarithm<const FUSED: bool>(self) -> $ty {
                $functions::usual_log2::<FUSED>(self)
            }
            #[inline(always)]
            fn decimal_logarithm<const FUSED: bool>(self) -> $ty {
                $functions::log10::<FUSED>(self)
            }
            #[inline(always)]
            fn usual_decimal_logarithm<const FUSED: bool>(self) -> $ty {
                $functions::usual_log10::<FUSED>(self)
            }
            #[inline(always)]
            fn log1p<const FUSED: bool>(self) -> $ty {
                $functions::ln_1p::<FUSED>(self)
            }
            #[inline(always)]
            fn usual_log1p<const FUSED: bool>(self) -> $ty {
                $functions::usual_ln_1p::<FUSED>(self)
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
            fn logistic<const FUSED: bool>(self) -> $ty {
                // Of the lesser power, which does not overflow.
                let power = $functions::exp::<FUSED>(-self.abs());
                (if self < 0.0 { power } else { 1.0 }) / (1.0 + power)
            }
            #[inline(always)]
            fn usual_logistic<const FUSED: bool>(self) -> $ty {
                let power = $functions::usual_exp::<FUSED>(-self.abs());
                (if self < 0.0 { power } else { 1.0 }) / (1.0 + power)
            }
            #[inline(always)]
            fn not_infinitely_negative(self) -> $ty {
                if self < -1000.0 { -1000.0 } else { self }
            }
            #[inline(always)]
            fn sinc(self) -> $ty {
                const PI: $ty = std::$ty::consts::PI;
                if self == 0.0 {
                    return 1.0;
                }
                if self.is_infinite() {
                    return 0.0;
                }
                // What is whole is exact so, and half turns only change the sign.
                let nearest = self.round_ties_even();
                let sine = (PI * (self - nearest)).sin();
                (if nearest % 2.0 == 0.0 { sine } else { -sine }) / (PI * self)
            }
            #[inline(always)]
            fn power<const FUSED: bool>(self, exponent: $ty) -> $ty {
                $functions::pow::<FUSED>(self, exponent)
            }
            #[inline(always)]
            fn usual_power<const FUSED: bool>(self, exponent: $ty) -> $ty {
                $functions::usual_pow::<FUSED>(self, exponent)
            }
            #[inline(always)]
            fn sine<const FUSED: bool>(self) -> $ty {
                if $functions::is_usual(self) { $functions::sin::<FUSED>(self) } else { self.sin() }
            }
            #[inline(always)]
            fn usual_sine<const FUSED: bool>(self) -> $ty {
                $functions::usual_sin::<FUSED>(self)
            }
            #[inline(always)]
            fn cosine<const FUSED: bool>(self) -> $ty {
                if $functions::is_usual(self) { $functions::cos::<FUSED>(self) } else { self.cos() }
            }
            #[inline(always)]
            fn usual_cosine<const FUSED: bool>(self) -> $ty {
                $functions::usual_cos::<FUSED>(self)
            }
            #[inline(always)]
            fn tangent<const FUSED: bool>(self) -> $ty {
                if $functions::is_usual(self) {
                    $functions::tan::<FUSED>(self)
                } else {
                    $functions::far_tan(self)
                }
            }
            #[inline(always)]
            fn usual_tangent<const FUSED: bool>(self) -> $ty {
                $functions::usual_tan::<FUSED>(self)
            }
            #[inline(always)]
            fn hyperbolic_sine<const FUSED: bool>(self) -> $ty {
                $functions::sinh::<FUSED>(self)
            }
            #[inline(always)]
            fn hyperbolic_cosine<const FUSED: bool>(self) -> $ty {
                $functions::cosh::<FUSED>(self)
            }
            #[inline(always)]
            fn hyperbolic_tangent<const FUSED: bool>(self) -> $ty {
                $functions::tanh::<FUSED>(self)
            }
            #[inline(always)]
            fn arc_sine<const FUSED: bool>(self) -> $ty {
                $functions::asin::<FUSED>(self)
            }
            #[inline(always)]
            fn arc_cosine<const FUSED: bool>(self) -> $ty {
                $functions::acos::<FUSED>(self)
            }
            #[inline(always)]
            fn arc_tangent<const FUSED: bool>(self) -> $ty {
                $functions::atan::<FUSED>(self)
            }
            #[inline(always)]
            fn area_sine<const FUSED: bool>(self) -> $ty {
                $functions::asinh::<FUSED>(self)
            }
            #[inline(always)]
            fn area_cosine<const FUSED: bool>(self) -> $ty {
                $functions::acosh::<FUSED>(self)
            }
            #[inline(always)]
            fn area_tangent<const FUSED: bool>(self) -> $ty {
                $functions::atanh::<FUSED>(self)
            }
        }
    )*};
}

reals! {
    f32 single [
        exponentials exp powers_of_two exp2
        logarithms ln binary_logarithms log2 decimal_logarithms log10
        hyperbolic_sines sinh hyperbolic_cosines cosh hyperbolic_tangents tanh
        tangents tan arc_cosines acos logistics logistic sigmoid_linear_units silu
    ]
    f64 double [
        exponentials exp expm1s expm1 powers_of_two exp2
        logarithms ln binary_logarithms log2 decimal_logarithms log10
        sines sin cosines cos tangents tan
        hyperbolic_sines sinh hyperbolic_cosines cosh arc_tangents atan
        area_sines asinh logistics logistic sigmoid_linear_units silu
    ]
}
