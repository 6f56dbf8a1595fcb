//! Inferred types: what came out of calls, and what several have in common.

use std::sync::Arc;

use opwright_runtime::op::Value;
use opwright_runtime::types::{
    Extents, ListType, NativeStruct, Plain, Structure, TensorType, Type, TypeRef,
};
use opwright_runtime::{DType, Error, Result};

/// What is known of the results of a call.
#[derive(Clone)]
pub struct Inferred {
    /// A type for each; a list of tensors has one for each of them.
    pub types: Vec<TypeRef>,
    /// For each result how many tensors it is, if it is a list of them.
    pub lists: Vec<Option<usize>>,
}

/// The results of a call, as far as they are known.
#[derive(Clone)]
pub(super) struct ResultTypes(Vec<ResultType>);

/// In what two calls differ that types have to agree in.
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
enum ResultType {
    Tensor(DType, Extents),
    Tensors(Vec<ResultType>),
    Plain(Plain),
    Plains(Plain, Option<usize>),
    Native(&'static Structure),
}

impl ResultTypes {
    /// That of a call that returned these.
    pub(super) fn of(results: &[Value]) -> Result<ResultTypes> {
        results.iter().map(ResultType::of).collect::<Result<_>>().map(ResultTypes)
    }

    /// What it has in common with another one of the same call.
    pub(super) fn joined(self, other: ResultTypes) -> std::result::Result<ResultTypes, Differs> {
        let pairs = self.0.into_iter().zip(other.0);
        pairs.map(|(a, b)| a.joined(b)).collect::<std::result::Result<_, _>>().map(ResultTypes)
    }

    /// Of numbers alone numbers, if all results are single elements.
    pub(super) fn numbers(&self) -> Option<Inferred> {
        let number = |it: &ResultType| match it {
            ResultType::Tensor(dtype, shape) if shape.is_empty() => {
                Some(shared(Plain::of_dtype(*dtype)))
            }
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
                ResultType::Tensors(items) => {
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

impl ResultType {
    fn of(value: &Value) -> Result<ResultType> {
        let plain = |value: &Value| Plain::ALL.iter().copied().find(|it| it.of_value(value));
        Ok(match value {
            Value::Tensor(it) => {
                ResultType::Tensor(it.dtype(), it.shape().iter().copied().map(Some).collect())
            }
            Value::List(items) if matches!(items.first(), Some(Value::Tensor(_))) => {
                ResultType::Tensors(items.iter().map(ResultType::of).collect::<Result<_>>()?)
            }
            Value::List(items) => {
                let first = items.first().map_or(Some(Plain::Int64), plain);
                ResultType::Plains(first.ok_or_else(|| strange(value))?, Some(items.len()))
            }
            Value::Native(it) => ResultType::Native(it.structure().ok_or_else(|| strange(value))?),
            value => ResultType::Plain(plain(value).ok_or_else(|| strange(value))?),
        })
    }

    fn joined(self, other: ResultType) -> std::result::Result<ResultType, Differs> {
        match (self, other) {
            (ResultType::Tensor(a, mut shape), ResultType::Tensor(b, other)) => {
                if a != b {
                    return Err(Differs::DType);
                }
                if shape.len() != other.len() {
                    return Err(Differs::Rank);
                }
                for (extent, other) in shape.iter_mut().zip(other) {
                    *extent = extent.filter(|_| *extent == other);
                }
                Ok(ResultType::Tensor(a, shape))
            }
            (ResultType::Tensors(a), ResultType::Tensors(b)) if a.len() == b.len() => {
                let pairs = a.into_iter().zip(b);
                let joined = pairs.map(|(a, b)| a.joined(b));
                joined.collect::<std::result::Result<_, _>>().map(ResultType::Tensors)
            }
            (ResultType::Plains(a, one), ResultType::Plains(b, other)) if a == b => {
                Ok(ResultType::Plains(a, one.filter(|_| one == other)))
            }
            (ResultType::Plain(a), ResultType::Plain(b)) if a == b => Ok(ResultType::Plain(a)),
            (ResultType::Native(a), ResultType::Native(b))
                if NativeStruct::new(a).equals(&NativeStruct::new(b)) =>
            {
                Ok(ResultType::Native(a))
            }
            _ => Err(Differs::Parts),
        }
    }

    fn ty(self) -> TypeRef {
        match self {
            ResultType::Tensor(dtype, shape) => TensorType::new(dtype, shape).shared(),
            ResultType::Plain(it) => shared(it),
            ResultType::Plains(element, len) => Arc::new(ListType::new(shared(element), len)),
            ResultType::Native(it) => Arc::new(NativeStruct::new(it)),
            // Nothing returns lists of lists.
            ResultType::Tensors(_) => shared(Plain::Nothing),
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
