//! Dynamically typed scalars: a number without a tensor around it.

mod arithmetic;

use std::fmt;

use num_complex::Complex;

use crate::dtype::default_dtype;
use crate::{DType, Element, Error, Result};

/// A number as it comes from Python: the category is known, the width is not.
///
/// ```
/// use opwright_runtime::{DType, Scalar};
///
/// let factor = Scalar::from(1.5);
/// assert_eq!(factor.dtype(), DType::Float32);
/// assert_eq!(factor.to_f64()?, 1.5);
/// assert!(Scalar::from(true).is_boolean() && !Scalar::from(3).is_floating());
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
// A tag of one byte would have the bytes behind it copied one by one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(u64)]
pub enum Scalar {
    /// `True` or `False`
    Bool(bool),
    /// `int`
    Int(i64),
    /// `float`
    Float(f64),
    /// `complex`
    Complex(Complex<f64>),
}

impl Scalar {
    /// The dtype that promotion sees: a float has the default one.
    #[inline]
    pub fn dtype(self) -> DType {
        match self {
            Scalar::Bool(_) => DType::Bool,
            Scalar::Int(_) => DType::Int64,
            Scalar::Float(_) => default_dtype(),
            Scalar::Complex(_) => default_dtype().to_complex(),
        }
    }

    /// The dtype that holds the value whole.
    #[inline]
    pub fn storage_dtype(self) -> DType {
        match self {
            Scalar::Bool(_) => DType::Bool,
            Scalar::Int(_) => DType::Int64,
            Scalar::Float(_) => DType::Float64,
            Scalar::Complex(_) => DType::Complex128,
        }
    }

    /// Whether this is `bool`.
    #[inline]
    pub fn is_boolean(self) -> bool {
        matches!(self, Scalar::Bool(_))
    }

    /// Whether this is an integer; `bool` is none.
    #[inline]
    pub fn is_integral(self) -> bool {
        matches!(self, Scalar::Int(_))
    }

    /// Whether this is a real floating number.
    #[inline]
    pub fn is_floating(self) -> bool {
        matches!(self, Scalar::Float(_))
    }

    /// Whether this is a complex number, even one without imaginary part.
    #[inline]
    pub fn is_complex_number(self) -> bool {
        matches!(self, Scalar::Complex(_))
    }

    /// Whether the value is 1.
    #[inline]
    pub fn is_one(self) -> bool {
        match self {
            Scalar::Bool(it) => it,
            Scalar::Int(it) => it == 1,
            Scalar::Float(it) => it == 1.0,
            Scalar::Complex(it) => it == Complex::new(1.0, 0.0),
        }
    }

    /// Casts, wrapping what is too large: what arithmetic does with a number.
    ///
    /// ```
    /// use opwright_runtime::Scalar;
    ///
    /// assert_eq!(Scalar::from(257).wrap::<u8>(), 1);
    /// assert_eq!(Scalar::from(0.5).wrap::<f32>(), 0.5);
    /// ```
    #[inline]
    pub fn wrap<T: Element>(self) -> T {
        T::wrap_scalar(self)
    }

    /// Casts, refusing what `T` does not hold: what is stored is the number that was written.
    ///
    /// Integer dtypes refuse what is out of their range and fractions, all but the complex ones an
    /// imaginary part. Floating dtypes round, and `bool` takes the truth of any number.
    ///
    /// # Errors
    ///
    /// `Runtime` if `T` does not hold the value.
    ///
    /// ```
    /// use opwright_runtime::Scalar;
    ///
    /// assert_eq!(Scalar::from(100).checked::<i8>()?, 100);
    /// let error = Scalar::from(1000).checked::<i8>().unwrap_err();
    /// assert_eq!(error.message(), "value cannot be converted to type int8_t without overflow");
    /// assert!(Scalar::from(1.5).checked::<i8>().is_err());
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn checked<T: Element>(self) -> Result<T> {
        self.check_held(T::DTYPE)?;
        Ok(self.wrap())
    }

    /// Fails unless [`Scalar::checked`] takes the value.
    ///
    /// # Errors
    ///
    /// `Runtime` if the dtype does not hold the value.
    #[inline]
    pub fn check_held(self, dtype: DType) -> Result<()> {
        if self.fits(dtype) { Ok(()) } else { Err(self.not_held(dtype)) }
    }

    /// Casts, refusing only what is out of the range of `T`: a fraction is dropped, as where data
    /// is brought to a dtype that was asked for.
    ///
    /// # Errors
    ///
    /// `Runtime` if the value is out of the range of `T`.
    ///
    /// ```
    /// use opwright_runtime::Scalar;
    ///
    /// assert_eq!(Scalar::from(2.5).truncated::<i8>()?, 2);
    /// assert!(Scalar::from(300).truncated::<i8>().is_err());
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    pub fn truncated<T: Element>(self) -> Result<T> {
        self.check_in_range(T::DTYPE)?;
        Ok(self.wrap())
    }

    /// Fails unless [`Scalar::truncated`] takes the value.
    ///
    /// # Errors
    ///
    /// `Runtime` if the value is out of the range of the dtype.
    #[inline]
    pub fn check_in_range(self, dtype: DType) -> Result<()> {
        if self.is_in_range(dtype) { Ok(()) } else { Err(self.not_held(dtype)) }
    }

    /// Casts an operand of arithmetic: floating dtypes round it, even to infinity; integer dtypes
    /// refuse what they do not hold.
    ///
    /// # Errors
    ///
    /// `Runtime` if an integer dtype does not hold the value.
    ///
    /// ```
    /// use opwright_runtime::Scalar;
    ///
    /// assert_eq!(Scalar::from(1e300).operand::<f32>()?, f32::INFINITY);
    /// assert!(Scalar::from(300).operand::<u8>().is_err());
    /// # Ok::<(), opwright_runtime::Error>(())
    /// ```
    #[inline]
    pub fn operand<T: Element>(self) -> Result<T> {
        if T::DTYPE.is_integral() { self.checked() } else { Ok(self.wrap()) }
    }

    /// The value as `f64`.
    ///
    /// # Errors
    ///
    /// `Runtime` if there is an imaginary part.
    pub fn to_f64(self) -> Result<f64> {
        self.checked()
    }

    /// The value as `i64`, without its fraction.
    ///
    /// # Errors
    ///
    /// `Runtime` if the value is out of range or has an imaginary part.
    pub fn to_i64(self) -> Result<i64> {
        self.truncated()
    }

    /// Whether the value is not zero.
    #[inline]
    pub fn to_bool(self) -> bool {
        self.wrap()
    }

    /// The value as a complex number.
    #[inline]
    pub fn to_complex(self) -> Complex<f64> {
        self.wrap()
    }

    /// Whether [`Scalar::checked`] takes the value.
    ///
    /// ```
    /// use opwright_runtime::{DType, Scalar};
    ///
    /// assert!(Scalar::from(1e30).fits(DType::Float32) && !Scalar::from(1e30).fits(DType::Float16));
    /// ```
    pub fn fits(self, dtype: DType) -> bool {
        let is_whole = match self {
            Scalar::Bool(_) | Scalar::Int(_) => true,
            Scalar::Float(it) => it.fract() == 0.0,
            Scalar::Complex(it) => it.re.fract() == 0.0,
        };
        (is_whole || !dtype.is_integral()) && self.is_in_range(dtype)
    }

    /// Whether a dtype of this category or a higher one holds the value beyond doubt: what is
    /// nearer to its ends is looked at closely.
    #[inline]
    pub(crate) fn is_plain_in(self, dtype: DType) -> bool {
        match self {
            Scalar::Bool(_) | Scalar::Complex(_) => true,
            Scalar::Int(it) => match dtype.is_integral() {
                true => dtype.holds_integer(it),
                false => it.unsigned_abs() <= 256,
            },
            Scalar::Float(it) => it.abs() <= 65504.0 || !it.is_finite(),
        }
    }

    /// Whether [`Scalar::truncated`] takes the value.
    pub fn is_in_range(self, dtype: DType) -> bool {
        if let Scalar::Complex(it) = self
            && !dtype.is_complex_number()
            && !dtype.is_boolean()
        {
            return it.im == 0.0 && Scalar::Float(it.re).is_in_range(dtype);
        }
        let Some((low, high)) = dtype.integer_range() else {
            return self.fits_float(dtype);
        };
        match self {
            Scalar::Bool(_) => true,
            Scalar::Int(it) => dtype.holds_integer(it),
            // As floats the greatest integers of 64 bits are 2^63 and 2^64, which do not fit.
            Scalar::Float(it) => it.trunc() >= low as f64 && it.trunc() < high as f64 + 1.0,
            Scalar::Complex(_) => true,
        }
    }

    fn fits_float(self, dtype: DType) -> bool {
        let largest = match dtype {
            DType::Float16 => 65504.0,
            DType::BFloat16 => half::bf16::MAX.to_f64(),
            DType::Float32 | DType::Complex64 => f64::from(f32::MAX),
            _ => return true,
        };
        let within = |part: f64| !part.is_finite() || part.abs() <= largest;
        let it = self.to_complex();
        within(it.re) && within(it.im)
    }

    #[cold]
    fn not_held(self, dtype: DType) -> Error {
        let name = dtype.c_name();
        if let Scalar::Float(value) = self
            && self.is_in_range(dtype)
        {
            return Error::runtime(format_args!(
                "value {value} cannot be converted to type {name} without losing its fraction; \
                 round it, or bring the tensor to a floating dtype"
            ));
        }
        Error::runtime(format_args!("value cannot be converted to type {name} without overflow"))
    }
}

macro_rules! from_numbers {
    ($($ty:ty => $variant:ident;)*) => {$(
        impl From<$ty> for Scalar {
            #[inline]
            fn from(value: $ty) -> Scalar {
                Scalar::$variant(value.into())
            }
        }
    )*};
}

from_numbers! {
    bool => Bool;
    u8 => Int;
    i8 => Int;
    u16 => Int;
    i16 => Int;
    i32 => Int;
    u32 => Int;
    i64 => Int;
    f32 => Float;
    f64 => Float;
    Complex<f64> => Complex;
}

impl From<Complex<f32>> for Scalar {
    #[inline]
    fn from(value: Complex<f32>) -> Scalar {
        Scalar::Complex(value.as_complex128())
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Bool(true) => f.write_str("True"),
            Scalar::Bool(false) => f.write_str("False"),
            Scalar::Int(it) => it.fmt(f),
            Scalar::Float(it) => fmt::Debug::fmt(it, f),
            Scalar::Complex(it) => write!(f, "({}{:+}j)", it.re, it.im),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

    #[test]
    fn checked_casts_refuse_what_wrapping_ones_wrap() {
        assert_eq!(Scalar::Int(300).wrap::<u8>(), 44);
        assert!(Scalar::Int(300).checked::<u8>().is_err());
        assert!(Scalar::Int(-1).checked::<u8>().is_err());
        assert!(Scalar::Float(1.5).checked::<u8>().is_err());
        assert_eq!(Scalar::Float(1.0).checked::<u8>().unwrap(), 1);
        assert_eq!(Scalar::Float(1.5).truncated::<u8>().unwrap(), 1);
        assert!(Scalar::Float(1e9).operand::<i16>().is_err());
        assert_eq!(Scalar::Int(2).checked::<bool>().ok(), Some(true));
        assert_eq!(Scalar::Float(1.5).to_i64().unwrap(), 1);
        assert!(Scalar::Float(TWO_TO_63).to_i64().is_err());
        assert_eq!(Scalar::Float(-TWO_TO_63).to_i64().unwrap(), i64::MIN);
        assert!(Scalar::Float(f64::NAN).to_i64().is_err());
        assert!(Scalar::Float(1e300).checked::<f32>().is_err());
        assert_eq!(Scalar::Float(f64::INFINITY).checked::<f32>().unwrap(), f32::INFINITY);
    }

    #[test]
    fn an_imaginary_part_is_not_dropped_silently() {
        let error = Scalar::Complex(Complex::new(0.0, 1.0)).to_f64().unwrap_err();
        assert_eq!(error.message(), "value cannot be converted to type double without overflow");
        assert_eq!(Scalar::Complex(Complex::new(2.0, 0.0)).to_i64().unwrap(), 2);
    }
}
