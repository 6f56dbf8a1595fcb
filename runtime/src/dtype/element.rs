//! The Rust types behind dtypes, and casts between any two of them.

use std::fmt;

use half::{bf16, f16};
use num_complex::Complex;

use super::enumeration::DType;
use crate::{Scalar, dtype_rows};

mod sealed {
    pub trait Sealed {}
}

/// A Rust type that is a dtype.
///
/// Casts never fail. Towards integers they drop the fraction, wrap what is too
/// large for the narrow types and saturate at the wide ones; towards `bool`
/// everything but zero is true; towards real numbers the imaginary part goes;
/// towards half precision everything passes through `f32`.
pub trait Element:
    sealed::Sealed + Copy + Default + PartialEq + fmt::Debug + fmt::Display + Send + Sync + 'static
{
    /// The dtype of this type.
    const DTYPE: DType;

    /// What is read from memory: `u8` for `bool`, else the type itself.
    ///
    /// Memory can be shared with others, who may write other bytes than 0 and 1
    /// where we see a `bool`.
    type Stored: Copy + Send + Sync + 'static;

    /// The value of what was read.
    fn from_stored(stored: Self::Stored) -> Self;

    /// Casts from any other element type.
    fn cast_from<T: Element>(value: T) -> Self;

    /// Casts to any other element type.
    #[inline(always)]
    fn cast<T: Element>(self) -> T {
        T::cast_from(self)
    }

    /// Casts a scalar, wrapping what is too large.
    #[inline]
    fn wrap_scalar(value: Scalar) -> Self {
        match value {
            Scalar::Bool(it) => Self::cast_from(it),
            Scalar::Int(it) => Self::cast_from(it),
            Scalar::Float(it) => Self::cast_from(it),
            Scalar::Complex(it) => Self::cast_from(it),
        }
    }

    /// This value as a scalar.
    fn into_scalar(self) -> Scalar;

    /// Whether this is anything but zero.
    fn is_nonzero_value(self) -> bool;

    /// As `bool`: whether it is not zero.
    #[inline(always)]
    fn as_bool(self) -> bool {
        self.is_nonzero_value()
    }

    /// As `i32`.
    fn as_i32(self) -> i32;

    /// As `i64`.
    fn as_i64(self) -> i64;

    /// As `u64`.
    #[inline(always)]
    fn as_u64(self) -> u64 {
        self.as_i64() as u64
    }

    /// As `f32`.
    fn as_f32(self) -> f32;

    /// As `f64`.
    fn as_f64(self) -> f64;

    /// As a pair of `f32`.
    #[inline(always)]
    fn as_complex64(self) -> Complex<f32> {
        Complex::new(self.as_f32(), 0.0)
    }

    /// As a pair of `f64`.
    #[inline(always)]
    fn as_complex128(self) -> Complex<f64> {
        Complex::new(self.as_f64(), 0.0)
    }
}

impl sealed::Sealed for bool {}
impl Element for bool {
    const DTYPE: DType = DType::Bool;
    type Stored = u8;

    #[inline(always)]
    fn from_stored(stored: u8) -> bool {
        stored != 0
    }

    #[inline(always)]
    fn cast_from<T: Element>(value: T) -> bool {
        value.as_bool()
    }
    #[inline]
    fn into_scalar(self) -> Scalar {
        Scalar::Bool(self)
    }
    #[inline(always)]
    fn is_nonzero_value(self) -> bool {
        self
    }
    #[inline(always)]
    fn as_i32(self) -> i32 {
        i32::from(self)
    }
    #[inline(always)]
    fn as_i64(self) -> i64 {
        i64::from(self)
    }
    #[inline(always)]
    fn as_f32(self) -> f32 {
        f32::from(u8::from(self))
    }
    #[inline(always)]
    fn as_f64(self) -> f64 {
        f64::from(u8::from(self))
    }
}

macro_rules! integers {
    (
        {} boolean $boolean:tt narrow { $($narrow:tt)* } wide { $($wide:tt)* } $($others:tt)*
    ) => {
        integers! { $($narrow)* $($wide)* }
    };
    ($($(#[$about:meta])* $dtype:ident: $ty:ty = $number:literal $row:tt)*) => {$(
        impl sealed::Sealed for $ty {}
        impl Element for $ty {
            const DTYPE: DType = DType::$dtype;
            type Stored = $ty;

            #[inline(always)]
            fn from_stored(stored: $ty) -> $ty {
                stored
            }

            #[inline(always)]
            fn cast_from<T: Element>(value: T) -> $ty {
                // What `i32` and `u64` saturate at is their own; all others wrap, or are `i64`.
                if <$ty>::MIN as i64 == i32::MIN.into() {
                    value.as_i32() as $ty
                } else if <$ty>::MAX as i128 == u64::MAX.into() {
                    value.as_u64() as $ty
                } else {
                    value.as_i64() as $ty
                }
            }
            #[inline]
            fn into_scalar(self) -> Scalar {
                match i64::try_from(self) {
                    Ok(it) => Scalar::Int(it),
                    Err(_) => Scalar::Float(self as f64),
                }
            }
            #[inline(always)]
            fn is_nonzero_value(self) -> bool {
                self != 0
            }
            #[inline(always)]
            fn as_i32(self) -> i32 {
                self as i32
            }
            #[inline(always)]
            fn as_i64(self) -> i64 {
                self as i64
            }
            #[inline(always)]
            fn as_u64(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn as_f32(self) -> f32 {
                self as f32
            }
            #[inline(always)]
            fn as_f64(self) -> f64 {
                self as f64
            }
        }
    )*

    impl DType {
        /// The least and the greatest value of an integer dtype.
        #[inline]
        pub const fn integer_range(self) -> Option<(i64, u64)> {
            match self {
                $(DType::$dtype => Some((<$ty>::MIN as i64, <$ty>::MAX as u64)),)*
                _ => None,
            }
        }

        /// Whether it is an integer dtype that holds this integer.
        #[inline]
        pub const fn holds_integer(self, value: i64) -> bool {
            match self.integer_range() {
                Some((least, greatest)) => least <= value && (value < 0 || value as u64 <= greatest),
                None => false,
            }
        }
    }};
}

dtype_rows! { integers {} }

macro_rules! floats {
    ($($ty:ty, $dtype:ident, $via:ident, |$it:ident| $from:expr, $to_f32:expr, $to_f64:expr;)*) => {$(
        impl sealed::Sealed for $ty {}
        impl Element for $ty {
            const DTYPE: DType = DType::$dtype;
            type Stored = $ty;

            #[inline(always)]
            fn from_stored(stored: $ty) -> $ty {
                stored
            }

            #[inline(always)]
            fn cast_from<T: Element>(value: T) -> $ty {
                let $it = value.$via();
                $from
            }
            #[inline]
            fn into_scalar(self) -> Scalar {
                Scalar::Float(self.as_f64())
            }
            #[inline(always)]
            fn is_nonzero_value(self) -> bool {
                self.as_f32() != 0.0
            }
            #[inline(always)]
            fn as_i32(self) -> i32 {
                self.as_f64() as i32
            }
            #[inline(always)]
            fn as_i64(self) -> i64 {
                self.as_f64() as i64
            }
            #[inline(always)]
            fn as_u64(self) -> u64 {
                self.as_f64().as_u64()
            }
            #[inline(always)]
            fn as_f32(self) -> f32 {
                let $it = self;
                $to_f32
            }
            #[inline(always)]
            fn as_f64(self) -> f64 {
                let $it = self;
                $to_f64
            }
        }
    )*};
}

floats! {
    f16, Float16, as_f32, |it| f16::from_f32(it), it.to_f32(), f64::from(it.to_f32());
    bf16, BFloat16, as_f32, |it| bf16::from_f32(it), it.to_f32(), f64::from(it.to_f32());
}

impl sealed::Sealed for f32 {}
impl Element for f32 {
    const DTYPE: DType = DType::Float32;
    type Stored = f32;

    #[inline(always)]
    fn from_stored(stored: f32) -> f32 {
        stored
    }

    #[inline(always)]
    fn cast_from<T: Element>(value: T) -> f32 {
        value.as_f32()
    }
    #[inline]
    fn into_scalar(self) -> Scalar {
        Scalar::Float(f64::from(self))
    }
    #[inline(always)]
    fn is_nonzero_value(self) -> bool {
        self != 0.0
    }
    #[inline(always)]
    fn as_i32(self) -> i32 {
        self as i32
    }
    #[inline(always)]
    fn as_i64(self) -> i64 {
        self as i64
    }
    #[inline(always)]
    fn as_u64(self) -> u64 {
        if self < 0.0 { self as i64 as u64 } else { self as u64 }
    }
    #[inline(always)]
    fn as_f32(self) -> f32 {
        self
    }
    #[inline(always)]
    fn as_f64(self) -> f64 {
        f64::from(self)
    }
}

impl sealed::Sealed for f64 {}
impl Element for f64 {
    const DTYPE: DType = DType::Float64;
    type Stored = f64;

    #[inline(always)]
    fn from_stored(stored: f64) -> f64 {
        stored
    }

    #[inline(always)]
    fn cast_from<T: Element>(value: T) -> f64 {
        value.as_f64()
    }
    #[inline]
    fn into_scalar(self) -> Scalar {
        Scalar::Float(self)
    }
    #[inline(always)]
    fn is_nonzero_value(self) -> bool {
        self != 0.0
    }
    #[inline(always)]
    fn as_i32(self) -> i32 {
        self as i32
    }
    #[inline(always)]
    fn as_i64(self) -> i64 {
        self as i64
    }
    #[inline(always)]
    fn as_u64(self) -> u64 {
        if self < 0.0 { self as i64 as u64 } else { self as u64 }
    }
    #[inline(always)]
    fn as_f32(self) -> f32 {
        self as f32
    }
    #[inline(always)]
    fn as_f64(self) -> f64 {
        self
    }
}

macro_rules! complexes {
    ($($part:ty, $dtype:ident, $via:ident;)*) => {$(
        impl sealed::Sealed for Complex<$part> {}
        impl Element for Complex<$part> {
            const DTYPE: DType = DType::$dtype;
            type Stored = Complex<$part>;

            #[inline(always)]
            fn from_stored(stored: Complex<$part>) -> Complex<$part> {
                stored
            }

            #[inline(always)]
            fn cast_from<T: Element>(value: T) -> Complex<$part> {
                value.$via()
            }
            #[inline]
            fn into_scalar(self) -> Scalar {
                Scalar::Complex(self.as_complex128())
            }
            #[inline(always)]
            fn is_nonzero_value(self) -> bool {
                self.re != 0.0 || self.im != 0.0
            }
            #[inline(always)]
            fn as_i32(self) -> i32 {
                self.re.as_i32()
            }
            #[inline(always)]
            fn as_i64(self) -> i64 {
                self.re.as_i64()
            }
            #[inline(always)]
            fn as_u64(self) -> u64 {
                self.re.as_u64()
            }
            #[inline(always)]
            fn as_f32(self) -> f32 {
                self.re.as_f32()
            }
            #[inline(always)]
            fn as_f64(self) -> f64 {
                self.re.as_f64()
            }
            #[inline(always)]
            fn as_complex64(self) -> Complex<f32> {
                Complex::new(self.re.as_f32(), self.im.as_f32())
            }
            #[inline(always)]
            fn as_complex128(self) -> Complex<f64> {
                Complex::new(self.re.as_f64(), self.im.as_f64())
            }
        }
    )*};
}

complexes! {
    f32, Complex64, as_complex64;
    f64, Complex128, as_complex128;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts_wrap_saturate_and_drop() {
        assert_eq!(300_i64.cast::<u8>(), 44);
        assert_eq!((-1_i64).cast::<u8>(), 255);
        assert_eq!(1000_i64.cast::<i8>(), -24);
        assert_eq!((-1.5_f32).cast::<i64>(), -1);
        assert_eq!(300.7_f64.cast::<u8>(), 44);
        assert_eq!(f32::NAN.cast::<i64>(), 0);
        assert!(f32::NAN.cast::<bool>());
        assert!(Complex::new(0.0_f32, 1.0).cast::<bool>());
        assert_eq!(Complex::new(2.5_f32, 1.0).cast::<f64>(), 2.5);
        assert_eq!(true.cast::<Complex<f64>>(), Complex::new(1.0, 0.0));
        assert_eq!(i64::MAX.cast::<f16>(), f16::INFINITY);
        assert_eq!(i64::MAX.cast::<i32>(), -1);
        assert_eq!((-1_i64).cast::<u64>(), u64::MAX);
        assert_eq!((-1.5_f64).cast::<u64>(), u64::MAX);
        assert_eq!(1e19_f64.cast::<u64>(), 10_000_000_000_000_000_000);
        assert_eq!(u64::MAX.cast::<i64>(), -1);
        assert_eq!(u64::MAX.cast::<f64>(), 18_446_744_073_709_551_616.0);
    }

    #[test]
    fn every_value_survives_the_way_through_scalar() {
        assert_eq!(i64::wrap_scalar(i64::MAX.into_scalar()), i64::MAX);
        assert_eq!(f32::wrap_scalar(0.1_f32.into_scalar()), 0.1);
        assert!(bool::wrap_scalar(true.into_scalar()));
    }
}
