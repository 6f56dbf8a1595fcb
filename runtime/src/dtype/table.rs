//! The table of dtypes: a row each, from which all else that lists them follows.

use std::ffi::{CStr, c_long};

use super::DType;

/// What a dtype is, beside its Rust type and its section of the table.
#[derive(Debug)]
pub(super) struct Row {
    /// In numpy's manner.
    pub(super) name: &'static str,
    /// A second name, which Python has as well.
    pub(super) alias: Option<&'static str>,
    /// In upstream's messages.
    pub(super) title: &'static str,
    /// The shortest name.
    pub(super) short: &'static str,
    /// In messages about numbers that it does not hold, as upstream has them.
    pub(super) c_name: &'static str,
    /// In the buffer protocol.
    pub(super) format: Option<&'static CStr>,
    /// In DLPack.
    pub(super) code: TypeCode,
    /// What is next above it when types are promoted.
    pub(super) widens_to: &'static [DType],
}

/// What DLPack calls the kinds of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum TypeCode {
    /// Signed integers
    Int = 0,
    /// Unsigned integers
    UInt = 1,
    /// Floating numbers of IEEE
    Float = 2,
    /// The upper half of an `f32`
    BFloat = 4,
    /// Complex numbers
    Complex = 5,
    /// Truth values
    Bool = 6,
}

/// The format of `i64`: of the two letters, that of numpy's `int64`.
pub(super) const INT64: &CStr = if size_of::<c_long>() == 8 { c"l" } else { c"q" };

/// Hands the rows of all dtypes to another macro: `dtype_rows! { name { arguments } }` becomes
/// `name! { { arguments } boolean { .. } narrow { .. } wide { .. } single { .. } double { .. }
/// complex { .. } }`.
///
/// A row is `Variant: type = number { the rest }`, behind its documentation. Numbers are for good:
/// a new dtype takes the next one. The sections say the category, and in which type a function that
/// takes long is calculated, so that there is less to compile:
///
/// | section | category | calculated in |
/// |---|---|---|
/// | `boolean` | truth values | |
/// | `narrow` | integers | `i32`, which holds them all |
/// | `wide` | integers | `i64` |
/// | `single` | real floating | `f32` |
/// | `double` | real floating | `f64` |
/// | `complex` | complex | `Complex<f64>` |
#[doc(hidden)]
#[macro_export]
macro_rules! dtype_rows {
    ($callback:tt $(:: $path:ident)* { $($arguments:tt)* }) => {
        $callback $(:: $path)*! {
            { $($arguments)* }
            boolean {
                /// `bool`
                Bool: bool = 0 {
                    name: "bool",
                    alias: None,
                    title: "Bool",
                    short: "bool",
                    c_name: "bool",
                    format: Some(c"?"),
                    code: TypeCode::Bool,
                    widens_to: &[DType::UInt8, DType::Int8],
                }
            }
            narrow {
                /// `u8`
                UInt8: u8 = 1 {
                    name: "uint8",
                    alias: None,
                    title: "Byte",
                    short: "u8",
                    c_name: "uint8_t",
                    format: Some(c"B"),
                    code: TypeCode::UInt,
                    widens_to: &[DType::UInt16, DType::Int16],
                }
                /// `u16`
                UInt16: u16 = 12 {
                    name: "uint16",
                    alias: None,
                    title: "UInt16",
                    short: "u16",
                    c_name: "uint16_t",
                    format: Some(c"H"),
                    code: TypeCode::UInt,
                    widens_to: &[DType::UInt32, DType::Int32],
                }
                /// `i8`
                Int8: i8 = 2 {
                    name: "int8",
                    alias: None,
                    title: "Char",
                    short: "i8",
                    c_name: "int8_t",
                    format: Some(c"b"),
                    code: TypeCode::Int,
                    widens_to: &[DType::Int16],
                }
                /// `i16`
                Int16: i16 = 3 {
                    name: "int16",
                    alias: Some("short"),
                    title: "Short",
                    short: "i16",
                    c_name: "int16_t",
                    format: Some(c"h"),
                    code: TypeCode::Int,
                    widens_to: &[DType::Int32],
                }
                /// `i32`
                Int32: i32 = 4 {
                    name: "int32",
                    alias: Some("int"),
                    title: "Int",
                    short: "i32",
                    c_name: "int",
                    format: Some(c"i"),
                    code: TypeCode::Int,
                    widens_to: &[DType::Int64],
                }
            }
            wide {
                /// `u32`
                UInt32: u32 = 13 {
                    name: "uint32",
                    alias: None,
                    title: "UInt32",
                    short: "u32",
                    c_name: "uint32_t",
                    format: Some(c"I"),
                    code: TypeCode::UInt,
                    widens_to: &[DType::Int64],
                }
                /// `i64`
                Int64: i64 = 5 {
                    name: "int64",
                    alias: Some("long"),
                    title: "Long",
                    short: "i64",
                    c_name: "int64_t",
                    format: Some(INT64),
                    code: TypeCode::Int,
                    widens_to: &[DType::Float16, DType::BFloat16],
                }
            }
            single {
                /// IEEE half precision
                Float16: $crate::f16 = 6 {
                    name: "float16",
                    alias: Some("half"),
                    title: "Half",
                    short: "f16",
                    c_name: "float16",
                    format: Some(c"e"),
                    code: TypeCode::Float,
                    widens_to: &[DType::Float32],
                }
                /// The upper half of an `f32`
                BFloat16: $crate::bf16 = 7 {
                    name: "bfloat16",
                    alias: None,
                    title: "BFloat16",
                    short: "bf16",
                    c_name: "bfloat16",
                    format: None,
                    code: TypeCode::BFloat,
                    widens_to: &[DType::Float32],
                }
                /// `f32`
                Float32: f32 = 8 {
                    name: "float32",
                    alias: Some("float"),
                    title: "Float",
                    short: "f32",
                    c_name: "float",
                    format: Some(c"f"),
                    code: TypeCode::Float,
                    widens_to: &[DType::Float64, DType::Complex64],
                }
            }
            double {
                /// `f64`
                Float64: f64 = 9 {
                    name: "float64",
                    alias: Some("double"),
                    title: "Double",
                    short: "f64",
                    c_name: "double",
                    format: Some(c"d"),
                    code: TypeCode::Float,
                    widens_to: &[DType::Complex128],
                }
            }
            complex {
                /// Two `f32`
                Complex64: $crate::Complex<f32> = 10 {
                    name: "complex64",
                    alias: Some("cfloat"),
                    title: "ComplexFloat",
                    short: "c64",
                    c_name: "complex64",
                    format: Some(c"Zf"),
                    code: TypeCode::Complex,
                    widens_to: &[DType::Complex128],
                }
                /// Two `f64`
                Complex128: $crate::Complex<f64> = 11 {
                    name: "complex128",
                    alias: Some("cdouble"),
                    title: "ComplexDouble",
                    short: "c128",
                    c_name: "complex128",
                    format: Some(c"Zd"),
                    code: TypeCode::Complex,
                    widens_to: &[],
                }
            }
        }
    };
}
