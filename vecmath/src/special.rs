//! Error functions and terms with logarithms.

use crate::multiversion;
#[cfg(target_arch = "x86_64")]
use crate::vectorized::wide;
use crate::vectorized::{double, single};

/// As [`Special::error_function`], of each.
pub fn error_functions<T: Special>(block: &mut [T]) {
    if !T::error_functions(block) {
        error_functions_one_by_one(block);
    }
}

/// As [`Special::complementary_error_function`], of each.
pub fn complementary_error_functions<T: Special>(block: &mut [T]) {
    if !T::complementary_error_functions(block) {
        complementary_error_functions_one_by_one(block);
    }
}

multiversion! {
    fn error_functions_one_by_one<const FUSED: bool, T>(block: &mut [T])
    where
        [T: Special]
    {
        for x in block {
            *x = x.error_function::<FUSED>();
        }
    }

    fn complementary_error_functions_one_by_one<const FUSED: bool, T>(block: &mut [T])
    where
        [T: Special]
    {
        for x in block {
            *x = x.complementary_error_function::<FUSED>();
        }
    }
}

/// Functions of real numbers that the standard library does not have.
pub trait Special: Copy {
    /// [`error_function`](Special::error_function) of each: false, and nothing is done, if the
    /// processor lacks what it takes.
    #[inline(always)]
    fn error_functions(_: &mut [Self]) -> bool {
        false
    }
    /// The same of the complement.
    #[inline(always)]
    fn complementary_error_functions(_: &mut [Self]) -> bool {
        false
    }
    /// The same of `x / 2 * (1 + erf(x / sqrt(2)))`.
    #[inline(always)]
    fn gaussian_error_units(_: &mut [Self]) -> bool {
        false
    }
    /// The integral of the normal distribution, from -1 to 1.
    fn error_function<const FUSED: bool>(self) -> Self;
    /// One less this.
    fn complementary_error_function<const FUSED: bool>(self) -> Self;
    /// `self / 2 * erfc(-self / sqrt(2))`, which goes to zero where it is negative.
    fn gaussian_error_unit<const FUSED: bool>(self) -> Self;
    /// `-self * ln(self)`, continued to 0
    fn entropy(self) -> Self;
    /// `self * logarithm`, and 0 for 0 unless the logarithm's argument is NaN
    fn times_of(self, argument: Self, logarithm: Self) -> Self;
}

macro_rules! reals {
    ($($ty:ident $functions:ident [$($method:ident $registers:ident)*])*) => {$(
        impl Special for $ty {
            $(
                #[cfg(target_arch = "x86_64")]
                #[inline(always)]
                fn $method(numbers: &mut [$ty]) -> bool {
                    wide::$functions::$registers(numbers)
                }
            )*
            #[inline(always)]
            fn error_function<const FUSED: bool>(self) -> $ty {
                $functions::erf::<FUSED>(self)
            }
            #[inline(always)]
            fn complementary_error_function<const FUSED: bool>(self) -> $ty {
                $functions::erfc::<FUSED>(self)
            }
            #[inline(always)]
            fn gaussian_error_unit<const FUSED: bool>(self) -> $ty {
                $functions::gelu::<FUSED>(self)
            }
            #[inline]
            fn entropy(self) -> $ty {
                if self > 0.0 {
                    -self * self.ln()
                } else if self == 0.0 {
                    0.0
                } else if self < 0.0 {
                    $ty::NEG_INFINITY
                } else {
                    self
                }
            }
            #[inline]
            fn times_of(self, argument: $ty, logarithm: $ty) -> $ty {
                if argument.is_nan() {
                    argument
                } else if self == 0.0 {
                    0.0
                } else {
                    self * logarithm
                }
            }
        }
    )*};
}

reals! {
    f32 single [
        error_functions erf complementary_error_functions erfc gaussian_error_units gelu
    ]
    f64 double [error_functions erf complementary_error_functions erfc]
}
