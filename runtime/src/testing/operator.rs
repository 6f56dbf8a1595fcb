//! A row of a crate's table of operators: what is declared of an overload, and a way to call it.

use std::fmt;

use super::Value;
use crate::Result;

/// An overload of an operator, as the build script describes it.
#[derive(Clone, Copy, Debug)]
pub struct Operator {
    /// Its name with that of the overload.
    pub name: &'static str,
    /// Its schema.
    pub schema: &'static str,
    /// What it takes, in order.
    pub params: &'static [Param],
    /// What it returns; what is also written to is not returned again in Rust.
    pub results: &'static [Slot],
    /// The overload that writes the same to its first tensor, if there is one.
    pub in_place: Option<&'static str>,
    /// The overload that writes the same to tensors that are passed for that, if there is one.
    pub out: Option<&'static str>,
    /// Calls it with a value for each parameter.
    pub call: fn(&mut [Value]) -> Result<Vec<Value>>,
}

/// A parameter.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// What is declared of it.
    pub slot: Slot,
    /// Its default.
    pub default: Option<fn() -> Value>,
    /// Whether it only receives results.
    pub is_out: bool,
}

/// What is declared of a parameter or of a result.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// Its name; empty for a result without one.
    pub name: &'static str,
    /// Its type.
    pub ty: Type,
    /// The letters of its alias sets; `*` for all of them.
    pub sets: &'static str,
    /// Whether it is written to.
    pub writes: bool,
}

/// A type of the schema language that has values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// `Tensor`
    Tensor,
    /// `int`, `SymInt`
    Int,
    /// `bool`
    Bool,
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
    /// `T?`
    Optional(&'static Type),
    /// `T[]`
    List(&'static Type),
}

impl Operator {
    /// The name without that of the overload, and without the underscore of an in-place operator.
    pub fn base_name(&self) -> &'static str {
        let base = self.name.split_once('.').map_or(self.name, |(base, _)| base);
        if base.ends_with("__") { base } else { base.strip_suffix('_').unwrap_or(base) }
    }

    /// The results that are returned in Rust.
    pub(super) fn returned(&self) -> impl Iterator<Item = &'static Slot> {
        self.results.iter().filter(|it| !it.writes)
    }
}

impl Param {
    /// A parameter with all that is declared of it.
    pub const fn new(slot: Slot, default: Option<fn() -> Value>, is_out: bool) -> Param {
        Param { slot, default, is_out }
    }
}

impl Slot {
    /// A parameter or a result with all that is declared of it.
    pub const fn new(name: &'static str, ty: Type, sets: &'static str, writes: bool) -> Slot {
        Slot { name, ty, sets, writes }
    }

    /// Whether a result of this kind may be part of what was passed for `param`.
    pub(super) fn may_be_part_of(&self, param: &Slot) -> bool {
        let any = |slot: &Slot| slot.sets.contains('*');
        let common = self.sets.chars().any(|it| param.sets.contains(it));
        common || (any(param) && !self.sets.is_empty()) || (any(self) && !param.sets.is_empty())
    }
}

impl Type {
    /// Whether a value is of this type.
    pub(super) fn has(&self, value: &Value) -> bool {
        match (self, value) {
            (Type::Optional(_), Value::None)
            | (Type::Tensor, Value::Tensor(_))
            | (Type::Int, Value::Int(_))
            | (Type::Bool, Value::Bool(_))
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
            (Type::List(inner), Value::List(items)) => items.iter().all(|it| inner.has(it)),
            _ => false,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self {
            Type::Optional(inner) => return write!(f, "{inner}?"),
            Type::List(inner) => return write!(f, "{inner}[]"),
            Type::Tensor => "Tensor",
            Type::Int => "int",
            Type::Bool => "bool",
            Type::Float => "float",
            Type::Scalar => "Scalar",
            Type::Str => "str",
            Type::DType => "ScalarType",
            Type::Layout => "Layout",
            Type::Device => "Device",
            Type::MemoryFormat => "MemoryFormat",
            Type::Generator => "Generator",
            Type::Storage => "Storage",
        };
        f.write_str(word)
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let write = if self.writes { "!" } else { "" };
        match self.sets {
            "" => self.ty.fmt(f),
            sets => write!(f, "{}({sets}{write})", self.ty),
        }
    }
}
