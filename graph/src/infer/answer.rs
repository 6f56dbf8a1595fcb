//! What came out of a call.

use std::sync::Arc;

use opwright_runtime::op::{Operator, Value};
use opwright_runtime::types::{Extents, ListType, Plain, TensorType, TypeRef};
use opwright_runtime::{DType, Error, Result};

use super::Inferred;

/// The results of a call, as far as they are known.
pub(super) struct Answer(Vec<Seen>);

/// A result.
#[derive(PartialEq)]
enum Seen {
    Tensor(DType, Extents),
    Tensors(Vec<Seen>),
    Plain(Plain),
    Plains(Plain, Option<usize>),
}

impl Answer {
    /// That of a call that returned these.
    pub(super) fn of(results: Vec<Value>) -> Result<Answer> {
        results.iter().map(Seen::of).collect::<Result<_>>().map(Answer)
    }

    /// What it has in common with another one of the same call.
    pub(super) fn joined(self, other: Option<Answer>, row: &Operator) -> Result<Answer> {
        let Some(other) = other else { return Ok(self) };
        let pairs = self.0.into_iter().zip(other.0);
        pairs.map(|(a, b)| a.joined(b, row)).collect::<Result<_>>().map(Answer)
    }

    /// Of numbers alone numbers, if all results are single elements.
    pub(super) fn numbers(&self) -> Option<Inferred> {
        let number = |it: &Seen| match it {
            Seen::Tensor(dtype, shape) if shape.is_empty() => Some(shared(Plain::of_dtype(*dtype))),
            _ => None,
        };
        let types: Vec<TypeRef> = self.0.iter().map(number).collect::<Option<_>>()?;
        Some(Inferred { lists: vec![None; types.len()], types })
    }

    /// As types.
    pub(super) fn inferred(self, row: &Operator) -> Result<Inferred> {
        let mut inferred = Inferred { types: Vec::new(), lists: Vec::new() };
        for seen in self.0 {
            match seen {
                Seen::Tensors(items) => {
                    inferred.lists.push(Some(items.len()));
                    for item in items {
                        inferred.types.push(item.ty(row)?);
                    }
                }
                one => {
                    inferred.lists.push(None);
                    inferred.types.push(one.ty(row)?);
                }
            }
        }
        Ok(inferred)
    }
}

impl Seen {
    fn of(value: &Value) -> Result<Seen> {
        let plain = |value: &Value| Plain::ALL.iter().copied().find(|it| it.of_value(value));
        Ok(match value {
            Value::Tensor(it) => {
                Seen::Tensor(it.dtype(), it.shape().iter().copied().map(Some).collect())
            }
            Value::List(items) if matches!(items.first(), Some(Value::Tensor(_))) => {
                Seen::Tensors(items.iter().map(Seen::of).collect::<Result<_>>()?)
            }
            Value::List(items) => {
                let first = items.first().map_or(Some(Plain::Int64), plain);
                Seen::Plains(first.ok_or_else(|| strange(value))?, Some(items.len()))
            }
            value => Seen::Plain(plain(value).ok_or_else(|| strange(value))?),
        })
    }

    fn joined(self, other: Seen, row: &Operator) -> Result<Seen> {
        match (self, other) {
            (Seen::Tensor(a, mut shape), Seen::Tensor(b, other))
                if a == b && shape.len() == other.len() =>
            {
                for (extent, other) in shape.iter_mut().zip(other) {
                    *extent = extent.filter(|_| *extent == other);
                }
                Ok(Seen::Tensor(a, shape))
            }
            (Seen::Tensors(a), Seen::Tensors(b)) if a.len() == b.len() => {
                let pairs = a.into_iter().zip(b);
                pairs.map(|(a, b)| a.joined(b, row)).collect::<Result<_>>().map(Seen::Tensors)
            }
            (Seen::Tensors(_), Seen::Tensors(_)) => Err(hangs(row, "number of results")),
            (Seen::Plains(a, _), Seen::Plains(b, len)) if a == b => Ok(Seen::Plains(a, len)),
            (a, b) if a == b => Ok(a),
            (Seen::Tensor(a, _), Seen::Tensor(b, _)) if a != b => {
                Err(hangs(row, "dtype of a result"))
            }
            _ => Err(hangs(row, "rank of a result")),
        }
    }

    fn ty(self, row: &Operator) -> Result<TypeRef> {
        Ok(match self {
            Seen::Tensor(dtype, shape) => TensorType::new(dtype, shape).shared(),
            Seen::Plain(it) => shared(it),
            Seen::Plains(element, len) => Arc::new(ListType::new(shared(element), len)),
            Seen::Tensors(_) => return Err(hangs(row, "number of results")),
        })
    }
}

fn shared(plain: Plain) -> TypeRef {
    Arc::new(plain)
}

#[cold]
fn hangs(row: &Operator, what: &str) -> Error {
    Error::wrong_type(format_args!(
        "{}: the {what} hangs on a dimension that is unknown; say it with specify_shape(x, (n, ...))",
        row.base_name()
    ))
}

#[cold]
fn strange(value: &Value) -> Error {
    Error::wrong_type(format_args!("no variable can be a result like {value:?}"))
}
