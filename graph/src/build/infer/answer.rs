//! What came out of a call.

use std::sync::Arc;

use opwright_runtime::op::Value;
use opwright_runtime::types::{
    Extents, ListType, NativeStruct, Plain, Structure, TensorType, Type, TypeRef,
};
use opwright_runtime::{DType, Error, Result};

use super::Inferred;

/// The results of a call, as far as they are known.
#[derive(Clone)]
pub(super) struct Answer(Vec<Seen>);

/// In what two answers differ that types have to agree in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Differs {
    Parts,
    DType,
    Rank,
}

impl Differs {
    /// The same in words.
    pub(super) fn text(self) -> &'static str {
        match self {
            Differs::Parts => "number of parts",
            Differs::DType => "dtype of a result",
            Differs::Rank => "rank of a result",
        }
    }
}

/// A result.
#[derive(Clone)]
enum Seen {
    Tensor(DType, Extents),
    Tensors(Vec<Seen>),
    Plain(Plain),
    Plains(Plain, Option<usize>),
    Native(&'static Structure),
}

impl Answer {
    /// That of a call that returned these.
    pub(super) fn of(results: &[Value]) -> Result<Answer> {
        results.iter().map(Seen::of).collect::<Result<_>>().map(Answer)
    }

    /// What it has in common with another one of the same call.
    pub(super) fn joined(self, other: Answer) -> std::result::Result<Answer, Differs> {
        let pairs = self.0.into_iter().zip(other.0);
        pairs.map(|(a, b)| a.joined(b)).collect::<std::result::Result<_, _>>().map(Answer)
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
    pub(super) fn inferred(self) -> Inferred {
        let mut inferred = Inferred { types: Vec::new(), lists: Vec::new() };
        for seen in self.0 {
            match seen {
                Seen::Tensors(items) => {
                    inferred.lists.push(Some(items.len()));
                    for item in items {
                        inferred.types.push(item.ty());
                    }
                }
                one => {
                    inferred.lists.push(None);
                    inferred.types.push(one.ty());
                }
            }
        }
        inferred
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
            Value::Native(it) => Seen::Native(it.structure().ok_or_else(|| strange(value))?),
            value => Seen::Plain(plain(value).ok_or_else(|| strange(value))?),
        })
    }

    fn joined(self, other: Seen) -> std::result::Result<Seen, Differs> {
        match (self, other) {
            (Seen::Tensor(a, mut shape), Seen::Tensor(b, other)) => {
                if a != b {
                    return Err(Differs::DType);
                }
                if shape.len() != other.len() {
                    return Err(Differs::Rank);
                }
                for (extent, other) in shape.iter_mut().zip(other) {
                    *extent = extent.filter(|_| *extent == other);
                }
                Ok(Seen::Tensor(a, shape))
            }
            (Seen::Tensors(a), Seen::Tensors(b)) if a.len() == b.len() => {
                let pairs = a.into_iter().zip(b);
                let joined = pairs.map(|(a, b)| a.joined(b));
                joined.collect::<std::result::Result<_, _>>().map(Seen::Tensors)
            }
            (Seen::Plains(a, one), Seen::Plains(b, other)) if a == b => {
                Ok(Seen::Plains(a, one.filter(|_| one == other)))
            }
            (Seen::Plain(a), Seen::Plain(b)) if a == b => Ok(Seen::Plain(a)),
            (Seen::Native(a), Seen::Native(b))
                if NativeStruct::new(a).equals(&NativeStruct::new(b)) =>
            {
                Ok(Seen::Native(a))
            }
            _ => Err(Differs::Parts),
        }
    }

    fn ty(self) -> TypeRef {
        match self {
            Seen::Tensor(dtype, shape) => TensorType::new(dtype, shape).shared(),
            Seen::Plain(it) => shared(it),
            Seen::Plains(element, len) => Arc::new(ListType::new(shared(element), len)),
            Seen::Native(it) => Arc::new(NativeStruct::new(it)),
            // Nothing returns lists of lists.
            Seen::Tensors(_) => shared(Plain::Nothing),
        }
    }
}

fn shared(plain: Plain) -> TypeRef {
    Arc::new(plain)
}

#[cold]
fn strange(value: &Value) -> Error {
    Error::wrong_type(format_args!("no variable can be a result like {value:?}"))
}
