//! From a dtype, known at run time, to a Rust type.

use super::DType;
use crate::Error;

impl DType {
    /// The error of a kernel that has nothing for this dtype.
    #[cold]
    pub fn unsupported(self, what: &str) -> Error {
        Error::not_implemented(format_args!("\"{what}\" not implemented for '{}'", self.title()))
    }
}

/// Evaluates an expression with a type name bound to the type behind a dtype.
///
/// `dispatch!(dtype, "what", group, |T| expression)`, where the expression is a
/// [`Result`](crate::Result). A dtype outside the group is a `NotImplemented`
/// error that names `what`. The groups:
///
/// | group | trait |
/// |---|---|
/// | `all` | [`Element`](crate::Element) |
/// | `number` | [`Number`](crate::dtype::Number) |
/// | `ordered` | [`Ordered`](crate::dtype::Ordered) |
/// | `real` | [`Real`](crate::dtype::Real) |
/// | `bits` | [`Bits`](crate::dtype::Bits) |
/// | `integral` | [`Integer`](crate::dtype::Integer) |
/// | `floating` | [`Float`](crate::dtype::Float) |
/// | `floating_or_complex` | [`FloatOrComplex`](crate::dtype::FloatOrComplex) |
/// | `complex_number` | [`ComplexNumber`](crate::dtype::ComplexNumber) |
/// | `boolean` | `bool` itself |
///
/// ```
/// use opwright_runtime::{DType, Result, dispatch};
///
/// fn width(dtype: DType) -> Result<usize> {
///     dispatch!(dtype, "width", real, |T| Ok(size_of::<T>()))
/// }
///
/// assert_eq!(width(DType::Float16).unwrap(), 2);
/// assert_eq!(
///     width(DType::Bool).unwrap_err().to_string(),
///     "\"width\" not implemented for 'Bool'"
/// );
/// ```
#[macro_export]
macro_rules! dispatch {
    ($dtype:expr, $what:expr, all, |$T:ident| $body:expr) => {
        $crate::dispatch!(@match $dtype, $what, $T, $body;
            Bool: bool, UInt8: u8, Int8: i8, Int16: i16, Int32: i32, Int64: i64,
            Float16: $crate::f16, BFloat16: $crate::bf16, Float32: f32, Float64: f64,
            Complex64: $crate::Complex<f32>, Complex128: $crate::Complex<f64>)
    };
    ($dtype:expr, $what:expr, number, |$T:ident| $body:expr) => {
        $crate::dispatch!(@match $dtype, $what, $T, $body;
            UInt8: u8, Int8: i8, Int16: i16, Int32: i32, Int64: i64,
            Float16: $crate::f16, BFloat16: $crate::bf16, Float32: f32, Float64: f64,
            Complex64: $crate::Complex<f32>, Complex128: $crate::Complex<f64>)
    };
    ($dtype:expr, $what:expr, ordered, |$T:ident| $body:expr) => {
        $crate::dispatch!(@match $dtype, $what, $T, $body;
            Bool: bool, UInt8: u8, Int8: i8, Int16: i16, Int32: i32, Int64: i64,
            Float16: $crate::f16, BFloat16: $crate::bf16, Float32: f32, Float64: f64)
    };
    ($dtype:expr, $what:expr, real, |$T:ident| $body:expr) => {
        $crate::dispatch!(@match $dtype, $what, $T, $body;
            UInt8: u8, Int8: i8, Int16: i16, Int32: i32, Int64: i64,
            Float16: $crate::f16, BFloat16: $crate::bf16, Float32: f32, Float64: f64)
    };
    ($dtype:expr, $what:expr, bits, |$T:ident| $body:expr) => {
        $crate::dispatch!(@match $dtype, $what, $T, $body;
            Bool: bool, UInt8: u8, Int8: i8, Int16: i16, Int32: i32, Int64: i64)
    };
    ($dtype:expr, $what:expr, integral, |$T:ident| $body:expr) => {
        $crate::dispatch!(@match $dtype, $what, $T, $body;
            UInt8: u8, Int8: i8, Int16: i16, Int32: i32, Int64: i64)
    };
    ($dtype:expr, $what:expr, floating, |$T:ident| $body:expr) => {
        $crate::dispatch!(@match $dtype, $what, $T, $body;
            Float16: $crate::f16, BFloat16: $crate::bf16, Float32: f32, Float64: f64)
    };
    ($dtype:expr, $what:expr, floating_or_complex, |$T:ident| $body:expr) => {
        $crate::dispatch!(@match $dtype, $what, $T, $body;
            Float16: $crate::f16, BFloat16: $crate::bf16, Float32: f32, Float64: f64,
            Complex64: $crate::Complex<f32>, Complex128: $crate::Complex<f64>)
    };
    ($dtype:expr, $what:expr, complex_number, |$T:ident| $body:expr) => {
        $crate::dispatch!(@match $dtype, $what, $T, $body;
            Complex64: $crate::Complex<f32>, Complex128: $crate::Complex<f64>)
    };
    ($dtype:expr, $what:expr, boolean, |$T:ident| $body:expr) => {
        $crate::dispatch!(@match $dtype, $what, $T, $body; Bool: bool)
    };
    (@match $dtype:expr, $what:expr, $T:ident, $body:expr; $($variant:ident: $ty:ty),*) => {
        match $dtype {
            $($crate::DType::$variant => {
                #[allow(dead_code, reason = "a body need not name its type")]
                type $T = $ty;
                $body
            })*
            #[allow(unreachable_patterns, reason = "the group of all dtypes leaves none over")]
            other => ::core::result::Result::Err($crate::DType::unsupported(other, $what)),
        }
    };
}
