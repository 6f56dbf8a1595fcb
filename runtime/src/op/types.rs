//! The types of the schema language.

use std::fmt;

use super::Value;
use crate::resolve::Kind;

/// A type of the schema language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `Tensor`
    Tensor,
    /// `int`
    Int,
    /// `SymInt`
    SymInt,
    /// `DeviceIndex`
    DeviceIndex,
    /// `bool`
    Bool,
    /// `SymBool`
    SymBool,
    /// `float`
    Float,
    /// `Scalar`
    Scalar,
    /// `str`
    Str,
    /// `ScalarType`
    DType,
    /// `Layout`
    Layout,
    /// `Device`
    Device,
    /// `MemoryFormat`
    MemoryFormat,
    /// `Generator`
    Generator,
    /// `Storage`
    Storage,
    /// `Dimname`, of which there are no values
    Dimname,
    /// `Stream`, of which there are no values
    Stream,
    /// `T?`
    Optional(&'static Type),
    /// `T[]`, or `T[2]`: a single value stands for so many
    List(&'static Type, Option<u32>),
}

impl Type {
    /// Whether a value is of this type.
    pub fn has(&self, value: &Value) -> bool {
        match (self, value) {
            (Type::Optional(_), Value::None)
            | (Type::Tensor, Value::Tensor(_))
            | (Type::Int | Type::SymInt | Type::DeviceIndex, Value::Int(_))
            | (Type::Bool | Type::SymBool, Value::Bool(_))
            | (Type::Float, Value::Float(_))
            | (Type::Str, Value::Str(_))
            | (Type::DType, Value::DType(_))
            | (Type::Layout, Value::Layout(_))
            | (Type::Device, Value::Device(_))
            | (Type::MemoryFormat, Value::MemoryFormat(_))
            | (Type::Generator, Value::Generator(_))
            | (Type::Storage, Value::Storage(_)) => true,
            (Type::Scalar, value) => value.scalar().is_ok(),
            (Type::Optional(inner), value) => inner.has(value),
            (Type::List(inner, _), Value::List(items)) => items.iter().all(|it| inner.has(it)),
            _ => false,
        }
    }

    /// The kind of a parameter of this type.
    pub const fn kind(&self) -> Kind {
        match self {
            Type::Tensor => Kind::Tensor,
            Type::Int | Type::DeviceIndex => Kind::Int,
            Type::SymInt => Kind::SymInt,
            Type::Bool | Type::SymBool => Kind::Bool,
            Type::Float => Kind::Float,
            Type::Scalar => Kind::Scalar,
            Type::Str => Kind::Str,
            Type::DType => Kind::DType,
            Type::Layout => Kind::Layout,
            Type::Device => Kind::Device,
            Type::MemoryFormat => Kind::MemoryFormat,
            Type::Generator => Kind::Generator,
            Type::Storage => Kind::Storage,
            Type::Dimname => Kind::Dimname,
            Type::Stream => Kind::Stream,
            Type::Optional(inner) => inner.kind(),
            Type::List(element, size) => element.kind_of_list(size.is_some()),
        }
    }

    const fn kind_of_list(&self, is_sized: bool) -> Kind {
        match self {
            Type::Optional(Type::Tensor) => Kind::OptionalTensorList,
            Type::Optional(inner) => inner.kind_of_list(is_sized),
            Type::Tensor => Kind::TensorList,
            Type::Int | Type::SymInt | Type::DeviceIndex if is_sized => Kind::IntListOrInt,
            Type::Int | Type::SymInt | Type::DeviceIndex => Kind::IntList,
            Type::Float => Kind::FloatList,
            Type::Bool | Type::SymBool => Kind::BoolList,
            Type::Scalar => Kind::ScalarList,
            Type::Dimname => Kind::DimnameList,
            _ => Kind::Object,
        }
    }

    /// Whether there are values of this type.
    pub fn has_values(&self) -> bool {
        match self {
            Type::Dimname | Type::Stream => false,
            Type::Optional(inner) | Type::List(inner, _) => inner.has_values(),
            _ => true,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self {
            Type::Optional(inner) => return write!(f, "{inner}?"),
            Type::List(inner, None) => return write!(f, "{inner}[]"),
            Type::List(inner, Some(size)) => return write!(f, "{inner}[{size}]"),
            Type::Tensor => "Tensor",
            Type::Int => "int",
            Type::SymInt => "SymInt",
            Type::DeviceIndex => "DeviceIndex",
            Type::Bool => "bool",
            Type::SymBool => "SymBool",
            Type::Float => "float",
            Type::Scalar => "Scalar",
            Type::Str => "str",
            Type::DType => "ScalarType",
            Type::Layout => "Layout",
            Type::Device => "Device",
            Type::MemoryFormat => "MemoryFormat",
            Type::Generator => "Generator",
            Type::Storage => "Storage",
            Type::Dimname => "Dimname",
            Type::Stream => "Stream",
        };
        f.write_str(word)
    }
}
