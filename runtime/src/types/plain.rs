//! The types of the host's plain values: numbers, texts, dtypes and the like.

use std::fmt;

use super::{Clash, Coerce, Refusal, Type, TypeRef};
use crate::op::Value;
use crate::resolve::{Accepts, Kind};
use crate::{DType, Result};

macro_rules! plain {
    ($($(#[$doc:meta])* $variant:ident $name:literal [$($kind:ident),*] $values:pat,)*) => {
        /// A set of values of one type of the host's language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Plain {
            $($(#[$doc])* $variant,)*
        }

        impl Plain {
            /// All of them.
            pub const ALL: &'static [Plain] = &[$(Plain::$variant),*];

            /// What it is called.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Plain::$variant => $name,)*
                }
            }

            const fn kinds(self) -> Accepts {
                match self {
                    $(Plain::$variant => Accepts::of(&[$(Kind::$kind,)* Kind::Object]),)*
                }
            }

            /// Whether it is one of its values.
            pub fn of_value(self, value: &Value) -> bool {
                match (self, value) {
                    $((Plain::$variant, $values) => true,)*
                    _ => false,
                }
            }
        }
    };
}

plain! {
    /// Real numbers
    Double "double" [Float, Scalar, TensorOrNumber] Value::Float(_),
    /// Integers
    Int64 "int64" [Int, SymInt, IntListOrInt, Float, Scalar, TensorOrNumber] Value::Int(_),
    /// `True` and `False`
    Boolean "bool" [Bool, Float, Scalar, TensorOrNumber] Value::Bool(_),
    /// Complex numbers
    Complex128 "complex128" [Scalar, TensorOrNumber] Value::Complex(_),
    /// Texts
    Text "str" [Str] Value::Str(_),
    /// Nothing
    Nothing "none" [] Value::None,
    /// Dtypes
    DType "dtype" [DType] Value::DType(_),
    /// Devices
    Device "device" [Device] Value::Device(_),
    /// Layouts
    Layout "layout" [Layout] Value::Layout(_),
    /// Orders of elements in memory
    MemoryFormat "memory_format" [MemoryFormat] Value::MemoryFormat(_),
    /// Sources of random numbers
    Generator "generator" [Generator] Value::Generator(_),
}

impl Plain {
    /// The type of the numbers that an element of this dtype is.
    pub const fn of_dtype(dtype: DType) -> Plain {
        if dtype.is_boolean() {
            Plain::Boolean
        } else if dtype.is_integral() {
            Plain::Int64
        } else if dtype.is_complex_number() {
            Plain::Complex128
        } else {
            Plain::Double
        }
    }

    /// Whether its values are numbers.
    pub const fn is_number(self) -> bool {
        matches!(self, Plain::Double | Plain::Int64 | Plain::Boolean | Plain::Complex128)
    }
}

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Type for Plain {
    fn equals(&self, other: &dyn Type) -> bool {
        other.downcast::<Plain>() == Some(self)
    }

    fn hash_code(&self) -> u64 {
        *self as u64
    }

    fn meet(&self, other: &TypeRef) -> Result<TypeRef, Clash> {
        if self.equals(&**other) {
            return Ok(other.clone());
        }
        Err(Clash::new(format_args!("{self} and {other} have no value in common")))
    }

    fn accepts(&self) -> Accepts {
        let nothing = if *self == Plain::Nothing { Accepts::NONE } else { Accepts::NOTHING };
        self.kinds().or(nothing)
    }

    fn element(&self) -> Option<DType> {
        match self {
            Plain::Double => Some(DType::Float64),
            Plain::Int64 => Some(DType::Int64),
            Plain::Boolean => Some(DType::Bool),
            Plain::Complex128 => Some(DType::Complex128),
            _ => None,
        }
    }

    fn has(&self, value: &Value) -> bool {
        self.of_value(value)
    }

    fn accept(&self, value: Value, _how: Coerce) -> Result<Value, Refusal> {
        if self.of_value(&value) {
            return Ok(value);
        }
        Err(Refusal::Type(format!("{self} takes no such value")))
    }

    fn same(&self, a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Float(a), Value::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
            (Value::Complex(a), Value::Complex(b)) => a == b,
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Str(a), Value::Str(b)) => a == b,
            (Value::DType(a), Value::DType(b)) => a == b,
            (Value::None, Value::None) => true,
            _ => false,
        }
    }

    fn deep_copy(&self, value: &Value) -> Result<Value> {
        Ok(value.clone())
    }
}
