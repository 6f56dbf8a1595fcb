//! Values that consist of named parts.

use std::fmt;

use super::clash::Clash;
use super::coerce::Coerce;
use super::describe::Came;
use super::layout::{Layout, ValueLayout};
use super::plain::Plain;
use super::refusal::Refusal;
use super::ty::{Type, TypeRef};
use crate::op::value::Value;
use crate::resolve::{Accepts, Kind};
use crate::{Result, buffer};

/// A part of a structure.
#[derive(Clone, Debug)]
pub struct Field {
    /// What it is called.
    pub name: String,
    /// What it is.
    pub ty: TypeRef,
}

/// The structures of a name and of fields; their values are lists of the fields' values.
///
/// ```
/// use opwright_runtime::op::Value;
/// use opwright_runtime::types::{Coerce, Field, Plain, StructType, Type, TypeRef};
///
/// let double: TypeRef = std::sync::Arc::new(Plain::Double);
/// let field = |name: &str| Field { name: name.to_owned(), ty: double.clone() };
/// let interval = StructType::new("Interval", [field("lo"), field("hi")]);
/// assert_eq!(interval.attribute("hi").map(|(at, _)| at), Some(1));
///
/// let wrong = Value::List(vec![Value::Str("b".to_owned()), Value::Float(1.0)]);
/// let refusal = interval.accept(wrong, Coerce::Natural).unwrap_err();
/// assert_eq!(refusal.message(), "Interval.lo: expected a float, got str");
/// ```
#[derive(Clone, Debug)]
pub struct StructType {
    name: String,
    fields: Vec<Field>,
}

impl StructType {
    /// Those of this name and these fields.
    pub fn new(name: impl Into<String>, fields: impl IntoIterator<Item = Field>) -> StructType {
        StructType { name: name.into(), fields: fields.into_iter().collect() }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its parts, in their order.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// What a field is called in messages: `Interval.lo`.
    pub fn place(&self, field: &Field) -> String {
        format!("{}.{}", self.name, field.name)
    }

    fn is_like(&self, other: &StructType) -> bool {
        let pairs = self.fields.iter().zip(&other.fields);
        self.name == other.name
            && self.fields.len() == other.fields.len()
            && pairs.into_iter().all(|(a, b)| a.name == b.name && a.ty.equals(&*b.ty))
    }

    /// The parts with their types, if the value has as many.
    fn parts<'a>(
        &'a self,
        value: &'a Value,
    ) -> Option<impl Iterator<Item = (&'a dyn Type, &'a Value)> + 'a> {
        let Value::List(items) = value else { return None };
        let is_whole = items.len() == self.fields.len();
        is_whole.then(|| self.fields.iter().map(|it| &*it.ty).zip(items))
    }

    fn pairs(
        &self,
        (a, b): (&Value, &Value),
        is: impl Fn(&dyn Type, &Value, &Value) -> bool,
    ) -> bool {
        match (self.parts(a), self.parts(b)) {
            (Some(a), Some(b)) => a.zip(b).all(|((ty, a), (_, b))| is(ty, a, b)),
            _ => false,
        }
    }
}

impl fmt::Display for StructType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl Type for StructType {
    fn equals(&self, other: &dyn Type) -> bool {
        other.downcast::<StructType>().is_some_and(|it| self.is_like(it))
    }

    fn hash_code(&self) -> u64 {
        let fields = self.fields.iter().map(|it| it.ty.hash_code());
        fields.fold(self.name.len() as u64, |all, it| all.rotate_left(9) ^ it)
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

    fn attribute(&self, name: &str) -> Option<(usize, TypeRef)> {
        let at = self.fields.iter().position(|it| it.name == name)?;
        Some((at, self.fields[at].ty.clone()))
    }

    fn has(&self, value: &Value) -> bool {
        self.parts(value).is_some_and(|mut it| it.all(|(ty, value)| ty.has(value)))
    }

    fn accept(&self, value: Value, how: Coerce) -> Result<Value, Refusal> {
        let items = match value {
            Value::List(items) if items.len() == self.fields.len() => items,
            other => {
                let text = format!("expected {}, got {}", self.wants(), Came(&other));
                return Err(Refusal::Type(text));
            }
        };
        let pairs = self.fields.iter().zip(items);
        let parts = pairs.map(|(field, it)| {
            field.ty.accept(it, how).map_err(|refusal| refusal.at(self.place(field)))
        });
        parts.collect::<Result<_, _>>().map(Value::List)
    }

    fn layout(&self) -> Option<ValueLayout> {
        let of = |it: &TypeRef| it.downcast::<Plain>().and_then(|it| Layout::of_plain(*it));
        let fields = self.fields.iter();
        let fields = fields.map(|it| (it.name.clone(), of(&it.ty).unwrap_or(Layout::POINTER)));
        Some(ValueLayout::of("struct", fields))
    }

    fn same(&self, a: &Value, b: &Value) -> bool {
        self.pairs((a, b), |ty, a, b| ty.same(a, b))
    }

    fn close(&self, a: &Value, b: &Value) -> bool {
        self.pairs((a, b), |ty, a, b| ty.close(a, b))
    }

    fn aliases(&self, a: &Value, b: &Value) -> bool {
        let (Some(a), Some(b)) = (self.parts(a), self.parts(b)) else { return false };
        let others: Vec<_> = b.collect();
        a.into_iter().any(|(ty, a)| others.iter().any(|(_, b)| ty.aliases(a, b)))
    }

    fn deep_copy(&self, value: &Value) -> Result<Value> {
        let Some(parts) = self.parts(value) else { return Ok(value.clone()) };
        buffer::try_collected(parts.map(|(ty, it)| ty.deep_copy(it))).map(Value::List)
    }

    fn bytes(&self, value: &Value) -> Option<usize> {
        self.parts(value)?.map(|(ty, it)| ty.bytes(it)).sum()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::types::{Plain, TensorType};
    use crate::{DType, Tensor};

    fn tagged() -> StructType {
        let fields: [(&str, TypeRef); 2] = [
            ("weight", Arc::new(Plain::Double)),
            ("tags", TensorType::new(DType::Int8, [None]).shared()),
        ];
        StructType::new("Tagged", fields.map(|(name, ty)| Field { name: name.to_owned(), ty }))
    }

    fn value(weight: f64, tags: &[i8]) -> Value {
        let tags = Tensor::from_slice(&[tags.len() as i64], tags).unwrap();
        Value::List(vec![Value::Float(weight), Value::Tensor(tags)])
    }

    #[test]
    fn parts_are_taken_compared_and_copied_one_by_one() {
        let ty = tagged();
        let given = Value::List(vec![Value::Int(2), Value::List(vec![Value::Int(7)])]);
        let taken = ty.accept(given, Coerce::Natural).unwrap();
        assert!(ty.has(&taken) && ty.same(&taken, &value(2.0, &[7])));
        assert!(!ty.same(&taken, &value(2.0, &[8])));
        assert!(ty.aliases(&taken, &taken));
        assert!(!ty.aliases(&taken, &ty.deep_copy(&taken).unwrap()));
        assert_eq!(ty.bytes(&value(1.0, &[1, 2, 3])), Some(8 + 3));
    }

    #[test]
    fn another_name_is_another_type() {
        let other = StructType::new("Other", tagged().fields().to_vec());
        assert!(tagged().equals(&tagged()) && !tagged().equals(&other));
        let refusal = tagged().accept(Value::Int(3), Coerce::Any).unwrap_err();
        assert_eq!(refusal.message(), "expected a value of Tagged, got int (3)");
    }
}
