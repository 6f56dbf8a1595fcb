//! Functions of one number that have the bits which operators give for an element.
//!
//! Where vectors have 64 bytes, several functions are made of whole registers, and have other bits than
//! those made one by one: what is asked for one number takes the same way, as a block of one. Else a
//! number is calculated as an element of a loop is, with or without FMA. Where there is no
//! result, that is NaN here and there, but its sign and its other bits may differ.
//!
//! [`UNARY`] and [`BINARY`] list them by the names of operators. `cbrt`, `gamma` and `lgamma`, for which
//! there are no operators, are those of `libm`. `pow` is what `pow.Tensor_Tensor` calculates: a tensor to
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
use crate::polar::Polar;
use crate::special::Special;

/// A function of one number, for each type of it.
#[derive(Clone, Copy, Debug)]
pub struct Unary {
    /// What operators call it; `gamma` and `lgamma` as Python does.
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
/// of registers, which says whether there is one.
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
pub trait Plain: Copy {
    /// The cube root.
    fn cube_root(self) -> Self;
    /// The gamma function.
    fn gamma(self) -> Self;
    /// The logarithm of the magnitude of the gamma function.
    fn log_gamma(self) -> Self;
    /// The number without its sign.
    fn magnitude(self) -> Self;
    /// The number with another sign.
    fn with_sign_of(self, sign: Self) -> Self;
    /// What is left after a whole number of divisors, with the sign of the number.
    fn rest(self, divisor: Self) -> Self;
    /// The same with the sign of the divisor.
    fn floored_rest(self, divisor: Self) -> Self;
}

macro_rules! plain {
    ($($ty:ident $cube_root:ident $gamma:ident $log_gamma:ident;)*) => {$(
        impl Plain for $ty {
            fn cube_root(self) -> $ty {
                libm::$cube_root(self)
            }
            fn gamma(self) -> $ty {
                libm::$gamma(self)
            }
            fn log_gamma(self) -> $ty {
                libm::$log_gamma(self)
            }
            fn magnitude(self) -> $ty {
                self.abs()
            }
            fn with_sign_of(self, sign: $ty) -> $ty {
                self.copysign(sign)
            }
            fn rest(self, divisor: $ty) -> $ty {
                self % divisor
            }
            fn floored_rest(self, divisor: $ty) -> $ty {
                let rest = self % divisor;
                let is_wrong = rest != 0.0 && (rest < 0.0) != (divisor < 0.0);
                (if is_wrong { rest + divisor } else { rest }).copysign(divisor)
            }
        }
    )*};
}

plain! {
    f32 cbrtf tgammaf lgammaf;
    f64 cbrt tgamma lgamma;
}

/// The cube root.
pub fn cbrt<T: Plain>(x: T) -> T {
    x.cube_root()
}

/// The gamma function.
pub fn gamma<T: Plain>(x: T) -> T {
    x.gamma()
}

/// The logarithm of the magnitude of the gamma function.
pub fn lgamma<T: Plain>(x: T) -> T {
    x.log_gamma()
}

/// The number without its sign.
pub fn abs<T: Plain>(x: T) -> T {
    x.magnitude()
}

/// `x` with the sign of `y`.
pub fn copysign<T: Plain>(x: T, y: T) -> T {
    x.with_sign_of(y)
}

/// What is left of `x` after a whole number of `y`, with the sign of `x`.
pub fn fmod<T: Plain>(x: T, y: T) -> T {
    x.rest(y)
}

/// The same with the sign of `y`.
pub fn remainder<T: Plain>(x: T, y: T) -> T {
    x.floored_rest(y)
}

#[cfg(test)]
mod tests {
    use super::{cbrt, gamma, lgamma};

    /// How many numbers lie between two, of which neither is NaN.
    fn distance(a: f64, b: f64) -> u64 {
        if a == b || a.is_nan() && b.is_nan() { 0 } else { a.to_bits().abs_diff(b.to_bits()) }
    }

    #[test]
    fn functions_of_libm_are_near() {
        let mut most = [0; 3];
        for x in (-4000..20_000).map(|it| f64::from(it) / 117.0) {
            let mut pairs = [
                (cbrt(x), core_math::cbrt(x)),
                (gamma(x), core_math::tgamma(x)),
                (lgamma(x), core_math::lgamma(x)),
            ];
            // Between negative integers are zeros of the logarithm, near which digits are lost.
            if x < 0.0 {
                let (near, exact) = pairs[2];
                assert!(near == exact || (near - exact).abs() < 3e-14, "{x:e}: {near:e}");
                pairs[2].0 = exact;
            }
            for (most, (near, exact)) in most.iter_mut().zip(pairs) {
                *most = distance(near, exact).max(*most);
            }
        }
        assert!(most.iter().zip([0, 7, 2]).all(|(most, limit)| *most <= limit), "{most:?}");
    }
}
