//! Arguments and results of Python as values of one type, and back.

use opwright_runtime::op::{Param, Type, Value};
use opwright_runtime::{Scalar, Tensor, buffer};
use pyo3::prelude::*;

use crate::args::{Bools, Call, Floats, OptionalTensors, Scalars, Tensors};
use crate::failure::Failure;
use crate::raw;
use crate::types::{PyGenerator, PyStorage};
use crate::wrap::Wrap;

/// The argument of a parameter that is only read, or its default.
///
/// # Errors
///
/// A value out of range, or an exception of the object's own code.
pub(super) fn argument(call: &Call<'_, '_>, at: usize, param: &Param) -> Result<Value, Failure> {
    if call.has(at) {
        return given(call, at, &param.slot.ty);
    }
    Ok(param.default.map_or(Value::None, |it| it.value()))
}

fn given(call: &Call<'_, '_>, at: usize, ty: &Type) -> Result<Value, Failure> {
    Ok(match ty {
        Type::Tensor => Value::Tensor(call.tensor(at)?.clone()),
        Type::Int | Type::SymInt | Type::DeviceIndex => Value::Int(call.required(at)?),
        Type::Bool | Type::SymBool => Value::Bool(call.required(at)?),
        Type::Float => Value::Float(call.required(at)?),
        Type::Scalar => call.required::<Scalar>(at)?.into(),
        Type::Str => Value::Str(call.required(at)?),
        Type::DType => Value::DType(call.required(at)?),
        Type::Layout => Value::Layout(call.required(at)?),
        Type::Device => Value::Device(call.required(at)?),
        Type::MemoryFormat => Value::MemoryFormat(call.required(at)?),
        Type::Generator => Value::Generator(call.required(at)?),
        Type::Storage => Value::Storage(call.required(at)?),
        Type::Dimname => match call.required::<opwright_runtime::Dimname>(at)? {},
        Type::Stream => match call.required::<opwright_runtime::Stream>(at)? {},
        Type::Optional(inner) => given(call, at, inner)?,
        Type::List(element, _) => Value::List(elements(call, at, element)?),
    })
}

fn elements(call: &Call<'_, '_>, at: usize, element: &Type) -> Result<Vec<Value>, Failure> {
    Ok(match element {
        Type::Tensor => {
            let tensors: Tensors = call.required(at)?;
            buffer::collected(tensors.refs()?.into_iter().cloned().map(Value::Tensor))?
        }
        Type::Optional(Type::Tensor) => {
            let tensors: OptionalTensors = call.required(at)?;
            let tensors = tensors.refs()?.into_iter();
            let value = |it: Option<&Tensor>| it.cloned().map_or(Value::None, Value::Tensor);
            buffer::collected(tensors.map(value))?
        }
        Type::Float => {
            let floats: Floats = call.required(at)?;
            buffer::collected(floats.into_iter().map(Value::Float))?
        }
        Type::Scalar => {
            let scalars: Scalars = call.required(at)?;
            buffer::collected(scalars.into_iter().map(Value::from))?
        }
        Type::Bool | Type::SymBool => {
            let bools: Bools = call.required(at)?;
            buffer::collected(bools.into_iter().map(Value::Bool))?
        }
        _ => buffer::collected(call.ints(at)?.into_iter().map(Value::Int))?,
    })
}

/// A value as an object.
///
/// # Errors
///
/// `MemoryError`.
pub(super) fn object(py: Python<'_>, value: Value) -> Result<Bound<'_, PyAny>, Failure> {
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
        Value::Generator(it) => Ok(Bound::new(py, PyGenerator(it))?.into_any()),
        Value::Storage(it) => Ok(Bound::new(py, PyStorage(it))?.into_any()),
        Value::Tensor(it) => it.object(py),
        Value::List(items) => {
            let items = buffer::try_collected(items.into_iter().map(|it| object(py, it)))?;
            Ok(raw::tuple(py, items)?.into_any())
        }
    }
}
