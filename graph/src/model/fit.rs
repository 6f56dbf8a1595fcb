//! Conversion of variables' values to parameter types.

use opwright_runtime::op::{Type, Value};
use opwright_runtime::{Result, Scalar, Tensor, buffer};

/// What becomes of a number where a tensor is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberPolicy {
    /// It gives way to the dtypes of tensors.
    GiveWay,
    /// It is a tensor as good as others, of the dtype that holds it: there are no others.
    Count,
}

/// A value as what a parameter of this type takes: a number for a tensor, and the other way round.
pub(crate) fn fit(value: Value, ty: &Type, numbers: NumberPolicy) -> Result<Value> {
    match (ty, value) {
        (Type::Optional(inner), Value::None) if inner.has_values() => Ok(Value::None),
        (Type::Optional(inner), value) => fit(value, inner, numbers),
        (Type::List(element, _), Value::List(items)) => {
            let items = items.into_iter().map(|it| fit(it, element, numbers));
            buffer::try_collected(items).map(Value::List)
        }
        (Type::List(element, _), value) => fit(value, element, numbers),
        (Type::Tensor, value @ Value::Tensor(_)) => Ok(value),
        (Type::Tensor, value) => tensor(value.scalar()?, numbers).map(Value::Tensor),
        (Type::Scalar, Value::Tensor(it)) => Ok(it.to_scalar()?.into()),
        (Type::Int | Type::SymInt | Type::DeviceIndex | Type::Reduction, Value::Tensor(it)) => {
            Ok(it.to_scalar()?.into())
        }
        (Type::Int | Type::SymInt | Type::DeviceIndex | Type::Reduction, Value::Bool(it)) => {
            Ok(Value::Int(it.into()))
        }
        (Type::Bool | Type::SymBool | Type::Float, Value::Tensor(it)) => Ok(it.to_scalar()?.into()),
        (Type::Float, Value::Bool(it)) => Ok(Value::Float(it.into())),
        (_, value) => Ok(value),
    }
}

fn tensor(number: Scalar, numbers: NumberPolicy) -> Result<Tensor> {
    match numbers {
        NumberPolicy::GiveWay => Tensor::wrapped_number(number),
        NumberPolicy::Count => Tensor::from_scalar(number, number.storage_dtype()),
    }
}
