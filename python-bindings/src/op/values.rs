//! Boxing: arguments and results of Python as values of one type, and back.

use opwright_runtime::op::{Param, Type, Value, checked};
use opwright_runtime::{
    DType, Device, Dimname, Generator, Layout, MemoryFormat, Reduction, Scalar, Storage, Stream,
    Tensor, buffer,
};
use pyo3::prelude::*;

use crate::args::Call;
use crate::object::{Convert, Failure, Reading, elements, is_sequence, native};
use crate::raw;

/// The argument of a parameter that is only read, or its default.
///
/// # Errors
///
/// A value out of range, or an exception of the object's own code.
pub(super) fn argument(call: &Call<'_, '_>, at: usize, param: &Param) -> Result<Value, Failure> {
    if call.has(at) {
        return call.read_with(at, &|object| value(object, &param.slot.ty));
    }
    Ok(param.default.map_or(Value::None, |it| it.value()))
}

/// An object as a value of a type of the schema language.
///
/// # Errors
///
/// A value out of range, or an exception of the object's own code.
pub(crate) fn value(object: &Bound<'_, PyAny>, ty: &Type) -> Result<Value, Failure> {
    fn of<T: Convert>(object: &Bound<'_, PyAny>) -> Result<T, Failure> {
        T::unpack(object, Reading::default())
    }
    Ok(match ty {
        Type::Tensor => Value::Tensor(of::<Tensor>(object)?),
        Type::Int | Type::SymInt | Type::DeviceIndex => Value::Int(of(object)?),
        Type::Bool | Type::SymBool => Value::Bool(of(object)?),
        Type::Float => Value::Float(of(object)?),
        Type::Scalar => of::<Scalar>(object)?.into(),
        Type::Str => Value::Str(of(object)?),
        Type::StrEnum(row) => checked(row, of(object)?)?,
        Type::ScalarType => Value::DType(of::<DType>(object)?),
        Type::Layout => Value::Layout(of::<Layout>(object)?),
        Type::Device => Value::Device(of::<Device>(object)?),
        Type::MemoryFormat => Value::MemoryFormat(of::<MemoryFormat>(object)?),
        Type::Reduction => of::<Reduction>(object)?.into(),
        Type::Generator => Value::Generator(of::<Generator>(object)?),
        Type::Storage => Value::Storage(of::<Storage>(object)?),
        Type::Dimname => match of::<Dimname>(object)? {},
        Type::Stream => match of::<Stream>(object)? {},
        Type::Native(_, number) => native::unpack(*number, object)?,
        Type::Optional(inner) if object.is_none() && inner.has_values() => Value::None,
        Type::Optional(inner) => value(object, inner)?,
        Type::List(element, _) if is_sequence(object) => {
            let items = elements::<_, [Value; 1]>(object, |it| value(it, element))?;
            Value::List(items.into_vec())
        }
        // The overload repeats it.
        Type::List(element, _) => value(object, element)?,
    })
}

/// A value as an object.
///
/// # Errors
///
/// `MemoryError`.
pub(crate) fn object(py: Python<'_>, value: Value) -> Result<Bound<'_, PyAny>, Failure> {
    match value {
        Value::None => ().object(py),
        Value::Bool(it) => it.object(py),
        Value::Int(it) => it.object(py),
        Value::Float(it) => it.object(py),
        Value::Complex(it) => Scalar::Complex(it).object(py),
        Value::Str(it) => it.object(py),
        Value::DType(it) => it.object(py),
        Value::Layout(it) => it.object(py),
        Value::Device(it) => it.object(py),
        Value::MemoryFormat(it) => it.object(py),
        Value::Generator(it) => it.object(py),
        Value::Storage(it) => it.object(py),
        Value::Native(it) => native::object(py, it),
        Value::Tensor(it) => it.object(py),
        Value::List(items) => {
            let items = buffer::try_collected(items.into_iter().map(|it| object(py, it)))?;
            Ok(raw::tuple(py, items)?.into_any())
        }
    }
}
