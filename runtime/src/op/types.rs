//! The types of the schema language, of which operators' parameters and results are.

use std::fmt;

use opwright_tables::{StrEnum, type_rows};

use super::value::Value;
use crate::resolve::Kind;

macro_rules! types {
    (
        valued { $($(#[$doc:meta])* $ty:ident $word:literal => $row:expr;)* }
        str_enum { $($(#[$str_doc:meta])* $str_enum:ident $str_word:literal => $str_row:expr;)* }
        empty { $($(#[$empty_doc:meta])* $empty:ident $empty_word:literal => $empty_row:expr;)* }
        absent { $($absent:tt)* }
    ) => {
        /// A type of the schema language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Type {
            $($(#[$doc])* $ty,)*
            $($(#[$empty_doc])* $empty,)*
            /// One of the words of an enumeration
            StrEnum(&'static StrEnum),
            /// A type of a crate's own: its name, and which of the crate's it is
            Native(&'static str, u8),
            /// `T?`
            Optional(&'static Type),
            /// `T[]`, or `T[2]`: a single value stands for so many
            List(&'static Type, Option<u32>),
        }

        impl Type {
            /// All but those that are made of others, and those of crates.
            pub const ALL: &'static [Type] = &[
                $(Type::$ty,)*
                $(Type::StrEnum(opwright_tables::str_enum::$str_enum::ROW),)*
                $(Type::$empty,)*
            ];

            /// Those of which there are no values.
            const EMPTY: &'static [Type] = &[$(Type::$empty,)*];
        }

        impl fmt::Display for Type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Type::$ty => f.write_str($word),)*
                    $(Type::$empty => f.write_str($empty_word),)*
                    Type::StrEnum(row) => f.write_str(row.name),
                    Type::Native(name, _) => f.write_str(name),
                    Type::Optional(inner) => write!(f, "{inner}?"),
                    Type::List(inner, None) => write!(f, "{inner}[]"),
                    Type::List(inner, Some(size)) => write!(f, "{inner}[{size}]"),
                }
            }
        }
    };
}

type_rows! { types }

impl Type {
    /// Whether there are values of this type.
    pub fn has_values(&self) -> bool {
        match self {
            Type::Optional(inner) | Type::List(inner, _) => inner.has_values(),
            other => !Type::EMPTY.contains(other),
        }
    }

    /// What the resolver takes for a parameter of this type.
    pub const fn kind(&self) -> Kind {
        match self {
            Type::Tensor => Kind::Tensor,
            Type::Int | Type::DeviceIndex => Kind::Int,
            Type::SymInt => Kind::SymInt,
            Type::Bool | Type::SymBool => Kind::Bool,
            Type::Float => Kind::Float,
            Type::Scalar => Kind::Scalar,
            Type::Str | Type::StrEnum(_) => Kind::Str,
            Type::ScalarType => Kind::DType,
            Type::Layout => Kind::Layout,
            Type::Device => Kind::Device,
            Type::MemoryFormat => Kind::MemoryFormat,
            Type::Reduction => Kind::Reduction,
            Type::Generator => Kind::Generator,
            Type::Storage => Kind::Storage,
            Type::Dimname => Kind::Dimname,
            Type::Stream => Kind::Stream,
            Type::Native(_, number) => Kind::native(*number),
            Type::Optional(inner) => inner.kind(),
            Type::List(element, size) => element.kind_of_list(size.is_some()),
        }
    }

    /// Whether a value is of this type.
    pub fn has(&self, value: &Value) -> bool {
        match self {
            Type::Tensor => matches!(value, Value::Tensor(_)),
            Type::Int | Type::SymInt | Type::DeviceIndex => matches!(value, Value::Int(_)),
            Type::Bool | Type::SymBool => matches!(value, Value::Bool(_)),
            Type::Float => matches!(value, Value::Float(_)),
            Type::Scalar => matches!(
                value,
                Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Complex(_)
            ),
            Type::Str | Type::StrEnum(_) => matches!(value, Value::Str(_)),
            Type::ScalarType => matches!(value, Value::DType(_)),
            Type::Layout => matches!(value, Value::Layout(_)),
            Type::Device => matches!(value, Value::Device(_)),
            Type::MemoryFormat => matches!(value, Value::MemoryFormat(_)),
            Type::Reduction => matches!(value, Value::Int(_)),
            Type::Generator => matches!(value, Value::Generator(_)),
            Type::Storage => matches!(value, Value::Storage(_)),
            Type::Dimname | Type::Stream => false,
            Type::Native(name, _) => matches!(value, Value::Native(it) if it.name() == *name),
            Type::Optional(inner) => matches!(value, Value::None) || inner.has(value),
            Type::List(inner, _) => {
                matches!(value, Value::List(items) if items.iter().all(|it| inner.has(it)))
            }
        }
    }

    const fn kind_of_list(&self, is_sized: bool) -> Kind {
        match self {
            Type::Optional(Type::Tensor) => Kind::OptionalTensorList,
            Type::Optional(inner) => inner.kind_of_list(is_sized),
            Type::Int | Type::SymInt | Type::DeviceIndex if is_sized => Kind::IntListOrInt,
            // Elements are taken as loosely as single integers ever are.
            Type::Int | Type::DeviceIndex => Kind::SymInt.list(),
            Type::List(..) | Type::Reduction => Kind::Object,
            element => element.kind().list(),
        }
    }
}
