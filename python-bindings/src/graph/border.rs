//! What crosses the border between Python and types.

use std::sync::Arc;

use opwright_runtime::op::{Type as OpType, Value};
use opwright_runtime::types::{Coerce, ListType, Plain, TensorType, TypeRef};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyString};

use super::type_object::PyTypeObject;
use crate::interop::numpy;
use crate::op::values;
use crate::tensor::object;

/// The type that an object is.
///
/// # Errors
///
/// `TypeError` if it is none.
pub(super) fn type_ref(object: &Bound<'_, PyAny>) -> PyResult<TypeRef> {
    match object.cast::<PyTypeObject>() {
        Ok(it) => Ok(it.get().0.clone()),
        Err(_) => Err(PyTypeError::new_err("expected a type")),
    }
}

/// The object of a type.
///
/// # Errors
///
/// `MemoryError`.
pub(super) fn type_object<'py>(py: Python<'py>, ty: &TypeRef) -> PyResult<Bound<'py, PyAny>> {
    Ok(Bound::new(py, PyTypeObject(ty.clone()))?.into_any())
}

/// An object as a value of a type.
///
/// # Errors
///
/// `TypeError` if the type refuses it.
pub(super) fn accept(ty: &TypeRef, given: &Bound<'_, PyAny>, how: Coerce) -> PyResult<Value> {
    let value = value_of(given, ty)?;
    ty.accept(value, how).map_err(|it| PyTypeError::new_err(it.to_string()))
}

/// A value as an object.
///
/// # Errors
///
/// `MemoryError`.
pub(super) fn emit<'py>(
    py: Python<'py>,
    _ty: &TypeRef,
    value: Value,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(values::object(py, value)?)
}

/// The most specific type of an object, and the object as a value of it.
///
/// # Errors
///
/// `TypeError` if no type is known for it.
pub(super) fn typed(given: &Bound<'_, PyAny>) -> PyResult<(TypeRef, Value)> {
    if let Some(tensor) = object::tensor_of(given) {
        return Ok((TensorType::of(tensor).shared(), Value::Tensor(tensor.clone())));
    }
    let plain = if given.is_none() {
        (Plain::Nothing, Value::None)
    } else if given.is_instance_of::<PyBool>() {
        (Plain::Boolean, Value::Bool(given.extract()?))
    } else if given.is_instance_of::<PyInt>() {
        (Plain::Int64, Value::Int(given.extract()?))
    } else if given.is_instance_of::<PyFloat>() {
        (Plain::Double, Value::Float(given.extract()?))
    } else if given.is_instance_of::<PyComplex>() {
        (Plain::Complex128, values::value(given, &OpType::Scalar)?)
    } else if given.is_instance_of::<PyString>() {
        (Plain::Text, Value::Str(given.extract()?))
    } else {
        let (tensor, _) = numpy::view(given)?;
        return Ok((TensorType::of(&tensor).shared(), Value::Tensor(tensor)));
    };
    Ok((Arc::new(plain.0), plain.1))
}

fn value_of(given: &Bound<'_, PyAny>, ty: &TypeRef) -> PyResult<Value> {
    if ty.downcast::<ListType>().is_some() {
        return Ok(values::value(given, &OpType::List(&OpType::Int, None))?);
    }
    typed(given).map(|(_, value)| value)
}
