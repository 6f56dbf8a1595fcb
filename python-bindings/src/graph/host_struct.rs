//! Classes of Python whose attributes are values of types.

use std::fmt;

use opwright_runtime::op::Value;
use opwright_runtime::resolve::Accepts;
use opwright_runtime::types::{Clash, Coerce, Refusal, StructType, Type, TypeRef, ValueLayout};
use opwright_runtime::{Result, buffer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use super::boxing;
use crate::object::failure::placed;
use crate::object::type_name;

/// The instances of a class, as structures of what their attributes are.
pub(super) struct HostStruct {
    parts: StructType,
    /// What values are made by.
    class: Py<PyAny>,
    /// What the type is an instance of.
    of: Py<PyType>,
}

impl HostStruct {
    /// Those with these attributes; `of` is the class of the type.
    pub(super) fn new(parts: StructType, class: Py<PyAny>, of: Py<PyType>) -> HostStruct {
        HostStruct { parts, class, of }
    }

    /// The class of the type.
    pub(super) fn of<'py>(&self, py: Python<'py>) -> &Bound<'py, PyType> {
        self.of.bind(py)
    }

    /// What values are made by.
    pub(super) fn class<'py>(&self, py: Python<'py>) -> &Bound<'py, PyAny> {
        self.class.bind(py)
    }

    /// The attributes.
    pub(super) fn parts(&self) -> &StructType {
        &self.parts
    }

    /// Reads the attributes of an object.
    ///
    /// # Errors
    ///
    /// `TypeError` for an attribute that is not there or that its type refuses.
    pub(super) fn accept(&self, object: &Bound<'_, PyAny>, how: Coerce) -> PyResult<Value> {
        let py = object.py();
        let is_own = object.is_instance(self.class(py)).unwrap_or(false);
        if how == Coerce::Strict && !is_own {
            return Err(self.wrong(object));
        }
        let parts = self.parts.fields().iter().map(|field| {
            let value = object.getattr_opt(&*field.name)?.ok_or_else(|| self.wrong(object))?;
            let place = || self.parts.place(field);
            boxing::accept(&field.ty, &value, how).map_err(|it| placed(py, it, &place()))
        });
        buffer::try_collected(parts.map(|it| it.map_err(crate::object::Failure::from)))
            .map(Value::List)
            .map_err(PyErr::from)
    }

    #[cold]
    fn wrong(&self, object: &Bound<'_, PyAny>) -> PyErr {
        PyTypeError::new_err(format!("expected {}, got {}", self.parts, type_name(object)))
    }

    /// Calls the class with the values of the attributes in their order.
    ///
    /// # Errors
    ///
    /// What it raises.
    pub(super) fn emit<'py>(&self, py: Python<'py>, value: Value) -> PyResult<Bound<'py, PyAny>> {
        let Value::List(items) = value else { return Ok(py.None().into_bound(py)) };
        let parts = self.parts.fields().iter().zip(items);
        let parts = parts.map(|(field, it)| boxing::emit(py, &field.ty, it));
        let parts = parts.collect::<PyResult<Vec<_>>>()?;
        self.class(py).call1(PyTuple::new(py, parts)?)
    }
}

impl Clone for HostStruct {
    fn clone(&self) -> HostStruct {
        Python::attach(|py| HostStruct {
            parts: self.parts.clone(),
            class: self.class.clone_ref(py),
            of: self.of.clone_ref(py),
        })
    }
}

impl fmt::Display for HostStruct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.fmt(f)
    }
}

impl fmt::Debug for HostStruct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.parts, f)
    }
}

impl Type for HostStruct {
    fn equals(&self, other: &dyn Type) -> bool {
        other.downcast::<HostStruct>().is_some_and(|it| {
            self.parts.equals(&it.parts) && self.class.is(&it.class) && self.of.is(&it.of)
        })
    }

    fn hash_code(&self) -> u64 {
        self.parts.hash_code()
    }

    fn meet(&self, other: &TypeRef) -> Result<TypeRef, Clash> {
        if self.equals(&**other) {
            return Ok(other.clone());
        }
        Err(Clash::new(format_args!("{self} and {other} have no value in common")))
    }

    fn accepts(&self) -> Accepts {
        self.parts.accepts()
    }

    fn attribute(&self, name: &str) -> Option<(usize, TypeRef)> {
        self.parts.attribute(name)
    }

    fn wants(&self) -> String {
        self.parts.wants()
    }

    fn has(&self, value: &Value) -> bool {
        self.parts.has(value)
    }

    fn accept(&self, value: Value, how: Coerce) -> Result<Value, Refusal> {
        self.parts.accept(value, how)
    }

    fn layout(&self) -> Option<ValueLayout> {
        self.parts.layout()
    }

    fn same(&self, a: &Value, b: &Value) -> bool {
        self.parts.same(a, b)
    }

    fn close(&self, a: &Value, b: &Value) -> bool {
        self.parts.close(a, b)
    }

    fn aliases(&self, a: &Value, b: &Value) -> bool {
        self.parts.aliases(a, b)
    }

    fn deep_copy(&self, value: &Value) -> Result<Value> {
        self.parts.deep_copy(value)
    }

    fn bytes(&self, value: &Value) -> Option<usize> {
        self.parts.bytes(value)
    }
}
