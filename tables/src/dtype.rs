//! The table of dtypes: a row each, from which all else that lists them follows.

use std::ffi::{CStr, c_long};

use crate::dtypes_by_category;

/// All that is known of a dtype without its arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The variant of the runtime's `DType`.
    pub variant: &'static str,
    /// Its number in the runtime and in C.
    pub number: u8,
    /// The dtypes that hold its values and are next above it, for promotion.
    pub widens_to: &'static [&'static str],
    /// Its name in Python, which is numpy's.
    pub name: &'static str,
    /// A second name in Python, if it has one.
    pub alias: Option<&'static str>,
    /// Further words that files have for it.
    pub words: &'static [&'static str],
    /// In upstream's messages, and what classes of Python are called after: `Float` for `FloatTensor`.
    pub title: &'static str,
    /// The shortest name, which attributes have; of a primitive type, also that type.
    pub word: &'static str,
    /// In messages about numbers that it does not hold, as upstream has them.
    pub c_name: &'static str,
    /// In the buffer protocol; nothing for `bfloat16`, which only we have.
    pub format: Option<&'static CStr>,
    /// In DLPack.
    pub code: TypeCode,
    /// What its elements are.
    pub category: Category,
    /// The Rust type of its elements.
    pub rust: Rust,
}

/// What promotion looks at first; later ones absorb earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    /// Truth values
    Bool,
    /// Integers
    Integral,
    /// Real floating numbers
    Floating,
    /// Complex numbers
    Complex,
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

/// Rust types of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rust {
    /// The primitive type that is called like the word.
    Primitive,
    /// The type of half precision that is called like the word in the runtime.
    Half,
    /// A complex number with parts of this primitive type.
    Complex(&'static str),
}

/// How many there are.
pub const COUNT: usize = BY_SECTION.len();

/// All of them, in the order of promotion.
pub static ROWS: [Row; COUNT] = in_order_of_promotion();

/// The row of a number that is in the table.
pub const fn row(number: u8) -> &'static Row {
    let mut at = 0;
    while ROWS[at].number != number {
        at += 1;
    }
    &ROWS[at]
}

impl Row {
    /// All names that files have for it: in Python first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        [self.name].into_iter().chain(self.alias).chain(self.words.iter().copied())
    }
}

/// The formats of `i64` and `u64`: of the two letters each, those of numpy's `int64` and `uint64`.
const INT64: &CStr = if size_of::<c_long>() == 8 { c"l" } else { c"q" };
const UINT64: &CStr = if size_of::<c_long>() == 8 { c"L" } else { c"Q" };

macro_rules! rows {
    ({} $($category:ident {$(
        $(#[$about:meta])* $dtype:ident: $ty:ty = $number:literal {
            widens_to: [$($above:ident),*],
            $($field:ident: $value:expr,)*
        }
    )*})*) => {
        /// In the order of the sections.
        const BY_SECTION: &[Row] = &[$($(Row {
            variant: stringify!($dtype),
            number: $number,
            widens_to: &[$(stringify!($above)),*],
            category: Category::$category,
            $($field: $value,)*
        }),*),*];
    };
}

dtypes_by_category! { crate; rows {} }

/// Truth values, unsigned integers, signed ones, real and complex numbers; each as in the table.
const fn in_order_of_promotion() -> [Row; COUNT] {
    let mut rows = [BY_SECTION[0]; COUNT];
    let (mut rank, mut filled) = (0, 0);
    while filled < COUNT {
        let mut at = 0;
        while at < COUNT {
            if promotion_rank(BY_SECTION[at].code) == rank {
                rows[filled] = BY_SECTION[at];
                filled += 1;
            }
            at += 1;
        }
        rank += 1;
    }
    rows
}

const fn promotion_rank(code: TypeCode) -> u8 {
    match code {
        TypeCode::Bool => 0,
        TypeCode::UInt => 1,
        TypeCode::Int => 2,
        TypeCode::Float | TypeCode::BFloat => 3,
        TypeCode::Complex => 4,
    }
}

/// Hands the rows of all dtypes to another macro: `dtype_rows! { types; name { arguments } }` becomes
/// `name! { { arguments } boolean { .. } narrow { .. } wide { .. } single { .. } double { .. }
/// complex { .. } }`, where `types` is a crate that has `f16`, `bf16` and `Complex`.
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
    ($types:tt; $callback:tt $(:: $path:ident)* { $($arguments:tt)* }) => {
        $callback $(:: $path)*! {
            { $($arguments)* }
            boolean {
                /// `bool`
                Bool: bool = 0 {
                    widens_to: [UInt8, Int8],
                    name: "bool",
                    alias: None,
                    words: &[],
                    title: "Bool",
                    word: "bool",
                    c_name: "bool",
                    format: Some(c"?"),
                    code: TypeCode::Bool,
                    rust: Rust::Primitive,
                }
            }
            narrow {
                /// `u8`
                UInt8: u8 = 1 {
                    widens_to: [UInt16, Int16],
                    name: "uint8",
                    alias: None,
                    words: &["byte"],
                    title: "Byte",
                    word: "u8",
                    c_name: "uint8_t",
                    format: Some(c"B"),
                    code: TypeCode::UInt,
                    rust: Rust::Primitive,
                }
                /// `u16`
                UInt16: u16 = 12 {
                    widens_to: [UInt32, Int32],
                    name: "uint16",
                    alias: None,
                    words: &[],
                    title: "UInt16",
                    word: "u16",
                    c_name: "uint16_t",
                    format: Some(c"H"),
                    code: TypeCode::UInt,
                    rust: Rust::Primitive,
                }
                /// `i8`
                Int8: i8 = 2 {
                    widens_to: [Int16],
                    name: "int8",
                    alias: None,
                    words: &["char"],
                    title: "Char",
                    word: "i8",
                    c_name: "int8_t",
                    format: Some(c"b"),
                    code: TypeCode::Int,
                    rust: Rust::Primitive,
                }
                /// `i16`
                Int16: i16 = 3 {
                    widens_to: [Int32],
                    name: "int16",
                    alias: Some("short"),
                    words: &[],
                    title: "Short",
                    word: "i16",
                    c_name: "int16_t",
                    format: Some(c"h"),
                    code: TypeCode::Int,
                    rust: Rust::Primitive,
                }
                /// `i32`
                Int32: i32 = 4 {
                    widens_to: [Int64],
                    name: "int32",
                    alias: Some("int"),
                    words: &[],
                    title: "Int",
                    word: "i32",
                    c_name: "int",
                    format: Some(c"i"),
                    code: TypeCode::Int,
                    rust: Rust::Primitive,
                }
            }
            wide {
                /// `u32`
                UInt32: u32 = 13 {
                    widens_to: [UInt64, Int64],
                    name: "uint32",
                    alias: None,
                    words: &[],
                    title: "UInt32",
                    word: "u32",
                    c_name: "uint32_t",
                    format: Some(c"I"),
                    code: TypeCode::UInt,
                    rust: Rust::Primitive,
                }
                /// `u64`
                UInt64: u64 = 14 {
                    widens_to: [Float32],
                    name: "uint64",
                    alias: None,
                    words: &[],
                    title: "UInt64",
                    word: "u64",
                    c_name: "uint64_t",
                    format: Some(UINT64),
                    code: TypeCode::UInt,
                    rust: Rust::Primitive,
                }
                /// `i64`
                Int64: i64 = 5 {
                    widens_to: [Float16, BFloat16],
                    name: "int64",
                    alias: Some("long"),
                    words: &[],
                    title: "Long",
                    word: "i64",
                    c_name: "int64_t",
                    format: Some(INT64),
                    code: TypeCode::Int,
                    rust: Rust::Primitive,
                }
            }
            single {
                /// IEEE half precision
                Float16: $types::f16 = 6 {
                    widens_to: [Float32],
                    name: "float16",
                    alias: Some("half"),
                    words: &[],
                    title: "Half",
                    word: "f16",
                    c_name: "float16",
                    format: Some(c"e"),
                    code: TypeCode::Float,
                    rust: Rust::Half,
                }
                /// The upper half of an `f32`
                BFloat16: $types::bf16 = 7 {
                    widens_to: [Float32],
                    name: "bfloat16",
                    alias: None,
                    words: &[],
                    title: "BFloat16",
                    word: "bf16",
                    c_name: "bfloat16",
                    format: None,
                    code: TypeCode::BFloat,
                    rust: Rust::Half,
                }
                /// `f32`
                Float32: f32 = 8 {
                    widens_to: [Float64, Complex64],
                    name: "float32",
                    alias: Some("float"),
                    words: &[],
                    title: "Float",
                    word: "f32",
                    c_name: "float",
                    format: Some(c"f"),
                    code: TypeCode::Float,
                    rust: Rust::Primitive,
                }
            }
            double {
                /// `f64`
                Float64: f64 = 9 {
                    widens_to: [Complex128],
                    name: "float64",
                    alias: Some("double"),
                    words: &[],
                    title: "Double",
                    word: "f64",
                    c_name: "double",
                    format: Some(c"d"),
                    code: TypeCode::Float,
                    rust: Rust::Primitive,
                }
            }
            complex {
                /// Two `f32`
                Complex64: $types::Complex<f32> = 10 {
                    widens_to: [Complex128],
                    name: "complex64",
                    alias: Some("cfloat"),
                    words: &[],
                    title: "ComplexFloat",
                    word: "c64",
                    c_name: "complex64",
                    format: Some(c"Zf"),
                    code: TypeCode::Complex,
                    rust: Rust::Complex("f32"),
                }
                /// Two `f64`
                Complex128: $types::Complex<f64> = 11 {
                    widens_to: [],
                    name: "complex128",
                    alias: Some("cdouble"),
                    words: &["complex"],
                    title: "ComplexDouble",
                    word: "c128",
                    c_name: "complex128",
                    format: Some(c"Zd"),
                    code: TypeCode::Complex,
                    rust: Rust::Complex("f64"),
                }
            }
        }
    };
}

/// The same by [category](Category), whose variants are the sections.
#[doc(hidden)]
#[macro_export]
macro_rules! dtypes_by_category {
    ($types:tt; $callback:tt $(:: $path:ident)* { $($arguments:tt)* }) => {
        $crate::dtype_rows! {
            $types; $crate::sections_by_category { [$callback $(:: $path)*] $($arguments)* }
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! sections_by_category {
    (
        { [$callback:tt $(:: $path:ident)*] $($arguments:tt)* }
        boolean { $($boolean:tt)* }
        narrow { $($narrow:tt)* }
        wide { $($wide:tt)* }
        single { $($single:tt)* }
        double { $($double:tt)* }
        complex { $($complex:tt)* }
    ) => {
        $callback $(:: $path)*! {
            { $($arguments)* }
            Bool { $($boolean)* }
            Integral { $($narrow)* $($wide)* }
            Floating { $($single)* $($double)* }
            Complex { $($complex)* }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_are_unique() {
        for (index, own) in ROWS.iter().enumerate() {
            assert_eq!(row(own.number), own);
            for other in &ROWS[..index] {
                assert!(own.names().all(|it| other.names().all(|that| it != that)));
            }
        }
    }

    #[test]
    fn what_is_above_is_in_the_table() {
        for name in ROWS.iter().flat_map(|it| it.widens_to) {
            assert!(ROWS.iter().any(|it| it.variant == *name), "{name}");
        }
    }
}
