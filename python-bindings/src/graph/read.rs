//! Objects of Python as values of types.

use std::sync::Arc;

use opwright_runtime::geometry::MAX_DIMS;
use opwright_runtime::op::{Native, Value};
use opwright_runtime::types::{Coerce, NativeStruct, Plain, Refusal, TensorType, Type, TypeRef};
use opwright_runtime::{DType, Device, Generator, Layout, MemoryFormat, Tensor};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyFloatMethods, PyInt, PyString};

use super::variable;
use crate::interop::{dlpack, numpy};
use crate::object::foreign::is_foreign_tensor;
use crate::object::{
    self, Convert, Failure, Reading, as_scalar, is_numpy_scalar, native, type_name,
};
use crate::raw::{self, Sequence};
use crate::types::{PyDType, PyDevice, PyGenerator, PyLayout, PyMemoryFormat};

/// Lists are not nested deeper; one that holds itself would have no end.
const DEEPEST: usize = MAX_DIMS;

/// What stands where an object is that no type of ours takes.
struct Other;

/// Reads objects for a type.
pub(super) struct ObjectReader<'a> {
    pub(super) ty: &'a dyn Type,
    pub(super) how: Coerce,
}

impl ObjectReader<'_> {
    /// The value of an object.
    ///
    /// # Errors
    ///
    /// A refusal, if no type of ours takes it.
    pub(super) fn read(&self, object: &Bound<'_, PyAny>) -> Result<Value, Refusal> {
        match self.value(object, 0)? {
            Value::Native(it) if it.host::<Other>().is_some() => {
                let text = match variable::of(object) {
                    Some(_) => "a variable, not a value".to_owned(),
                    None => type_name(object),
                };
                Err(Refusal::Type(format!("{} takes {}, not {text}", self.ty, self.ty.wants())))
            }
            value => Ok(value),
        }
    }

    fn value(&self, object: &Bound<'_, PyAny>, depth: usize) -> Result<Value, Refusal> {
        if let Some(float) = raw::exact::<PyFloat>(object) {
            return Ok(Value::Float(float.value()));
        }
        if let Some(tensor) = object::tensor_of(object) {
            return Ok(Value::Tensor(tensor.clone()));
        }
        if let Some(number) = self.number(object)? {
            return Ok(number);
        }
        if object.is_none() {
            return Ok(Value::None);
        }
        if let Some(items) = Sequence::of(object.as_borrowed()) {
            return self.list(items, depth);
        }
        if object.is_instance_of::<PyString>() {
            return refused(String::unpack(object, Reading::default())).map(Value::Str);
        }
        if numpy::is_array(object) {
            return refused(numpy::view(object)).map(|(it, _)| Value::Tensor(it));
        }
        if is_foreign_tensor(object) {
            return refused(dlpack::view(object)).map(|(it, _)| Value::Tensor(it));
        }
        setting(object)
    }

    fn number(&self, object: &Bound<'_, PyAny>) -> Result<Option<Value>, Refusal> {
        if object.is_instance_of::<PyInt>() && !object.is_instance_of::<PyBool>() {
            return self.int(object).map(Some);
        }
        let is_number = object.is_instance_of::<PyFloat>()
            || object.is_instance_of::<PyBool>()
            || object.is_instance_of::<PyComplex>()
            || is_numpy_scalar(object);
        if !is_number {
            return Ok(None);
        }
        let is_converted = self.ty.downcast::<Plain>().is_some() && !is_of_python(object);
        match as_scalar(object) {
            Ok(_) if is_converted && self.how == Coerce::Strict => Err(Refusal::Type(format!(
                "expected {}, got {}, which strict=True takes for no such",
                self.ty.wants(),
                type_name(object)
            ))),
            Ok(it) => Ok(Some(it.into())),
            // The largest integers of numpy.
            Err(_) if raw::index(object).is_ok() => self.int(object).map(Some),
            Err(error) => refused(Err(error)),
        }
    }

    /// An integer; a float in its place, if it is too large.
    fn int(&self, object: &Bound<'_, PyAny>) -> Result<Value, Refusal> {
        let int = refused(raw::index(object).map_err(Failure::from))?;
        if let Some(value) = raw::to_i64(&int) {
            return Ok(Value::Int(value));
        }
        let any = self.how == Coerce::Any;
        let wraps = self.ty.downcast::<TensorType>().is_some_and(|it| it.dtype().is_integral());
        if any && wraps {
            let low = int.call_method1("__and__", (u64::MAX,)).and_then(|it| it.extract::<u64>());
            return refused(low.map(|it| Value::Int(it as i64)).map_err(Failure::from));
        }
        let float = raw::to_f64(&int).ok();
        let exact = |it: &f64| int.as_any().eq(*it).unwrap_or(false);
        float
            .filter(|it| any || (self.how != Coerce::Strict && exact(it)))
            .map(Value::Float)
            .ok_or_else(|| {
                Refusal::Range(format!("{} holds no integer that large without loss", self.ty))
            })
    }

    fn list(&self, items: Sequence<'_, '_>, depth: usize) -> Result<Value, Refusal> {
        if depth == DEEPEST {
            return Err(Refusal::Value(format!("lists are nested more than {DEEPEST} deep")));
        }
        items.iter().map(|it| self.value(&it, depth + 1)).collect::<Result<_, _>>().map(Value::List)
    }
}

/// Whether it is a number of Python; some of numpy's are.
fn is_of_python(object: &Bound<'_, PyAny>) -> bool {
    object.is_instance_of::<PyFloat>()
        || object.is_instance_of::<PyBool>()
        || object.is_instance_of::<PyComplex>()
}

/// A dtype, a device or the like.
fn setting(object: &Bound<'_, PyAny>) -> Result<Value, Refusal> {
    fn of<T: Convert>(
        object: &Bound<'_, PyAny>,
        value: impl FnOnce(T) -> Value,
    ) -> Result<Value, Refusal> {
        refused(T::unpack(object, Reading::default())).map(value)
    }
    if object.is_instance_of::<PyDType>() {
        of::<DType>(object, Value::DType)
    } else if object.is_instance_of::<PyDevice>() {
        of::<Device>(object, Value::Device)
    } else if object.is_instance_of::<PyLayout>() {
        of::<Layout>(object, Value::Layout)
    } else if object.is_instance_of::<PyMemoryFormat>() {
        of::<MemoryFormat>(object, Value::MemoryFormat)
    } else if object.is_instance_of::<PyGenerator>() {
        of::<Generator>(object, Value::Generator)
    } else if let Some(own) = native::held(object) {
        Ok(Value::Native(own))
    } else {
        Ok(Value::Native(Native::of_host(Other)))
    }
}

/// What cannot be read is refused for that reason.
fn refused<T>(read: Result<T, Failure>) -> Result<T, Refusal> {
    read.map_err(|failure| {
        let error = PyErr::from(failure);
        Python::attach(|py| Refusal::Type(error.value(py).to_string()))
    })
}

/// The most specific type of an object that ours know, and its value.
///
/// # Errors
///
/// `TypeError` for numbers and arrays that cannot be read.
pub(super) fn typed(given: &Bound<'_, PyAny>) -> PyResult<Option<(TypeRef, Value)>> {
    let tensor = |it: Tensor| Some((TensorType::of(&it).shared(), Value::Tensor(it)));
    if let Some(it) = object::tensor_of(given) {
        return Ok(tensor(it.clone()));
    }
    if let Some(own) = native::held(given)
        && let Some(structure) = own.structure()
    {
        return Ok(Some((Arc::new(NativeStruct::new(structure)), Value::Native(own))));
    }
    if is_numpy_scalar(given) {
        let dtype = PyDType::read(&given.getattr("dtype")?)?;
        return Ok(tensor(Tensor::from_scalar(as_scalar(given)?, dtype).map_err(Failure::from)?));
    }
    if numpy::is_array(given) {
        return Ok(tensor(numpy::view(given)?.0));
    }
    if is_foreign_tensor(given) {
        return Ok(tensor(dlpack::view(given)?.0));
    }
    Ok(None)
}
