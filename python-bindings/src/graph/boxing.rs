//! Boxing of values between Python and types.

use std::sync::Arc;

use opwright_graph::Variable;
use opwright_runtime::op::Value;
use opwright_runtime::reserve;
use opwright_runtime::types::{
    Coerce, ListType, NativeStruct, OptionalType, Plain, Refusal, TypeRef,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyString};

use super::host_struct::HostStruct;
use super::host_type::{HostType, object_of};
use super::read::{self, ObjectReader};
use super::type_object::{self, PyTypeObject};
use crate::object::failure::{placed, raise};
use crate::object::{native, package, type_name};
use crate::op::values;
use crate::raw::Sequence;

/// The type that an object is: one of ours, or one that is written in Python.
///
/// # Errors
///
/// `TypeError` if it is none.
pub(super) fn type_ref(object: &Bound<'_, PyAny>) -> PyResult<TypeRef> {
    let ty = type_if_any(object)?;
    ty.ok_or_else(|| {
        PyTypeError::new_err(format!(
            "expected a type, not {}: a type has the methods of opwright.Type, filter() among them",
            type_name(object)
        ))
    })
}

/// The same; nothing if it is none.
///
/// # Errors
///
/// What looking at it raises.
pub(super) fn type_if_any(object: &Bound<'_, PyAny>) -> PyResult<Option<TypeRef>> {
    if let Ok(it) = object.cast::<PyTypeObject>() {
        return Ok(Some(it.get().ty().clone()));
    }
    let is_class = object.is_instance_of::<pyo3::types::PyType>();
    let filter = if is_class { None } else { object.getattr_opt("filter")? };
    if !filter.is_some_and(|it| it.is_callable()) || super::variable::of(object).is_some() {
        return Ok(None);
    }
    Ok(Some(Arc::new(HostType::new(object)?)))
}

/// A variable that never changes: whoever has the tensor may write to it, so that it is copied.
///
/// # Errors
///
/// `MemoryError`.
pub(super) fn constant(ty: TypeRef, value: Value, name: Option<&str>) -> PyResult<Variable> {
    reserve::check().map_err(raise)?;
    let value = match value {
        Value::Tensor(it) if !it.device().is_meta() => {
            Value::Tensor(it.copy_in_layout().map_err(raise)?)
        }
        value => value,
    };
    Ok(Variable::constant(ty, value, name))
}

/// The object of a type: the same one as long as somebody holds it.
///
/// # Errors
///
/// `MemoryError`.
pub(super) fn type_object<'py>(py: Python<'py>, ty: &TypeRef) -> PyResult<Bound<'py, PyAny>> {
    match ty.downcast::<HostType>() {
        Some(it) => Ok(it.object(py).clone()),
        None => type_object::object(py, ty),
    }
}

/// An object as a value of a type.
///
/// # Errors
///
/// `TypeError` if the type refuses it; what a type that is written in Python raises.
pub(crate) fn accept(ty: &TypeRef, given: &Bound<'_, PyAny>, how: Coerce) -> PyResult<Value> {
    if let Some(it) = ty.downcast::<HostType>() {
        return it.filter(given, how);
    }
    if let Some(it) = ty.downcast::<HostStruct>() {
        return it.accept(given, how);
    }
    if let Some(it) = ty.downcast::<NativeStruct>() {
        return native::accept(it.structure(), given, how);
    }
    if let Some(it) = ty.downcast::<OptionalType>() {
        let nothing = given.is_none().then_some(Value::None);
        return nothing.map_or_else(|| accept(it.of(), given, how), Ok);
    }
    if let Some(it) = ty.downcast::<ListType>()
        && let Some(items) = Sequence::of(given.as_borrowed())
    {
        return list(it, items, given.py(), how);
    }
    let value = ObjectReader { ty: &**ty, how }.read(given).map_err(refused)?;
    ty.accept(value, how).map_err(refused)
}

fn list(ty: &ListType, items: Sequence<'_, '_>, py: Python<'_>, how: Coerce) -> PyResult<Value> {
    ty.check_len(items.len()).map_err(refused)?;
    let items = items.iter().enumerate().map(|(at, it)| {
        accept(ty.of(), &it, how).map_err(|error| placed(py, error, &format!("[{at}]")))
    });
    items.collect::<PyResult<_>>().map(Value::List)
}

/// A refusal as an exception.
#[cold]
pub(super) fn refused(refusal: Refusal) -> PyErr {
    PyTypeError::new_err(refusal.to_string())
}

/// A value as an object.
///
/// # Errors
///
/// `MemoryError`; what a type that is written in Python raises.
pub(crate) fn emit<'py>(
    py: Python<'py>,
    ty: &TypeRef,
    value: Value,
) -> PyResult<Bound<'py, PyAny>> {
    if let Some(it) = ty.downcast::<HostType>() {
        return it.emit(py, value);
    }
    if let Some(it) = ty.downcast::<HostStruct>() {
        return it.emit(py, value);
    }
    if let Some(it) = ty.downcast::<OptionalType>()
        && !matches!(value, Value::None)
    {
        return emit(py, it.of(), value);
    }
    if let Some(it) = ty.downcast::<ListType>()
        && let Value::List(items) = value
    {
        let items = items.into_iter().map(|item| emit(py, it.of(), item));
        let items = items.collect::<PyResult<Vec<_>>>()?;
        return Ok(crate::raw::tuple(py, items)?.into_any());
    }
    match &value {
        Value::Native(_) => object_of(py, &value),
        _ => Ok(values::object(py, value)?),
    }
}

/// The most specific type of an object, and the object as a value of it.
///
/// # Errors
///
/// `TypeError` if no type is known for it.
pub(super) fn typed(given: &Bound<'_, PyAny>) -> PyResult<(TypeRef, Value)> {
    if let Some(known) = read::typed(given)? {
        return Ok(known);
    }
    let plain = if given.is_none() {
        Plain::Nothing
    } else if given.is_exact_instance_of::<PyBool>() {
        Plain::Boolean
    } else if given.is_exact_instance_of::<PyInt>() {
        Plain::Int64
    } else if given.is_exact_instance_of::<PyFloat>() {
        Plain::Double
    } else if given.is_exact_instance_of::<PyComplex>() {
        Plain::Complex128
    } else if given.is_exact_instance_of::<PyString>() {
        Plain::Text
    } else {
        return typed_by_python(given);
    };
    let ty: TypeRef = Arc::new(plain);
    let value = accept(&ty, given, Coerce::Strict)?;
    Ok((ty, value))
}

/// What the package says of objects that are not known here.
#[cold]
fn typed_by_python(given: &Bound<'_, PyAny>) -> PyResult<(TypeRef, Value)> {
    let types = package::load(given.py(), "types")?;
    let ty = type_ref(&types.getattr("typeof")?.call1((given,))?)?;
    let value = accept(&ty, given, Coerce::Natural)?;
    Ok((ty, value))
}
