//! Values of a type, or nothing.

use std::fmt;

use super::clash::Clash;
use super::coerce::Coerce;
use super::refusal::Refusal;
use super::ty::{Type, TypeRef};
use crate::Result;
use crate::op::value::Value;
use crate::resolve::{Accepts, Kind};

/// Values of a type, or nothing.
#[derive(Clone, Debug)]
pub struct OptionalType(TypeRef);

impl OptionalType {
    /// Those of this type, or nothing.
    pub fn new(inner: TypeRef) -> OptionalType {
        OptionalType(inner)
    }

    /// What the values are that are not nothing.
    pub fn of(&self) -> &TypeRef {
        &self.0
    }

    /// What is said of two values that are not nothing; what is nothing equals itself.
    fn pair(a: &Value, b: &Value, is: impl Fn(&Value, &Value) -> bool, nothing: bool) -> bool {
        match (a, b) {
            (Value::None, Value::None) => nothing,
            (Value::None, _) | (_, Value::None) => false,
            (a, b) => is(a, b),
        }
    }
}

impl fmt::Display for OptionalType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}?", self.0)
    }
}

impl Type for OptionalType {
    fn equals(&self, other: &dyn Type) -> bool {
        other.downcast::<OptionalType>().is_some_and(|it| it.0.equals(&*self.0))
    }

    fn hash_code(&self) -> u64 {
        self.0.hash_code().rotate_left(5) ^ 1
    }

    fn meet(&self, other: &TypeRef) -> Result<TypeRef, Clash> {
        if self.equals(&**other) {
            return Ok(other.clone());
        }
        Err(Clash::new(format_args!("{self} and {other} have no value in common")))
    }

    fn accepts(&self) -> Accepts {
        Accepts::of(&[Kind::Object])
    }

    fn has(&self, value: &Value) -> bool {
        matches!(value, Value::None) || self.0.has(value)
    }

    fn wants(&self) -> String {
        format!("{} or None", self.0.wants())
    }

    fn accept(&self, value: Value, how: Coerce) -> Result<Value, Refusal> {
        if let Value::None = value { Ok(value) } else { self.0.accept(value, how) }
    }

    fn same(&self, a: &Value, b: &Value) -> bool {
        OptionalType::pair(a, b, |a, b| self.0.same(a, b), true)
    }

    fn close(&self, a: &Value, b: &Value) -> bool {
        OptionalType::pair(a, b, |a, b| self.0.close(a, b), true)
    }

    fn aliases(&self, a: &Value, b: &Value) -> bool {
        OptionalType::pair(a, b, |a, b| self.0.aliases(a, b), false)
    }

    fn deep_copy(&self, value: &Value) -> Result<Value> {
        if let Value::None = value { Ok(Value::None) } else { self.0.deep_copy(value) }
    }

    fn bytes(&self, value: &Value) -> Option<usize> {
        if let Value::None = value { Some(0) } else { self.0.bytes(value) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Tensor;
    use crate::types::{Plain, Tensors};

    #[test]
    fn nothing_is_a_value_of_it() {
        let ty = OptionalType::new(Arc::new(Plain::Double));
        assert_eq!(ty.to_string(), "float64?");
        assert!(ty.has(&Value::None) && ty.has(&Value::Float(1.0)) && !ty.has(&Value::Int(1)));
        assert!(ty.same(&Value::None, &Value::None) && !ty.same(&Value::None, &Value::Float(0.0)));
        let refusal = ty.accept(Value::Str(String::new()), Coerce::Any).unwrap_err();
        assert_eq!(refusal.message(), "expected a float, got str");
        assert_eq!(ty.bytes(&Value::None), Some(0));
    }

    #[test]
    fn any_tensor_is_one() {
        let ty = OptionalType::new(Arc::new(Tensors));
        let [one, same] =
            [(); 2].map(|()| Value::Tensor(Tensor::from_slice(&[1], &[1.0]).unwrap()));
        assert!(ty.same(&one, &same) && ty.close(&one, &same) && !ty.aliases(&one, &same));
        let copy = ty.deep_copy(&one).unwrap();
        assert!(ty.aliases(&one, &one) && !ty.aliases(&one, &copy));
        let refusal = ty.accept(Value::Float(1.0), Coerce::Any).unwrap_err();
        assert_eq!(refusal.message(), "expected a tensor, got float (1.0)");
    }
}
