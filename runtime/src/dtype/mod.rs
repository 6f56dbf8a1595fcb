//! Element types.
//!
//! [`DType`] is the value that a tensor carries; [`Element`] is the Rust type
//! behind it; [`dispatch!`](crate::dispatch!) goes from the one to the other.

mod bind;
mod category;
mod default;
mod element;

use std::fmt;

pub use self::category::{
    Bits, Category, ComplexNumber, Float, FloatOrComplex, Integer, Number, Ordered, Real,
};
pub use self::default::{default_dtype, set_default_dtype};
pub use self::element::Element;

/// The type of a tensor's elements.
///
/// ```
/// use opwright_runtime::{DType, Tensor};
///
/// let x = Tensor::from_slice(&[2], &[1.5_f32, -2.0])?;
/// assert_eq!(x.dtype(), DType::Float32);
/// assert_eq!(x.to_dtype(DType::Int64)?.to_vec::<i64>()?, [1, -2]);
/// assert_eq!(DType::from_name("complex64"), Some(DType::Complex64));
/// assert_eq!(DType::Complex64.to_real().size(), 4);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum DType {
    /// `bool`
    Bool,
    /// `u8`
    UInt8,
    /// `i8`
    Int8,
    /// `i16`
    Int16,
    /// `i32`
    Int32,
    /// `i64`
    Int64,
    /// IEEE half precision
    Float16,
    /// The upper half of an `f32`
    BFloat16,
    /// `f32`
    Float32,
    /// `f64`
    Float64,
    /// Two `f32`
    Complex64,
    /// Two `f64`
    Complex128,
}

impl DType {
    /// Every dtype, in the order of the enumeration.
    pub const ALL: [DType; 12] = [
        DType::Bool,
        DType::UInt8,
        DType::Int8,
        DType::Int16,
        DType::Int32,
        DType::Int64,
        DType::Float16,
        DType::BFloat16,
        DType::Float32,
        DType::Float64,
        DType::Complex64,
        DType::Complex128,
    ];

    /// The name in numpy's manner: `float32`.
    pub const fn name(self) -> &'static str {
        match self {
            DType::Bool => "bool",
            DType::UInt8 => "uint8",
            DType::Int8 => "int8",
            DType::Int16 => "int16",
            DType::Int32 => "int32",
            DType::Int64 => "int64",
            DType::Float16 => "float16",
            DType::BFloat16 => "bfloat16",
            DType::Float32 => "float32",
            DType::Float64 => "float64",
            DType::Complex64 => "complex64",
            DType::Complex128 => "complex128",
        }
    }

    /// The second name that upstream gives most dtypes: `long` for `int64`.
    pub const fn alias(self) -> Option<&'static str> {
        match self {
            DType::Int16 => Some("short"),
            DType::Int32 => Some("int"),
            DType::Int64 => Some("long"),
            DType::Float16 => Some("half"),
            DType::Float32 => Some("float"),
            DType::Float64 => Some("double"),
            DType::Complex64 => Some("cfloat"),
            DType::Complex128 => Some("cdouble"),
            DType::Bool | DType::UInt8 | DType::Int8 | DType::BFloat16 => None,
        }
    }

    /// The name in upstream's error messages: `Float` for `float32`.
    pub const fn title(self) -> &'static str {
        match self {
            DType::Bool => "Bool",
            DType::UInt8 => "Byte",
            DType::Int8 => "Char",
            DType::Int16 => "Short",
            DType::Int32 => "Int",
            DType::Int64 => "Long",
            DType::Float16 => "Half",
            DType::BFloat16 => "BFloat16",
            DType::Float32 => "Float",
            DType::Float64 => "Double",
            DType::Complex64 => "ComplexFloat",
            DType::Complex128 => "ComplexDouble",
        }
    }

    /// The shortest name: `f32`.
    pub const fn short_name(self) -> &'static str {
        match self {
            DType::Bool => "b8",
            DType::UInt8 => "u8",
            DType::Int8 => "i8",
            DType::Int16 => "i16",
            DType::Int32 => "i32",
            DType::Int64 => "i64",
            DType::Float16 => "f16",
            DType::BFloat16 => "bf16",
            DType::Float32 => "f32",
            DType::Float64 => "f64",
            DType::Complex64 => "c64",
            DType::Complex128 => "c128",
        }
    }

    /// The dtype of this [name](DType::name) or [alias](DType::alias).
    pub fn from_name(name: &str) -> Option<DType> {
        DType::ALL.into_iter().find(|it| it.name() == name || it.alias() == Some(name))
    }

    /// The bytes of one element.
    #[inline]
    pub const fn size(self) -> usize {
        match self {
            DType::Bool | DType::UInt8 | DType::Int8 => 1,
            DType::Int16 | DType::Float16 | DType::BFloat16 => 2,
            DType::Int32 | DType::Float32 => 4,
            DType::Int64 | DType::Float64 | DType::Complex64 => 8,
            DType::Complex128 => 16,
        }
    }

    /// The category, by which promotion goes first.
    #[inline]
    pub const fn category(self) -> Category {
        match self {
            DType::Bool => Category::Bool,
            DType::UInt8 | DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64 => {
                Category::Integral
            }
            DType::Float16 | DType::BFloat16 | DType::Float32 | DType::Float64 => {
                Category::Floating
            }
            DType::Complex64 | DType::Complex128 => Category::Complex,
        }
    }

    /// Whether this is `bool`.
    #[inline]
    pub const fn is_boolean(self) -> bool {
        matches!(self.category(), Category::Bool)
    }

    /// Whether this is an integer type; `bool` is none.
    #[inline]
    pub const fn is_integral(self) -> bool {
        matches!(self.category(), Category::Integral)
    }

    /// Whether this is a real floating type.
    #[inline]
    pub const fn is_floating(self) -> bool {
        matches!(self.category(), Category::Floating)
    }

    /// Whether this is a pair of floating numbers.
    #[inline]
    pub const fn is_complex_number(self) -> bool {
        matches!(self.category(), Category::Complex)
    }

    /// Whether negative numbers can be represented.
    #[inline]
    pub const fn is_signed_number(self) -> bool {
        !matches!(self, DType::Bool | DType::UInt8)
    }

    /// The type of the parts of a complex dtype; any other is its own.
    #[inline]
    pub const fn to_real(self) -> DType {
        match self {
            DType::Complex64 => DType::Float32,
            DType::Complex128 => DType::Float64,
            other => other,
        }
    }

    /// The complex dtype whose parts can hold this one.
    ///
    /// There is no complex type of half precision, so both half types give
    /// [`DType::Complex64`], as do all that are not floating.
    #[inline]
    pub const fn to_complex(self) -> DType {
        match self {
            DType::Float64 | DType::Complex128 => DType::Complex128,
            _ => DType::Complex64,
        }
    }

    /// This dtype if it is floating or complex, else the default dtype.
    #[inline]
    pub fn to_floating(self) -> DType {
        match self.category() {
            Category::Bool | Category::Integral => default_dtype(),
            Category::Floating | Category::Complex => self,
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_find_their_dtype() {
        for dtype in DType::ALL {
            assert_eq!(DType::from_name(dtype.name()), Some(dtype));
            if let Some(alias) = dtype.alias() {
                assert_eq!(DType::from_name(alias), Some(dtype));
            }
        }
        assert_eq!(DType::from_name("float8"), None);
    }

    #[test]
    fn the_enumeration_is_the_order_of_all() {
        for (index, dtype) in DType::ALL.into_iter().enumerate() {
            assert_eq!(dtype as usize, index);
        }
    }
}
