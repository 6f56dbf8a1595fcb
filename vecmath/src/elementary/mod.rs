//! Elementary functions of real and complex numbers.

mod complex;

use crate::simd::{Best, Functions};
use crate::{double, range, single};

/// Functions of blocks by SIMD lanes, which a type may have.
macro_rules! by_lanes {
    ($($lanes:ident $name:ident;)*) => {$(
        #[doc = concat!("[`", stringify!($name), "`](Elementary::", stringify!($name), ") of each by SIMD")]
        /// lanes: false, and nothing is done, if the type lacks them or the processor is faster without.
        #[inline(always)]
        fn $lanes(_: &mut [Self]) -> bool {
            false
        }
    )*};
}

/// What real and complex numbers have in common here.
///
/// Functions whose names end in `_in_range` give the same bits where the argument is in range, and are
/// faster; complex numbers never are.
pub trait Elementary: Copy {
    by_lanes! {
        exp_lanes exp; exp2_lanes exp2; expm1_lanes expm1; log_lanes log; log2_lanes log2;
        log10_lanes log10; sin_lanes sin; cos_lanes cos; tan_lanes tan; acos_lanes acos;
        atan_lanes atan; sinh_lanes sinh; cosh_lanes cosh; tanh_lanes tanh; asinh_lanes asinh;
        sigmoid_lanes sigmoid;
    }
    /// Each times its [`sigmoid`](Elementary::sigmoid), likewise.
    #[inline(always)]
    fn silu_lanes(_: &mut [Self]) -> bool {
        false
    }
    /// [`pow`](Elementary::pow) of each and its exponent, or the only one, likewise.
    #[inline(always)]
    fn pow_lanes(_: &mut [Self], _: &[Self]) -> bool {
        false
    }
    /// Whether exponentials are normal numbers.
    #[inline(always)]
    fn exp_is_in_range(_: &[Self]) -> bool {
        false
    }
    /// Whether logarithms have nothing special to do.
    #[inline(always)]
    fn log_is_in_range(_: &[Self]) -> bool {
        false
    }
    /// Whether [`log1p`](Elementary::log1p) has nothing special to do.
    #[inline(always)]
    fn log1p_is_in_range(_: &[Self]) -> bool {
        false
    }
    /// Whether sine, cosine and tangent have nothing special to do.
    #[inline(always)]
    fn trig_is_in_range(_: &[Self]) -> bool {
        false
    }
    /// Whether powers of bases whose logarithms are in range have nothing special to do.
    #[inline(always)]
    fn pow_is_in_range(_: &[Self]) -> bool {
        false
    }
    /// `exp(self)`
    fn exp<const FMA: bool>(self) -> Self;
    /// The same of what is in range.
    #[inline(always)]
    fn exp_in_range<const FMA: bool>(self) -> Self {
        self.exp::<FMA>()
    }
    /// `2^self`
    fn exp2<const FMA: bool>(self) -> Self;
    /// The same of what is in range.
    #[inline(always)]
    fn exp2_in_range<const FMA: bool>(self) -> Self {
        self.exp2::<FMA>()
    }
    /// `exp(self) - 1`
    fn expm1<const FMA: bool>(self) -> Self;
    /// The same of what is in range.
    #[inline(always)]
    fn expm1_in_range<const FMA: bool>(self) -> Self {
        self.expm1::<FMA>()
    }
    /// `log(self)`
    fn log<const FMA: bool>(self) -> Self;
    /// The same of what is in range.
    #[inline(always)]
    fn log_in_range<const FMA: bool>(self) -> Self {
        self.log::<FMA>()
    }
    /// `log(self) / log(2)`
    fn log2<const FMA: bool>(self) -> Self;
    /// The same of what is in range.
    #[inline(always)]
    fn log2_in_range<const FMA: bool>(self) -> Self {
        self.log2::<FMA>()
    }
    /// `log(self) / log(10)`
    fn log10<const FMA: bool>(self) -> Self;
    /// The same of what is in range.
    #[inline(always)]
    fn log10_in_range<const FMA: bool>(self) -> Self {
        self.log10::<FMA>()
    }
    /// `log(1 + self)`
    fn log1p<const FMA: bool>(self) -> Self;
    /// The same of what is in range.
    #[inline(always)]
    fn log1p_in_range<const FMA: bool>(self) -> Self {
        self.log1p::<FMA>()
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
    fn sigmoid<const FMA: bool>(self) -> Self;
    /// The same of what is in range.
    #[inline(always)]
    fn sigmoid_in_range<const FMA: bool>(self) -> Self {
        self.sigmoid::<FMA>()
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
    fn pow<const FMA: bool>(self, exponent: Self) -> Self;
    /// The same of what is in range.
    #[inline(always)]
    fn pow_in_range<const FMA: bool>(self, exponent: Self) -> Self {
        self.pow::<FMA>(exponent)
    }
    /// The sine.
    fn sin<const FMA: bool>(self) -> Self;
    /// The same of an angle in range.
    fn sin_in_range<const FMA: bool>(self) -> Self;
    /// The cosine.
    fn cos<const FMA: bool>(self) -> Self;
    /// The same of an angle in range.
    fn cos_in_range<const FMA: bool>(self) -> Self;
    /// The tangent.
    fn tan<const FMA: bool>(self) -> Self;
    /// The same of an angle in range.
    fn tan_in_range<const FMA: bool>(self) -> Self;
    /// The hyperbolic sine.
    fn sinh<const FMA: bool>(self) -> Self;
    /// The hyperbolic cosine.
    fn cosh<const FMA: bool>(self) -> Self;
    /// The hyperbolic tangent.
    fn tanh<const FMA: bool>(self) -> Self;
    /// The arc sine.
    fn asin<const FMA: bool>(self) -> Self;
    /// The arc cosine.
    fn acos<const FMA: bool>(self) -> Self;
    /// The arc tangent.
    fn atan<const FMA: bool>(self) -> Self;
    /// The inverse of the hyperbolic sine.
    fn asinh<const FMA: bool>(self) -> Self;
    /// The inverse of the hyperbolic cosine.
    fn acosh<const FMA: bool>(self) -> Self;
    /// The inverse of the hyperbolic tangent.
    fn atanh<const FMA: bool>(self) -> Self;
}

/// Functions of `$functions` and of SIMD lanes.
macro_rules! forward {
    ($ty:ident $functions:ident $($name:ident)*; $($lanes:ident $of_lanes:ident)*) => {
        $(
            #[inline(always)]
            fn $name<const FMA: bool>(self) -> $ty {
                $functions::$name::<FMA>(self)
            }
        )*
        $(
            #[inline(always)]
            fn $lanes(numbers: &mut [$ty]) -> bool {
                Best::$of_lanes(numbers)
            }
        )*
    };
}

/// Checks of a block.
macro_rules! range_checks {
    ($ty:ident $functions:ident $($name:ident $check:ident)*) => {$(
        #[inline(always)]
        fn $name(numbers: &[$ty]) -> bool {
            range::$functions::$check(numbers)
        }
    )*};
}

// Always inlined, because a loop over a call is not turned into vector instructions.
macro_rules! reals {
    ($($ty:ident $functions:ident)*) => {$(
        impl Elementary for $ty {
            forward! {
                $ty $functions
                exp exp_in_range exp2 exp2_in_range expm1 expm1_in_range log log_in_range
                log2 log2_in_range log10 log10_in_range log1p log1p_in_range
                sin_in_range cos_in_range tan_in_range sinh cosh tanh asin acos atan
                asinh acosh atanh;
                exp_lanes exp exp2_lanes exp2 expm1_lanes expm1 log_lanes log log2_lanes log2
                log10_lanes log10 sin_lanes sin cos_lanes cos tan_lanes tan acos_lanes acos
                atan_lanes atan sinh_lanes sinh cosh_lanes cosh tanh_lanes tanh
                asinh_lanes asinh sigmoid_lanes sigmoid silu_lanes silu
            }
            range_checks! {
                $ty $functions
                exp_is_in_range exponents log_is_in_range positive
                log1p_is_in_range above_minus_one trig_is_in_range angles pow_is_in_range finite
            }
            #[inline(always)]
            fn pow_lanes(numbers: &mut [$ty], exponents: &[$ty]) -> bool {
                Best::pow(numbers, exponents)
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
            fn sigmoid<const FMA: bool>(self) -> $ty {
                // Of the lesser power, which does not overflow.
                let power = $functions::exp::<FMA>(-self.abs());
                (if self < 0.0 { power } else { 1.0 }) / (1.0 + power)
            }
            #[inline(always)]
            fn sigmoid_in_range<const FMA: bool>(self) -> $ty {
                let power = $functions::exp_in_range::<FMA>(-self.abs());
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
            fn pow<const FMA: bool>(self, exponent: $ty) -> $ty {
                $functions::pow::<FMA>(self, exponent)
            }
            #[inline(always)]
            fn pow_in_range<const FMA: bool>(self, exponent: $ty) -> $ty {
                $functions::pow_in_range::<FMA>(self, exponent)
            }
            #[inline(always)]
            fn sin<const FMA: bool>(self) -> $ty {
                if $functions::is_in_range(self) { $functions::sin::<FMA>(self) } else { self.sin() }
            }
            #[inline(always)]
            fn cos<const FMA: bool>(self) -> $ty {
                if $functions::is_in_range(self) { $functions::cos::<FMA>(self) } else { self.cos() }
            }
            #[inline(always)]
            fn tan<const FMA: bool>(self) -> $ty {
                if $functions::is_in_range(self) {
                    $functions::tan::<FMA>(self)
                } else {
                    $functions::far_tan(self)
                }
            }
        }
    )*};
}

reals! { f32 single f64 double }
