//! Lists of values of one type.

use std::fmt;

use super::clash::Clash;
use super::coerce::Coerce;
use super::describe::Came;
use super::refusal::Refusal;
use super::ty::{Type, TypeRef};
use crate::op::value::Value;
use crate::resolve::{Accepts, Kind};
use crate::{Result, buffer};

/// Lists whose elements are of one type; as many as is said, if it is said.
#[derive(Clone, Debug)]
pub struct ListType {
    element: TypeRef,
    len: Option<usize>,
}

impl ListType {
    /// Lists of values of `element`, of which there are `len` if that is known.
    pub fn new(element: TypeRef, len: Option<usize>) -> ListType {
        ListType { element, len }
    }

    /// The type of an element.
    pub fn of(&self) -> &TypeRef {
        &self.element
    }

    /// How many elements there are.
    pub fn len(&self) -> Option<usize> {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == Some(0)
    }

    /// Whether a list may have as many elements.
    ///
    /// # Errors
    ///
    /// How many it is to have.
    pub fn check_len(&self, len: usize) -> Result<(), Refusal> {
        match self.len {
            Some(known) if known != len => {
                Err(Refusal::Value(format!("expected {}, got {len}", self.wants())))
            }
            _ => Ok(()),
        }
    }

    fn pairs(a: &Value, b: &Value, is: impl Fn(&Value, &Value) -> bool) -> bool {
        let (Value::List(a), Value::List(b)) = (a, b) else { return false };
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is(a, b))
    }
}

impl fmt::Display for ListType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.len {
            Some(len) => write!(f, "{}[{len}]", self.element),
            None => write!(f, "{}[]", self.element),
        }
    }
}

impl Type for ListType {
    fn equals(&self, other: &dyn Type) -> bool {
        let same = |it: &ListType| it.len == self.len && it.element.equals(&*self.element);
        other.downcast::<ListType>().is_some_and(same)
    }

    fn hash_code(&self) -> u64 {
        self.element.hash_code().rotate_left(7) ^ self.len.map_or(0, |it| it as u64 + 1)
    }

    fn is_super(&self, other: &dyn Type) -> bool {
        let fits = |it: &ListType| {
            (self.len.is_none() || self.len == it.len) && self.element.is_super(&*it.element)
        };
        other.downcast::<ListType>().is_some_and(fits)
    }

    fn meet(&self, other: &TypeRef) -> Result<TypeRef, Clash> {
        if self.is_super(&**other) {
            return Ok(other.clone());
        }
        let clash = || Clash::new(format_args!("{self} and {other} have no value in common"));
        let it = other.downcast::<ListType>().ok_or_else(clash)?;
        let element = self.element.meet(&it.element)?;
        match (self.len, it.len) {
            (Some(a), Some(b)) if a != b => Err(clash()),
            (a, b) => Ok(TypeRef::from(Box::new(ListType::new(element, a.or(b))) as Box<dyn Type>)),
        }
    }

    fn accepts(&self) -> Accepts {
        let element = self.element.accepts();
        let lists = element.as_element();
        let ints = element.kind(Kind::SymInt);
        let ints = if ints { Accepts::of(&[Kind::IntListOrInt]) } else { Accepts::NOTHING };
        lists.or(ints).or(Accepts::of(&[Kind::Object]))
    }

    fn has(&self, value: &Value) -> bool {
        let Value::List(items) = value else { return false };
        self.len.is_none_or(|it| it == items.len()) && items.iter().all(|it| self.element.has(it))
    }

    fn wants(&self) -> String {
        match self.len {
            Some(len) => format!("a list of {len} values of {}", self.element),
            None => format!("a list of values of {}", self.element),
        }
    }

    fn accept(&self, value: Value, how: Coerce) -> Result<Value, Refusal> {
        let items = match value {
            Value::List(items) => items,
            other => {
                let text = format!("expected {}, got {}", self.wants(), Came(&other));
                return Err(Refusal::Type(text));
            }
        };
        self.check_len(items.len())?;
        let items = items.into_iter().enumerate();
        let items = items
            .map(|(at, it)| self.element.accept(it, how).map_err(|it| it.at(format!("[{at}]"))));
        items.collect::<Result<_, _>>().map(Value::List)
    }

    fn same(&self, a: &Value, b: &Value) -> bool {
        ListType::pairs(a, b, |a, b| self.element.same(a, b))
    }

    fn close(&self, a: &Value, b: &Value) -> bool {
        ListType::pairs(a, b, |a, b| self.element.close(a, b))
    }

    fn aliases(&self, a: &Value, b: &Value) -> bool {
        let (Value::List(a), Value::List(b)) = (a, b) else { return false };
        a.iter().any(|a| b.iter().any(|b| self.element.aliases(a, b)))
    }

    fn deep_copy(&self, value: &Value) -> Result<Value> {
        let Value::List(items) = value else { return Ok(value.clone()) };
        buffer::try_collected(items.iter().map(|it| self.element.deep_copy(it))).map(Value::List)
    }

    fn bytes(&self, value: &Value) -> Option<usize> {
        let Value::List(items) = value else { return None };
        items.iter().map(|it| self.element.bytes(it)).sum()
    }
}
