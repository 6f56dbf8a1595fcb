//! Structs of Rust whose fields are values of types.

use std::fmt;

use super::clash::Clash;
use super::coerce::Coerce;
use super::describe::Came;
use super::layout::ValueLayout;
use super::refusal::Refusal;
use super::struct_descriptor::Structure;
use super::tensor::compare::Tolerance;
use super::ty::{Type, TypeRef};
use crate::op::native::{Native, NativeType};
use crate::op::value::Value;
use crate::resolve::{Accepts, Kind};
use crate::{Error, Result};

/// What `#[derive(NativeType)]` says of a struct.
pub trait Derived: NativeType {
    /// All of it.
    const DERIVED: &'static Structure;
}

impl Structure {
    /// Whether two real numbers or tensors are close, if the struct says how close that is.
    fn is_close(&self, ty: &dyn Type, a: &Value, b: &Value) -> bool {
        let Some(close) = self.close else { return ty.close(a, b) };
        match (a, b) {
            (Value::Float(x), Value::Float(y)) if x != y => {
                (x - y).abs() <= close * y.abs().max(1.0)
            }
            (Value::Tensor(_), Value::Tensor(_)) => {
                let tolerance = Tolerance {
                    rtol: Some(close),
                    atol: Some(close),
                    allow_remove_inf: false,
                    allow_remove_nan: false,
                };
                tolerance.is_met(a, b)
            }
            _ => ty.close(a, b),
        }
    }
}

/// The type of the values of a struct with `#[derive(NativeType)]`.
#[derive(Clone, Copy, Debug)]
pub struct NativeStruct(&'static Structure);

impl NativeStruct {
    /// That of `T`.
    pub fn of<T: Derived>() -> NativeStruct {
        NativeStruct(T::DERIVED)
    }

    /// That of a struct as data.
    pub fn new(structure: &'static Structure) -> NativeStruct {
        NativeStruct(structure)
    }

    /// The struct.
    pub fn structure(&self) -> &'static Structure {
        self.0
    }

    /// The parts of two values with their types.
    fn pairs<'a>(
        &'a self,
        a: &'a Value,
        b: &'a Value,
    ) -> Option<impl Iterator<Item = (TypeRef, Value, Value)> + 'a> {
        let (Value::Native(a), Value::Native(b)) = (a, b) else { return None };
        if !self.0.has(a) || !self.0.has(b) {
            return None;
        }
        let parts = self.0.parts.iter();
        Some(parts.filter_map(|it| Some(((it.ty)(), (it.get)(a)?, (it.get)(b)?))))
    }
}

impl fmt::Display for NativeStruct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl Type for NativeStruct {
    fn equals(&self, other: &dyn Type) -> bool {
        other.downcast::<NativeStruct>().is_some_and(|it| (it.0.id)() == (self.0.id)())
    }

    fn hash_code(&self) -> u64 {
        self.0.name.bytes().fold(7, |all, it| all.rotate_left(9) ^ u64::from(it))
    }

    fn meet(&self, other: &TypeRef) -> Result<TypeRef, Clash> {
        if self.equals(&**other) {
            return Ok(other.clone());
        }
        Err(Clash::new(format_args!("{self} and {other} have no value in common")))
    }

    fn accepts(&self) -> Accepts {
        let object = Accepts::of(&[Kind::Object]);
        Kind::native_of(self.0.name).map_or(object, |kind| object.or(Accepts::of(&[kind])))
    }

    fn attribute(&self, name: &str) -> Option<(usize, TypeRef)> {
        let at = self.0.parts.iter().position(|it| it.name == name)?;
        Some((at, (self.0.parts[at].ty)()))
    }

    fn part(&self, value: &Value, at: usize) -> Option<Value> {
        let Value::Native(it) = value else { return None };
        (self.0.parts.get(at)?.get)(it)
    }

    fn has(&self, value: &Value) -> bool {
        matches!(value, Value::Native(it) if self.0.has(it))
    }

    fn accept(&self, value: Value, _: Coerce) -> Result<Value, Refusal> {
        if self.has(&value) {
            return Ok(value);
        }
        Err(Refusal::Type(format!("expected {self}, got {}", Came(&value))))
    }

    fn layout(&self) -> Option<ValueLayout> {
        let fields = self.0.parts.iter().filter_map(|it| Some((it.name.to_owned(), it.c?)));
        Some(ValueLayout::of(self.0.c?, fields))
    }

    fn same(&self, a: &Value, b: &Value) -> bool {
        self.pairs(a, b).is_some_and(|mut it| it.all(|(ty, a, b)| ty.same(&a, &b)))
    }

    fn close(&self, a: &Value, b: &Value) -> bool {
        let is_close = |(ty, a, b): (TypeRef, Value, Value)| self.0.is_close(&*ty, &a, &b);
        self.pairs(a, b).is_some_and(|mut it| it.all(is_close))
    }

    fn aliases(&self, a: &Value, b: &Value) -> bool {
        let (Value::Native(a), Value::Native(b)) = (a, b) else { return false };
        let of = |it: &Native| -> Vec<(TypeRef, Value)> {
            let parts = self.0.parts.iter();
            parts.filter_map(|part| Some(((part.ty)(), (part.get)(it)?))).collect()
        };
        let others = of(b);
        of(a).iter().any(|(ty, a)| others.iter().any(|(_, b)| ty.aliases(a, b)))
    }

    fn deep_copy(&self, value: &Value) -> Result<Value> {
        let lost = || Error::wrong_type(format_args!("expected {self}"));
        let Value::Native(own) = value else { return Err(lost()) };
        let mut copy = own.clone();
        for part in self.0.parts {
            let (ty, value) = ((part.ty)(), (part.get)(own).ok_or_else(lost)?);
            // What nobody can change is as good as a copy.
            if !part.is_settable && !ty.aliases(&value, &value) {
                continue;
            }
            let value = ty.deep_copy(&value)?;
            copy = (part.with)(&copy, value).ok_or_else(lost)?;
        }
        Ok(Value::Native(copy))
    }

    fn bytes(&self, value: &Value) -> Option<usize> {
        let Value::Native(own) = value else { return None };
        self.0.parts.iter().map(|it| (it.ty)().bytes(&(it.get)(own)?)).sum()
    }
}
