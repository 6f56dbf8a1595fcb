//! The trait of types: sets of values, and how two of their values are compared.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::clash::Clash;
use super::coerce::Coerce;
use super::layout::ValueLayout;
use super::refusal::Refusal;
use crate::op::value::Value;
use crate::resolve::Accepts;
use crate::{DType, Result};

/// A type that is shared.
pub type TypeRef = Arc<dyn Type>;

/// A set of values.
pub trait Type: Any + fmt::Display + fmt::Debug + Send + Sync {
    /// Whether both are the same set.
    fn equals(&self, other: &dyn Type) -> bool;

    /// Equal types have equal hashes.
    fn hash_code(&self) -> u64;

    /// Whether every value of `other` is one of this type.
    fn is_super(&self, other: &dyn Type) -> bool {
        self.equals(other)
    }

    /// Whether they differ in nothing that rules look at: of tensors, which dimensions are
    /// broadcast.
    fn in_same_class(&self, other: &dyn Type) -> bool {
        self.equals(other)
    }

    /// The set of the values that are of both types.
    ///
    /// # Errors
    ///
    /// Why there are none.
    fn meet(&self, other: &TypeRef) -> Result<TypeRef, Clash>;

    /// Which parameters of operators take a variable of it.
    fn accepts(&self) -> Accepts;

    /// The dtype of its elements, if it has such.
    fn element(&self) -> Option<DType> {
        None
    }

    /// What a value of this type has under a name, if it has parts: where it stands among them,
    /// and its type.
    fn attribute(&self, _name: &str) -> Option<(usize, TypeRef)> {
        None
    }

    /// The part of a value that stands there among its parts.
    fn part(&self, value: &Value, at: usize) -> Option<Value> {
        if let Value::List(parts) = value { parts.get(at).cloned() } else { None }
    }

    /// What a variable of it is before something was computed.
    fn init(&self) -> Value {
        Value::None
    }

    /// Whether it is one of its values.
    fn has(&self, value: &Value) -> bool;

    /// What it takes, for messages: `a float`.
    fn wants(&self) -> String {
        format!("a value of {self}")
    }

    /// Brings a value into it, as loosely as `how` says.
    ///
    /// # Errors
    ///
    /// Why it is refused.
    fn accept(&self, value: Value, how: Coerce) -> Result<Value, Refusal>;

    /// Whether both are equal; not a number equals itself.
    fn same(&self, a: &Value, b: &Value) -> bool;

    /// Whether both are equal but for rounding.
    fn close(&self, a: &Value, b: &Value) -> bool {
        self.same(a, b)
    }

    /// Whether a change of one may be seen in the other.
    fn aliases(&self, _a: &Value, _b: &Value) -> bool {
        false
    }

    /// A value that shares nothing with this one.
    ///
    /// # Errors
    ///
    /// `Memory`, and what the type's own code reports.
    fn deep_copy(&self, value: &Value) -> Result<Value>;

    /// How many bytes a value takes, if that is known.
    fn bytes(&self, _value: &Value) -> Option<usize> {
        None
    }

    /// What C finds in memory of its values, if it can look into them.
    fn layout(&self) -> Option<ValueLayout> {
        None
    }

    /// What pictures of graphs show of a value, if only the type can say that.
    fn text(&self, _value: &Value) -> Option<String> {
        None
    }
}

impl dyn Type {
    /// The type itself, if it is a `T`.
    pub fn downcast<T: Type>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }
}

impl PartialEq for dyn Type {
    fn eq(&self, other: &dyn Type) -> bool {
        self.equals(other)
    }
}
