//! The type of all tensors, of which nothing more is known.

use std::fmt;

use super::clash::Clash;
use super::coerce::Coerce;
use super::describe::Came;
use super::refusal::Refusal;
use super::tensor::TensorType;
use super::ty::{Type, TypeRef};
use crate::Result;
use crate::op::value::Value;
use crate::resolve::{Accepts, Kind};

/// Tensors of any dtype and shape: what fields of native structs are. Parameters of operators do
/// not take variables of it, of which not even the rank is known.
#[derive(Clone, Copy, Debug)]
pub struct Tensors;

/// What is said of two tensors by the type of the first.
fn pair(a: &Value, b: &Value, is: impl Fn(&TensorType) -> bool) -> bool {
    match (a, b) {
        (Value::Tensor(a), Value::Tensor(_)) => is(&TensorType::of(a)),
        _ => false,
    }
}

impl fmt::Display for Tensors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tensor")
    }
}

impl Type for Tensors {
    fn equals(&self, other: &dyn Type) -> bool {
        other.downcast::<Tensors>().is_some()
    }

    fn hash_code(&self) -> u64 {
        0x7e45
    }

    fn is_super(&self, other: &dyn Type) -> bool {
        self.equals(other) || other.downcast::<TensorType>().is_some()
    }

    fn meet(&self, other: &TypeRef) -> Result<TypeRef, Clash> {
        if self.is_super(&**other) {
            return Ok(other.clone());
        }
        Err(Clash::new(format_args!("{self} and {other} have no value in common")))
    }

    fn accepts(&self) -> Accepts {
        Accepts::of(&[Kind::Object])
    }

    fn has(&self, value: &Value) -> bool {
        matches!(value, Value::Tensor(_))
    }

    fn wants(&self) -> String {
        "a tensor".to_owned()
    }

    fn accept(&self, value: Value, _: Coerce) -> Result<Value, Refusal> {
        if self.has(&value) {
            return Ok(value);
        }
        Err(Refusal::Type(format!("expected a tensor, got {}", Came(&value))))
    }

    fn same(&self, a: &Value, b: &Value) -> bool {
        pair(a, b, |it| it.same(a, b))
    }

    fn close(&self, a: &Value, b: &Value) -> bool {
        pair(a, b, |it| it.close(a, b))
    }

    fn aliases(&self, a: &Value, b: &Value) -> bool {
        pair(a, b, |it| it.aliases(a, b))
    }

    fn deep_copy(&self, value: &Value) -> Result<Value> {
        TensorType::of(value.tensor()?).deep_copy(value)
    }

    fn bytes(&self, value: &Value) -> Option<usize> {
        TensorType::of(value.tensor().ok()?).bytes(value)
    }
}
