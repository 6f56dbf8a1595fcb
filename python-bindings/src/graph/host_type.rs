//! Types that are written in Python.

use std::fmt;

use opwright_runtime::op::{Native, Value};
use opwright_runtime::resolve::{Accepts, Kind};
use opwright_runtime::types::{
    Clash, Coerce, ListType, NativeStruct, OptionalType, Plain, Refusal, StructType, TensorType,
    Tensors, Type, TypeRef,
};
use opwright_runtime::{DType, Error, ErrorKind, Result};
use pyo3::call::PyCallArgs;
use pyo3::exceptions::{PyMemoryError, PyNotImplementedError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString};

use super::boxing;
use super::hook;
use super::host_struct::HostStruct;
use super::type_object;
use crate::op::values;

/// A type that is an object of Python with the methods of `opwright.Type`, or with some of them.
pub(super) struct HostType {
    object: Py<PyAny>,
    hooks: Hooks,
}

/// Which methods differ from those of `opwright.Type`, which need not be called.
#[derive(Clone, Copy)]
struct Hooks {
    init: bool,
    emit: bool,
    cleanup: bool,
}

/// A value of such a type.
struct HostValue {
    /// There until it ends.
    object: Option<Py<PyAny>>,
    /// The type, if it wants to know of the end.
    cleanup: Option<Py<PyAny>>,
}

impl Drop for HostValue {
    fn drop(&mut self) {
        let (ty, object) = (self.cleanup.take(), self.object.take());
        // Now, not when somebody attaches again: the interpreter may have called without that.
        let done = Python::try_attach(|py| {
            let object = object.map(|it| it.into_bound(py));
            let Some(ty) = ty.map(|it| it.into_bound(py)) else { return };
            if let Err(error) = ty.call_method1("cleanup", (&object,)) {
                error.write_unraisable(py, Some(&ty));
            }
        });
        // An interpreter that has ended has no objects.
        done.unwrap_or_default();
    }
}

/// How [`Coerce`] is said in Python.
const fn flags(how: Coerce) -> (bool, Option<bool>) {
    match how {
        Coerce::Strict => (true, None),
        Coerce::Lossless => (false, Some(false)),
        Coerce::Natural => (false, None),
        Coerce::Any => (false, Some(true)),
    }
}

fn keywords(py: Python<'_>, how: Coerce) -> PyResult<Bound<'_, PyDict>> {
    let (strict, allow_downcast) = flags(how);
    let keywords = PyDict::new(py);
    keywords.set_item(intern!(py, "strict"), PyBool::new(py, strict))?;
    keywords.set_item(intern!(py, "allow_downcast"), allow_downcast)?;
    Ok(keywords)
}

/// What became of an old value that may be written to.
pub(super) enum Refilled {
    /// It was written to.
    Old(Value),
    /// There is another one.
    New(Value),
}

impl HostType {
    /// The type that an object is.
    ///
    /// # Errors
    ///
    /// What looking at it raises.
    pub(super) fn new(object: &Bound<'_, PyAny>) -> PyResult<HostType> {
        let base = type_object::base_class(object.py())?;
        let differs = |name: &str| -> PyResult<bool> {
            let own = object.get_type().getattr_opt(name)?;
            let default = base.getattr(name)?;
            Ok(own.is_some_and(|it| !it.is(&default)))
        };
        hook::known();
        let hooks =
            Hooks { init: differs("init")?, emit: differs("emit")?, cleanup: differs("cleanup")? };
        Ok(HostType { object: object.clone().unbind(), hooks })
    }

    /// The object that it is.
    pub(super) fn object<'py>(&self, py: Python<'py>) -> &Bound<'py, PyAny> {
        self.object.bind(py)
    }

    /// What the type's `filter` makes of an object.
    ///
    /// # Errors
    ///
    /// What it raises.
    pub(super) fn filter(&self, value: &Bound<'_, PyAny>, how: Coerce) -> PyResult<Value> {
        let py = value.py();
        let method = self.object(py).getattr(intern!(py, "filter"))?;
        let filtered = method.call((value,), Some(&keywords(py, how)?));
        // That it refuses a value is an answer.
        let filtered = filtered.map_err(|it| match is_refusal(py, &it) {
            true => it,
            false => hook::noted(py, it, "filter", self.object(py)),
        });
        Ok(self.value(filtered?))
    }

    /// What the type's `filter_inplace` makes of an object and an old value; nothing if it has none.
    ///
    /// # Errors
    ///
    /// What it raises.
    pub(super) fn refill(
        &self,
        value: &Bound<'_, PyAny>,
        old: &Value,
        how: Coerce,
    ) -> PyResult<Option<Refilled>> {
        let py = value.py();
        let Some(method) = self.object(py).getattr_opt("filter_inplace")? else { return Ok(None) };
        let storage = object_of(py, old)?;
        match method.call((value, &storage), Some(&keywords(py, how)?)) {
            Ok(filled) if filled.is(&storage) => Ok(Some(Refilled::Old(old.clone()))),
            Ok(new) => Ok(Some(Refilled::New(self.value(new)))),
            Err(error) if error.is_instance_of::<PyNotImplementedError>(py) => Ok(None),
            Err(error) if is_refusal(py, &error) => Err(error),
            Err(error) => Err(hook::noted(py, error, "filter_inplace", self.object(py))),
        }
    }

    /// An object as a value.
    pub(super) fn value(&self, object: Bound<'_, PyAny>) -> Value {
        let py = object.py();
        let cleanup = self.hooks.cleanup.then(|| self.object.clone_ref(py));
        Value::Native(Native::of_host(HostValue { object: Some(object.unbind()), cleanup }))
    }

    /// A value as the object that leaves.
    ///
    /// # Errors
    ///
    /// What the type's `emit` raises.
    pub(super) fn emit<'py>(&self, py: Python<'py>, value: Value) -> PyResult<Bound<'py, PyAny>> {
        let object = object_of(py, &value)?;
        if self.hooks.emit { self.call(py, "emit", (object,)) } else { Ok(object) }
    }

    /// A method; what the object lacks, `opwright.Type` has.
    fn method<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let object = self.object(py);
        match object.getattr_opt(name)? {
            Some(method) => Ok(method),
            None => {
                let default = type_object::base_class(py)?.getattr(name)?;
                py.import("types")?.getattr("MethodType")?.call1((default, object))
            }
        }
    }

    fn call<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        args: impl PyCallArgs<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let called = self.method(py, name).and_then(|it| it.call1(args));
        called.map_err(|it| hook::noted(py, it, name, self.object(py)))
    }

    /// What was said; what was raised is raised by who listens.
    fn answered<T: Default>(&self, py: Python<'_>, said: PyResult<T>) -> T {
        said.unwrap_or_else(|error| {
            hook::keep(py, error, self.object(py));
            T::default()
        })
    }

    /// What a method says of two values.
    fn asks(&self, name: &str, a: &Value, b: &Value) -> bool {
        Python::attach(|py| {
            let says = || {
                let args = (object_of(py, a)?, object_of(py, b)?);
                self.call(py, name, args)?.is_truthy()
            };
            self.answered(py, says())
        })
    }

    /// What a method says of another type.
    fn asks_of(&self, name: &str, other: &dyn Type) -> bool {
        Python::attach(|py| {
            let says = || match shared(other) {
                Some(other) => {
                    let args = (boxing::type_object(py, &other)?,);
                    self.call(py, name, args)?.is_truthy()
                }
                None => Ok(false),
            };
            self.answered(py, says())
        })
    }
}

/// Whether an exception says that a value is none of the type.
fn is_refusal(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyTypeError>(py)
}

/// As much of a text as stands on a line of a picture.
fn first_line(text: &str) -> String {
    const MOST: usize = 60;
    let line = text.lines().next().unwrap_or_default();
    let is_whole = line.len() == text.len() && line.chars().count() <= MOST;
    if is_whole { line.to_owned() } else { line.chars().take(MOST - 1).chain(['…']).collect() }
}

/// A type that others can hold.
pub(super) fn shared(ty: &dyn Type) -> Option<TypeRef> {
    fn of<T: Type + Clone>(ty: &dyn Type) -> Option<TypeRef> {
        ty.downcast::<T>().map(|it| std::sync::Arc::new(it.clone()) as TypeRef)
    }
    of::<TensorType>(ty)
        .or_else(|| of::<Plain>(ty))
        .or_else(|| of::<ListType>(ty))
        .or_else(|| of::<StructType>(ty))
        .or_else(|| of::<HostType>(ty))
        .or_else(|| of::<HostStruct>(ty))
        .or_else(|| of::<NativeStruct>(ty))
        .or_else(|| of::<OptionalType>(ty))
        .or_else(|| of::<Tensors>(ty))
}

impl Clone for HostType {
    fn clone(&self) -> HostType {
        let object = Python::attach(|py| self.object.clone_ref(py));
        HostType { object, hooks: self.hooks }
    }
}

/// The object that a value is, whatever it is.
///
/// # Errors
///
/// `MemoryError`.
pub(super) fn object_of<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    if let Value::Native(native) = value
        && let Some(HostValue { object: Some(object), .. }) = native.host::<HostValue>()
    {
        return Ok(object.bind(py).clone());
    }
    Ok(values::object(py, value.clone())?)
}

/// An exception as an error of the runtime.
#[cold]
fn error_of(py: Python<'_>, error: &PyErr) -> Error {
    let text = error.value(py).to_string();
    if error.is_instance_of::<PyMemoryError>(py) {
        Error::memory(text)
    } else if error.is_instance_of::<PyTypeError>(py) {
        Error::wrong_type(text)
    } else {
        Error::new(ErrorKind::Runtime, format_args!("{}: {text}", error.get_type(py)))
    }
}

impl fmt::Display for HostType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Python::attach(|py| match self.object(py).str() {
            Ok(text) => text.to_string_lossy().into_owned(),
            Err(_) => crate::object::type_name(self.object(py)),
        });
        f.write_str(&text)
    }
}

impl fmt::Debug for HostType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Type for HostType {
    fn equals(&self, other: &dyn Type) -> bool {
        let Some(other) = other.downcast::<HostType>() else { return false };
        Python::attach(|py| {
            let (own, other) = (self.object(py), other.object(py));
            own.is(other)
                || self.answered(py, own.eq(other).map_err(|it| hook::noted(py, it, "__eq__", own)))
        })
    }

    fn hash_code(&self) -> u64 {
        // What has no hash is equal to others that have none.
        Python::attach(|py| match self.object(py).hash() {
            Ok(hash) => hash as u64,
            Err(error) if error.is_instance_of::<PyTypeError>(py) => 0,
            Err(error) => {
                let error = hook::noted(py, error, "__hash__", self.object(py));
                self.answered(py, Err(error))
            }
        })
    }

    fn is_super(&self, other: &dyn Type) -> bool {
        self.asks_of("is_super", other)
    }

    fn in_same_class(&self, other: &dyn Type) -> bool {
        self.asks_of("in_same_class", other)
    }

    fn meet(&self, other: &TypeRef) -> Result<TypeRef, Clash> {
        if self.is_super(&**other) {
            return Ok(other.clone());
        }
        Err(Clash::new(format_args!("{self} and {other} have no value in common")))
    }

    fn accepts(&self) -> Accepts {
        Accepts::of(&[Kind::Object])
    }

    fn element(&self) -> Option<DType> {
        let name = Python::attach(|py| {
            let name = self.answered(py, self.call(py, "element_type", ()).map(Some))?;
            name.cast::<PyString>().ok().map(|it| it.to_string_lossy().into_owned())
        })?;
        DType::ALL.into_iter().find(|it| it.short_name() == name)
    }

    fn init(&self) -> Value {
        if !self.hooks.init {
            return Value::None;
        }
        Python::attach(|py| match self.call(py, "init", ()) {
            Ok(object) => self.value(object),
            Err(error) => {
                hook::keep(py, error, self.object(py));
                Value::None
            }
        })
    }

    fn has(&self, value: &Value) -> bool {
        Python::attach(|py| {
            let says = || {
                let emitted = self.emit(py, value.clone())?;
                self.call(py, "is_valid_value", (emitted,))?.is_truthy()
            };
            self.answered(py, says())
        })
    }

    fn accept(&self, value: Value, how: Coerce) -> Result<Value, Refusal> {
        Python::attach(|py| {
            let filtered = self.emit(py, value).and_then(|it| self.filter(&it, how));
            filtered.map_err(|it| {
                let refusal = Refusal::Type(it.value(py).to_string());
                if !is_refusal(py, &it) {
                    hook::keep(py, it, self.object(py));
                }
                refusal
            })
        })
    }

    fn same(&self, a: &Value, b: &Value) -> bool {
        self.asks("values_eq", a, b)
    }

    fn close(&self, a: &Value, b: &Value) -> bool {
        self.asks("values_eq_approx", a, b) || self.same(a, b)
    }

    fn aliases(&self, a: &Value, b: &Value) -> bool {
        self.asks("may_share_memory", a, b)
    }

    fn deep_copy(&self, value: &Value) -> Result<Value> {
        Python::attach(|py| {
            let copy = object_of(py, value).and_then(|it| self.call(py, "deep_copy", (it,)));
            copy.map(|it| self.value(it)).map_err(|it| {
                let error = error_of(py, &it);
                hook::keep(py, it, self.object(py));
                error
            })
        })
    }

    fn text(&self, value: &Value) -> Option<String> {
        Python::attach(|py| {
            let text = object_of(py, value).ok()?.repr().ok()?;
            Some(first_line(&text.to_string_lossy()))
        })
    }

    fn bytes(&self, value: &Value) -> Option<usize> {
        Python::attach(|py| {
            let object = self.object(py);
            let asked = || {
                let Some(info) = object.getattr_opt("get_shape_info")? else { return Ok(None) };
                let Some(size) = object.getattr_opt("get_size")? else { return Ok(None) };
                let info = info.call1((object_of(py, value)?,));
                let info = info.map_err(|it| hook::noted(py, it, "get_shape_info", object))?;
                let size = size.call1((info,)).and_then(|it| it.extract());
                size.map(Some).map_err(|it| hook::noted(py, it, "get_size", object))
            };
            self.answered(py, asked())
        })
    }
}
