//! Traits of groups of number types, as kernels are generic over them.
//!
//! | group | elements in it |
//! |---|---|
//! | [`Element`](super::Element) | all |
//! | [`Number`] | all but `bool` |
//! | [`Ordered`] | all but complex |
//! | [`Real`] | neither `bool` nor complex |
//! | [`Bits`] | `bool` and integers |
//! | [`Integer`] | integers |
//! | [`Float`] | `f16`, `bf16`, `f32`, `f64` |
//! | [`FloatOrComplex`] | those and complex |
//! | [`ComplexNumber`] | complex |

use std::ops::{BitAnd, BitOr, BitXor, Not};

use half::{bf16, f16};
use num_complex::{Complex, ComplexFloat};
use num_traits::{PrimInt, WrappingAdd, WrappingMul, WrappingNeg, WrappingSub};

use crate::dtype_rows;

/// Something that can be calculated with; integers wrap around.
///
/// Elements are numbers, but a number need be no element: a function that is generic over these
/// traits also takes, for instance, numbers that carry a derivative along.
///
/// The methods are not called like those of `std::ops`, so that a generic
/// kernel cannot by accident use arithmetic that panics on overflow.
pub trait Number: Copy + PartialEq + Send + Sync + 'static {
    /// The type in which many of these are accumulated.
    type Wide: Number;

    /// 0
    const ZERO: Self;

    /// 1
    const ONE: Self;

    /// `self + other`, wrapping.
    fn plus(self, other: Self) -> Self;

    /// `self - other`, wrapping.
    fn minus(self, other: Self) -> Self;

    /// `self * other`, wrapping.
    fn times(self, other: Self) -> Self;

    /// `-self`, wrapping.
    fn negated(self) -> Self;
}

/// Something with an order: `bool`, integers and real floats.
pub trait Ordered: Copy + PartialOrd + Send + Sync + 'static {
    /// The least value; for floats negative infinity.
    const LOWEST: Self;

    /// The greatest value; for floats infinity.
    const HIGHEST: Self;

    /// Whether a value is a NaN. Not a method, for `is_nan` of floats is that of `num_traits`.
    fn is_nan(value: Self) -> bool;
}

/// A number with an order: integers and real floats.
pub trait Real: Number + Ordered {}

/// `bool` or an integer.
pub trait Bits:
    Ordered + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
}

/// A signed or unsigned integer.
pub trait Integer:
    Real + Bits + PrimInt + WrappingAdd + WrappingSub + WrappingMul + WrappingNeg
{
    /// The bits of one value.
    const BITS: u32;
}

/// A real floating number; half precision is calculated in `f32`.
pub trait Float: Real + num_traits::Float + num_traits::FloatConst {
    /// A number that is the same for all elements, such as `T::constant(0.5)`.
    fn constant(value: f64) -> Self;
}

/// A real or complex floating number.
pub trait FloatOrComplex: Number + ComplexFloat {
    /// The type of the parts, or the type itself if it is real.
    type Part: Float;
}

/// A complex number.
pub trait ComplexNumber: FloatOrComplex {
    /// Puts the parts together.
    fn from_parts(re: Self::Part, im: Self::Part) -> Self;

    /// The real part.
    fn real_part(self) -> Self::Part;

    /// The imaginary part.
    fn imaginary_part(self) -> Self::Part;
}

impl Ordered for bool {
    const LOWEST: bool = false;
    const HIGHEST: bool = true;

    #[inline(always)]
    fn is_nan(_: Self) -> bool {
        false
    }
}

impl Bits for bool {}

macro_rules! integers {
    (
        {} boolean $boolean:tt narrow { $($narrow:tt)* } wide { $($wide:tt)* } $($others:tt)*
    ) => {
        integers! { $($narrow)* $($wide)* }
    };
    ($($(#[$about:meta])* $dtype:ident: $ty:ty = $number:literal $row:tt)*) => {$(
        impl Number for $ty {
            type Wide = i64;
            const ZERO: $ty = 0;
            const ONE: $ty = 1;

            #[inline(always)]
            fn plus(self, other: $ty) -> $ty {
                <$ty>::wrapping_add(self, other)
            }
            #[inline(always)]
            fn minus(self, other: $ty) -> $ty {
                <$ty>::wrapping_sub(self, other)
            }
            #[inline(always)]
            fn times(self, other: $ty) -> $ty {
                <$ty>::wrapping_mul(self, other)
            }
            #[inline(always)]
            fn negated(self) -> $ty {
                <$ty>::wrapping_neg(self)
            }
        }
        impl Ordered for $ty {
            const LOWEST: $ty = <$ty>::MIN;
            const HIGHEST: $ty = <$ty>::MAX;

            #[inline(always)]
            fn is_nan(_: Self) -> bool {
                false
            }
        }
        impl Real for $ty {}
        impl Bits for $ty {}
        impl Integer for $ty {
            const BITS: u32 = <$ty>::BITS;
        }
    )*};
}

dtype_rows! { integers {} }

macro_rules! arithmetic {
    ($($ty:ty, $wide:ty, $zero:expr, $one:expr;)*) => {$(
        impl Number for $ty {
            type Wide = $wide;
            const ZERO: $ty = $zero;
            const ONE: $ty = $one;

            #[inline(always)]
            fn plus(self, other: $ty) -> $ty {
                self + other
            }
            #[inline(always)]
            fn minus(self, other: $ty) -> $ty {
                self - other
            }
            #[inline(always)]
            fn times(self, other: $ty) -> $ty {
                self * other
            }
            #[inline(always)]
            fn negated(self) -> $ty {
                -self
            }
        }
    )*};
}

arithmetic! {
    f16, f32, f16::ZERO, f16::ONE;
    bf16, f32, bf16::ZERO, bf16::ONE;
    f32, f32, 0.0, 1.0;
    f64, f64, 0.0, 1.0;
    Complex<f32>, Complex<f32>, Complex::new(0.0, 0.0), Complex::new(1.0, 0.0);
    Complex<f64>, Complex<f64>, Complex::new(0.0, 0.0), Complex::new(1.0, 0.0);
}

macro_rules! floats {
    ($($ty:ty, $constant:expr;)*) => {$(
        impl Ordered for $ty {
            const LOWEST: $ty = <$ty>::NEG_INFINITY;
            const HIGHEST: $ty = <$ty>::INFINITY;

            #[inline(always)]
            fn is_nan(value: Self) -> bool {
                value.is_nan()
            }
        }
        impl Real for $ty {}
        impl Float for $ty {
            #[inline(always)]
            fn constant(value: f64) -> $ty {
                $constant(value)
            }
        }
        impl FloatOrComplex for $ty {
            type Part = $ty;
        }
    )*};
}

floats! {
    f16, f16::from_f64;
    bf16, bf16::from_f64;
    f32, |it| it as f32;
    f64, |it| it;
}

macro_rules! complexes {
    ($($part:ty)*) => {$(
        impl FloatOrComplex for Complex<$part> {
            type Part = $part;
        }
        impl ComplexNumber for Complex<$part> {
            #[inline(always)]
            fn from_parts(re: $part, im: $part) -> Self {
                Complex::new(re, im)
            }
            #[inline(always)]
            fn real_part(self) -> $part {
                self.re
            }
            #[inline(always)]
            fn imaginary_part(self) -> $part {
                self.im
            }
        }
    )*};
}

complexes! { f32 f64 }
