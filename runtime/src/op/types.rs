//! The types of the schema language.

use std::fmt;

use super::Value;
use crate::resolve::Kind;

macro_rules! types {
    ($($ty:ident $word:literal $kind:ident: $values:pat,)*) => {
        /// A type of the schema language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Type {
            $(
                #[doc = concat!("`", $word, "`")]
                $ty,
            )*
            /// `Dimname`, of which there are no values
            Dimname,
            /// `Stream`, of which there are no values
            Stream,
            /// A type of a crate's own: its name, and which of the crate's it is
            Native(&'static str, u8),
            /// `T?`
            Optional(&'static Type),
            /// `T[]`, or `T[2]`: a single value stands for so many
            List(&'static Type, Option<u32>),
        }

        impl Type {
            /// All but those that are made of others, and those of crates.
            pub const ALL: &'static [Type] = &[$(Type::$ty,)* Type::Dimname, Type::Stream];

            /// What the resolver takes for a parameter of this type.
            pub const fn kind(&self) -> Kind {
                match self {
                    $(Type::$ty => Kind::$kind,)*
                    Type::Dimname => Kind::Dimname,
                    Type::Stream => Kind::Stream,
                    Type::Native(_, number) => Kind::native(*number),
                    Type::Optional(inner) => inner.kind(),
                    Type::List(element, size) => element.kind_of_list(size.is_some()),
                }
            }

            /// Whether a value is of this type.
            pub fn has(&self, value: &Value) -> bool {
                match (self, value) {
                    $((Type::$ty, $values) => true,)*
                    (Type::Native(name, _), Value::Native(value)) => value.name() == *name,
                    (Type::Optional(_), Value::None) => true,
                    (Type::Optional(inner), value) => inner.has(value),
                    (Type::List(inner, _), Value::List(items)) => items.iter().all(|it| inner.has(it)),
                    _ => false,
                }
            }
        }

        impl fmt::Display for Type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Type::$ty => f.write_str($word),)*
                    Type::Dimname => f.write_str("Dimname"),
                    Type::Stream => f.write_str("Stream"),
                    Type::Native(name, _) => f.write_str(name),
                    Type::Optional(inner) => write!(f, "{inner}?"),
                    Type::List(inner, None) => write!(f, "{inner}[]"),
                    Type::List(inner, Some(size)) => write!(f, "{inner}[{size}]"),
                }
            }
        }
    };
}

types! {
    Tensor "Tensor" Tensor: Value::Tensor(_),
    Int "int" Int: Value::Int(_),
    SymInt "SymInt" SymInt: Value::Int(_),
    DeviceIndex "DeviceIndex" Int: Value::Int(_),
    Bool "bool" Bool: Value::Bool(_),
    SymBool "SymBool" Bool: Value::Bool(_),
    Float "float" Float: Value::Float(_),
    Scalar "Scalar" Scalar: Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Complex(_),
    Str "str" Str: Value::Str(_),
    ScalarType "ScalarType" DType: Value::DType(_),
    Layout "Layout" Layout: Value::Layout(_),
    Device "Device" Device: Value::Device(_),
    MemoryFormat "MemoryFormat" MemoryFormat: Value::MemoryFormat(_),
    Generator "Generator" Generator: Value::Generator(_),
    Storage "Storage" Storage: Value::Storage(_),
}

impl Type {
    const fn kind_of_list(&self, is_sized: bool) -> Kind {
        match self {
            Type::Optional(Type::Tensor) => Kind::OptionalTensorList,
            Type::Optional(inner) => inner.kind_of_list(is_sized),
            Type::Int | Type::SymInt | Type::DeviceIndex if is_sized => Kind::IntListOrInt,
            // Elements are taken as loosely as single integers ever are.
            Type::Int | Type::DeviceIndex => Kind::SymInt.list(),
            Type::List(..) => Kind::Object,
            element => element.kind().list(),
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
