//! Functions of one number that have the bits which operators give for an element.
//!
//! Where vectors have 64 bytes, several functions are made of whole registers, and have other bits than
//! those made one by one: what is asked for one number takes the same way, as a block of one. Else a
//! number is calculated as an element of a loop is, with or without FMA. Where there is no
//! result, that is NaN here and there, but its sign and its other bits may differ.
//!
//! [`UNARY`] and [`BINARY`] list them by the names of operators. `cbrt` and `gamma`, for which there are no
//! operators, and `lgamma` are those of `libm`. `pow` is what `pow.Tensor_Tensor` calculates: a tensor to
//! the power of a number takes shorter ways for 0, 1, 2, 1/2 and -1.
//!
//! ```
//! use opwright_vecmath::scalar::{UNARY, exp};
//!
//! let row = UNARY.iter().find(|it| it.name == "exp").expect("a row");
//! assert_eq!((row.f64)(0.5), exp(0.5));
//! assert_eq!((row.f32)(0.0), 1.0);
//! ```

use crate::Isa;
use crate::Round;
use crate::elementary::Elementary;
pub use crate::gamma::{gamma, lgamma};
use crate::polar::Polar;
use crate::special::Special;

/// A function of one number, for each type of it.
#[derive(Clone, Copy, Debug)]
pub struct Unary {
    /// What operators call it; `gamma` as Python does.
    pub name: &'static str,
    /// That of `f64`.
    pub f64: fn(f64) -> f64,
    /// That of `f32`.
    pub f32: fn(f32) -> f32,
}

/// A function of two numbers, likewise.
#[derive(Clone, Copy, Debug)]
pub struct Binary {
    /// What operators call it.
    pub name: &'static str,
    /// That of `f64`.
    pub f64: fn(f64, f64) -> f64,
    /// That of `f32`.
    pub f32: fn(f32, f32) -> f32,
}

macro_rules! unary {
    ($($name:ident)*) => {
        /// Functions of one number.
        pub static UNARY: &[Unary] =
            &[$(Unary { name: stringify!($name), f64: $name::<f64>, f32: $name::<f32> }),*];
    };
}

macro_rules! binary {
    ($($name:ident)*) => {
        /// Functions of two numbers.
        pub static BINARY: &[Binary] =
            &[$(Binary { name: stringify!($name), f64: $name::<f64>, f32: $name::<f32> }),*];
    };
}

unary! {
    sqrt rsqrt reciprocal cbrt exp exp2 expm1 log log2 log10 log1p sigmoid
    sin cos tan sinc asin acos atan sinh cosh tanh asinh acosh atanh
    erf erfc gamma lgamma floor ceil trunc round abs
}

binary! { pow hypot atan2 fmod remainder copysign }

/// Functions of one number that may differ with the instructions at hand. What comes after `or` is that
/// of SIMD lanes, which says whether there is one.
macro_rules! of_one {
    ($($(#[$about:meta])* $name:ident = $trait:ident::$method:ident $(or $registers:ident)?;)*) => {$(
        $(#[$about])*
        pub fn $name<T: $trait>(x: T) -> T {
            $(
                let mut block = [x];
                if T::$registers(&mut block) {
                    return block[0];
                }
            )?
            #[cfg(target_arch = "x86_64")]
            if Isa::detect() >= Isa::Avx2 {
                crate::with_features! { Avx2
                    fn fma<T: $trait>(x: T) -> T {
                        x.$method::<true>()
                    }
                }

                // SAFETY: the processor was asked for these instructions.
                return unsafe { fma(x) };
            }
            x.$method::<{ Isa::HAS_FMA }>()
        }
    )*};
}

/// Those of two, likewise.
macro_rules! of_two {
    ($($(#[$about:meta])* $name:ident = $trait:ident::$method:ident $(or $registers:ident)?;)*) => {$(
        $(#[$about])*
        pub fn $name<T: $trait>(x: T, y: T) -> T {
            $(
                let mut block = [x];
                if T::$registers(&mut block, &[y]) {
                    return block[0];
                }
            )?
            #[cfg(target_arch = "x86_64")]
            if Isa::detect() >= Isa::Avx2 {
                crate::with_features! { Avx2
                    fn fma<T: $trait>(x: T, y: T) -> T {
                        x.$method::<true>(y)
                    }
                }

                // SAFETY: the processor was asked for these instructions.
                return unsafe { fma(x, y) };
            }
            x.$method::<{ Isa::HAS_FMA }>(y)
        }
    )*};
}

of_one! {
    /// `e` to the power `x`.
    exp = Elementary::exp or exp_lanes;
    /// Two to the power `x`.
    exp2 = Elementary::exp2 or exp2_lanes;
    /// `exp(x) - 1`
    expm1 = Elementary::expm1 or expm1_lanes;
    /// The natural logarithm.
    log = Elementary::log or log_lanes;
    /// The logarithm to base two.
    log2 = Elementary::log2 or log2_lanes;
    /// The logarithm to base ten.
    log10 = Elementary::log10 or log10_lanes;
    /// `log(1 + x)`
    log1p = Elementary::log1p;
    /// `1 / (1 + exp(-x))`
    sigmoid = Elementary::sigmoid or sigmoid_lanes;
    /// The sine.
    sin = Elementary::sin or sin_lanes;
    /// The cosine.
    cos = Elementary::cos or cos_lanes;
    /// The tangent.
    tan = Elementary::tan or tan_lanes;
    /// The arc sine.
    asin = Elementary::asin;
    /// The arc cosine.
    acos = Elementary::acos or acos_lanes;
    /// The arc tangent.
    atan = Elementary::atan or atan_lanes;
    /// The hyperbolic sine.
    sinh = Elementary::sinh or sinh_lanes;
    /// The hyperbolic cosine.
    cosh = Elementary::cosh or cosh_lanes;
    /// The hyperbolic tangent.
    tanh = Elementary::tanh or tanh_lanes;
    /// The inverse of the hyperbolic sine.
    asinh = Elementary::asinh or asinh_lanes;
    /// The inverse of the hyperbolic cosine.
    acosh = Elementary::acosh;
    /// The inverse of the hyperbolic tangent.
    atanh = Elementary::atanh;
    /// The error function.
    erf = Special::erf or erf_lanes;
    /// One less the error function.
    erfc = Special::erfc or erfc_lanes;
}

of_two! {
    /// `x` to the power `y`.
    pow = Elementary::pow or pow_lanes;
    /// The angle of the point `(y, x)`: the ordinate comes first.
    atan2 = Polar::atan2 or atan2_lanes;
    /// The distance of the point `(x, y)` from zero.
    hypot = Polar::hypot;
}

/// The square root.
pub fn sqrt<T: Elementary>(x: T) -> T {
    x.root()
}

/// `1 / sqrt(x)`
pub fn rsqrt<T: Elementary>(x: T) -> T {
    x.rsqrt()
}

/// `1 / x`
pub fn reciprocal<T: Elementary>(x: T) -> T {
    x.reciprocal()
}

/// `sin(pi * x) / (pi * x)`, and 1 at 0.
pub fn sinc<T: Elementary>(x: T) -> T {
    x.sinc()
}

/// The greatest integer that is not above.
pub fn floor<T: Round>(x: T) -> T {
    x.down()
}

/// The least integer that is not below.
pub fn ceil<T: Round>(x: T) -> T {
    x.up()
}

/// The number without its fraction.
pub fn trunc<T: Round>(x: T) -> T {
    x.towards_zero()
}

/// The nearest integer, and of two equally near ones the even one.
pub fn round<T: Round>(x: T) -> T {
    x.to_nearest()
}

/// Functions that have the same bits everywhere.
pub trait Portable: Copy {
    /// The cube root.
    fn cbrt(self) -> Self;
    /// The number without its sign.
    fn abs(self) -> Self;
    /// The number with another sign.
    fn copysign(self, sign: Self) -> Self;
    /// What is left after a whole number of divisors, with the sign of the number.
    fn fmod(self, divisor: Self) -> Self;
    /// The same with the sign of the divisor.
    fn remainder(self, divisor: Self) -> Self;
}

macro_rules! portable {
    ($($ty:ident $cbrt:ident;)*) => {$(
        impl Portable for $ty {
            fn cbrt(self) -> $ty {
                libm::$cbrt(self)
            }
            fn abs(self) -> $ty {
                self.abs()
            }
            fn copysign(self, sign: $ty) -> $ty {
                self.copysign(sign)
            }
            fn fmod(self, divisor: $ty) -> $ty {
                self % divisor
            }
            fn remainder(self, divisor: $ty) -> $ty {
                let rest = self % divisor;
                let is_wrong = rest != 0.0 && (rest < 0.0) != (divisor < 0.0);
                (if is_wrong { rest + divisor } else { rest }).copysign(divisor)
            }
        }
    )*};
}

portable! {
    f32 cbrtf;
    f64 cbrt;
}

/// The cube root.
pub fn cbrt<T: Portable>(x: T) -> T {
    x.cbrt()
}

/// The number without its sign.
pub fn abs<T: Portable>(x: T) -> T {
    x.abs()
}

/// `x` with the sign of `y`.
pub fn copysign<T: Portable>(x: T, y: T) -> T {
    x.copysign(y)
}

/// What is left of `x` after a whole number of `y`, with the sign of `x`.
pub fn fmod<T: Portable>(x: T, y: T) -> T {
    x.fmod(y)
}

/// The same with the sign of `y`.
pub fn remainder<T: Portable>(x: T, y: T) -> T {
    x.remainder(y)
}
