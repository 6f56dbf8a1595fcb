//! From a dtype to the type in which its elements are calculated.
//!
//! Half precision is calculated in `f32`. Element-wise loops cast on the way in
//! and out, and cut a result to half precision once, so nothing needs to be
//! compiled for it.

/// Evaluates an expression with a type name bound to the type in which a dtype
/// is calculated: `calculate!(dtype, "what", group, |T| expression)`.
///
/// As the runtime's `dispatch!`, but the loop in `expression` sees `f32` instead
/// of half precision; it may be used only where the loop casts. The groups:
///
/// | group | dtypes | |
/// |---|---|---|
/// | `all` | all twelve | |
/// | `number` | all but `bool` | |
/// | `ordered` | all but complex | |
/// | `real` | neither `bool` nor complex | |
/// | `bits` | `bool` and integers | |
/// | `wide_real` | as `real` | narrow integers as `i32`, which changes no result |
/// | `wide_integral` | integers | likewise |
/// | `floating` | real floating | |
/// | `floating_or_complex` | those and complex | complex numbers as `Complex<f64>`, so that few digits are lost on the way |
///
/// Take a wide group where the function itself takes long, so that there is less
/// to compile, and another where the loop should be as fast as memory.
macro_rules! calculate {
    ($dtype:expr, $what:expr, all, |$T:ident| $body:expr) => {
        calculate!(@match $dtype, $what, $T, $body;
            Bool: bool, UInt8: u8, Int8: i8, Int16: i16, Int32: i32, Int64: i64,
            Float16 | BFloat16 | Float32: f32, Float64: f64,
            Complex64: num_complex::Complex<f32>, Complex128: num_complex::Complex<f64>)
    };
    ($dtype:expr, $what:expr, number, |$T:ident| $body:expr) => {
        calculate!(@match $dtype, $what, $T, $body;
            UInt8: u8, Int8: i8, Int16: i16, Int32: i32, Int64: i64,
            Float16 | BFloat16 | Float32: f32, Float64: f64,
            Complex64: num_complex::Complex<f32>, Complex128: num_complex::Complex<f64>)
    };
    ($dtype:expr, $what:expr, ordered, |$T:ident| $body:expr) => {
        calculate!(@match $dtype, $what, $T, $body;
            Bool: bool, UInt8: u8, Int8: i8, Int16: i16, Int32: i32, Int64: i64,
            Float16 | BFloat16 | Float32: f32, Float64: f64)
    };
    ($dtype:expr, $what:expr, real, |$T:ident| $body:expr) => {
        calculate!(@match $dtype, $what, $T, $body;
            UInt8: u8, Int8: i8, Int16: i16, Int32: i32, Int64: i64,
            Float16 | BFloat16 | Float32: f32, Float64: f64)
    };
    ($dtype:expr, $what:expr, bits, |$T:ident| $body:expr) => {
        calculate!(@match $dtype, $what, $T, $body;
            Bool: bool, UInt8: u8, Int8: i8, Int16: i16, Int32: i32, Int64: i64)
    };
    ($dtype:expr, $what:expr, wide_real, |$T:ident| $body:expr) => {
        calculate!(@match $dtype, $what, $T, $body;
            UInt8 | Int8 | Int16 | Int32: i32, Int64: i64,
            Float16 | BFloat16 | Float32: f32, Float64: f64)
    };
    ($dtype:expr, $what:expr, wide_integral, |$T:ident| $body:expr) => {
        calculate!(@match $dtype, $what, $T, $body;
            UInt8 | Int8 | Int16 | Int32: i32, Int64: i64)
    };
    ($dtype:expr, $what:expr, floating, |$T:ident| $body:expr) => {
        calculate!(@match $dtype, $what, $T, $body;
            Float16 | BFloat16 | Float32: f32, Float64: f64)
    };
    ($dtype:expr, $what:expr, floating_or_complex, |$T:ident| $body:expr) => {
        calculate!(@match $dtype, $what, $T, $body;
            Float16 | BFloat16 | Float32: f32, Float64: f64,
            Complex64 | Complex128: num_complex::Complex<f64>)
    };
    (@match $dtype:expr, $what:expr, $T:ident, $body:expr; $($($variant:ident)|+: $ty:ty),*) => {
        match $dtype {
            $($(opwright_runtime::DType::$variant)|+ => {
                #[allow(dead_code, reason = "a body need not name its type")]
                type $T = $ty;
                $body
            })*
            #[allow(unreachable_patterns, reason = "the group of all dtypes leaves none over")]
            other => Err(opwright_runtime::DType::unsupported(other, $what)),
        }
    };
}

pub(crate) use calculate;
