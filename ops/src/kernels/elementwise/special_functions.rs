//! Error functions and terms with logarithms.

use opwright_macros::native_op;
use opwright_runtime::dtype::Float;
use opwright_runtime::iterate::Each;
use opwright_runtime::{Element, Result, Scalar, multiversion};

#[cfg(target_arch = "x86_64")]
use super::vectorized::wide;
use super::vectorized::{double, single};

#[native_op(erf.out, elementwise, dtypes = floating)]
fn erf_out<T: Special + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(error_functions)
}

#[native_op(erfc.out, elementwise, dtypes = floating)]
fn erfc_out<T: Special + Element>(each: Each<'_, T, T>) -> Result<()> {
    each.run_blocks(complementary_error_functions)
}

#[native_op(special_entr.out, elementwise, dtypes = floating)]
fn special_entr_out<T: Special>(x: T) -> T {
    x.entropy()
}

#[native_op(xlogy.OutTensor, elementwise, dtypes = floating)]
fn xlogy_outtensor<T: Special + Float>(x: T, other: T) -> T {
    x.times_of(other, other.ln())
}

#[native_op(special_xlog1py.out, elementwise, dtypes = floating)]
fn special_xlog1py_out<T: Special + Float>(x: T, other: T) -> T {
    x.times_of(other, other.ln_1p())
}

/// The logarithm of the odds `x / (1 - x)` of each element. With `eps`, elements
/// are first brought into the range from `eps` to `1 - eps`.
///
/// ```python
/// >>> opwright.logit(opwright.tensor([0.5, 0.75]))
/// tensor([0.0000, 1.0986], dtype=float32, shape=(2,))
/// >>> opwright.logit(opwright.tensor([1.0]), eps=0.25)
/// tensor([1.0986], dtype=float32, shape=(1,))
/// ```
#[native_op(
    "logit(Tensor self, float? eps=None) -> Tensor",
    elementwise,
    dtypes = floating,
    promote = float,
    method,
    tags = "pointwise"
)]
fn logit<T: Element + Float>(x: T, eps: Option<f64>) -> T {
    let x = match eps.map(|eps| (Scalar::Float(eps).wrap(), Scalar::Float(1.0 - eps).wrap())) {
        Some((low, _)) if x < low => low,
        Some((_, high)) if x > high => high,
        Some(_) | None => x,
    };
    (x / (T::ONE - x)).ln()
}

/// As [`Special::error_function`], of each.
fn error_functions<T: Special>(block: &mut [T]) {
    if !T::error_functions(block) {
        error_functions_one_by_one(block);
    }
}

/// As [`Special::complementary_error_function`], of each.
fn complementary_error_functions<T: Special>(block: &mut [T]) {
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
pub(crate) trait Special: Copy {
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
