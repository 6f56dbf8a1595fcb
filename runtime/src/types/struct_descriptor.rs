//! Descriptors of structs of Rust: what `#[derive(NativeType)]` says of them and of their fields.

use std::any::TypeId;

use super::layout::{FieldOffsets, Layout};
use super::ty::TypeRef;
use crate::op::native::Native;
use crate::op::value::Value;

/// A struct of Rust, as data.
#[derive(Debug)]
pub struct Structure {
    /// What it is called.
    pub name: &'static str,
    /// What is said of it.
    pub doc: &'static str,
    /// What C calls it, `struct interval`, if C programs may look into it.
    pub c: Option<&'static str>,
    /// By how much real numbers may differ, absolutely or relatively, and be close.
    pub close: Option<f64>,
    /// The fields that are seen outside, in their order.
    pub parts: &'static [StructField],
    /// Which type of Rust it is.
    pub id: fn() -> TypeId,
    /// Makes one of the values of its parts.
    pub make: fn(Vec<Value>) -> Option<Native>,
    /// Whether both are equal, as the struct says.
    pub equal: fn(&Native, &Native) -> bool,
}

/// A field of a struct.
#[derive(Debug)]
pub struct StructField {
    /// What it is called.
    pub name: &'static str,
    /// What is said of it.
    pub doc: &'static str,
    /// Whether it may be set.
    pub is_settable: bool,
    /// Where C sees it.
    pub c: Option<Layout>,
    /// What it is.
    pub ty: fn() -> TypeRef,
    /// What it is if nothing is said.
    pub default: Option<fn() -> Value>,
    /// What it is in a struct of the type.
    pub get: fn(&Native) -> Option<Value>,
    /// The struct with another value there.
    pub with: fn(&Native, Value) -> Option<Native>,
}

impl Structure {
    /// What a field is called in messages: `Interval.lo`.
    pub fn place(&self, part: &StructField) -> String {
        format!("{}.{}", self.name, part.name)
    }

    /// Whether it is one of these structs.
    pub fn has(&self, value: &Native) -> bool {
        value.id() == (self.id)()
    }
}

impl Layout {
    /// A struct, if C sees its fields; else something elsewhere.
    pub(super) const fn of_struct(structure: &Structure) -> Layout {
        let Some(name) = structure.c else { return Layout::POINTER };
        let (mut fields, mut at) = (FieldOffsets::NONE, 0);
        while at < structure.parts.len() {
            if let Some(part) = structure.parts[at].c {
                fields.push(part);
            }
            at += 1;
        }
        fields.layout(name)
    }
}
