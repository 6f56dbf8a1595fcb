//! Hooks of the layer of graphs into the handling of objects: the only way up for code below it.
//!
//! The layer has objects of its own, which calls take in the place of tensors and numbers: variables.
//! It is asked behind everything that is known without it. `call::hooks` is its part in calls; the
//! module sets both before its classes are made.

use std::sync::OnceLock;

use opwright_runtime::op::Value;
use opwright_runtime::resolve::Accepts;
use opwright_runtime::types::{Coerce, TypeRef};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// What the layer says of objects.
pub(crate) struct ObjectHooks {
    /// What one of its objects is called: `variable`.
    pub(crate) object: &'static str,
    /// What to write instead of one that stands for a number where a tensor is expected.
    pub(crate) number_hint: &'static str,
    /// The kinds of parameters that an object satisfies, if it is one of the layer.
    pub(crate) kinds: fn(&Bound<'_, PyAny>) -> Option<Accepts>,
    /// What messages say of an object or of its method proxy, if it is one of the layer.
    pub(crate) describe: fn(&Bound<'_, PyAny>) -> Option<String>,
    /// Whether an object is a method proxy: a tensor that leads to an object of the layer, for a
    /// method that wants one to be called on.
    pub(crate) is_method_proxy: fn(&Bound<'_, PyAny>) -> bool,
    /// An object as a value of a type, which may be written in Python.
    pub(crate) accept: fn(&TypeRef, &Bound<'_, PyAny>, Coerce) -> PyResult<Value>,
    /// A value of a type as an object.
    pub(crate) emit: for<'py> fn(Python<'py>, &TypeRef, Value) -> PyResult<Bound<'py, PyAny>>,
}

static HOOKS: OnceLock<&'static ObjectHooks> = OnceLock::new();

/// Sets the hooks of the process.
pub(crate) fn set(hooks: &'static ObjectHooks) {
    HOOKS.get_or_init(|| hooks);
}

/// The kinds of parameters that an object of the layer satisfies.
pub(crate) fn kinds(object: &Bound<'_, PyAny>) -> Option<Accepts> {
    (HOOKS.get()?.kinds)(object)
}

/// What messages say of an object of the layer.
pub(crate) fn describe(object: &Bound<'_, PyAny>) -> Option<String> {
    (HOOKS.get()?.describe)(object)
}

/// The hooks of the layer, if an object or a method proxy belongs to it.
pub(crate) fn of(object: &Bound<'_, PyAny>) -> Option<&'static ObjectHooks> {
    HOOKS.get().copied().filter(|it| (it.describe)(object).is_some())
}

/// Whether an object is a method proxy of the layer.
pub(crate) fn is_method_proxy(object: &Bound<'_, PyAny>) -> bool {
    HOOKS.get().is_some_and(|it| (it.is_method_proxy)(object))
}

/// An object as a value of a type.
///
/// # Errors
///
/// `TypeError` if the type refuses it; what a type that is written in Python raises.
pub(crate) fn accept(ty: &TypeRef, object: &Bound<'_, PyAny>, how: Coerce) -> PyResult<Value> {
    (hooks()?.accept)(ty, object, how)
}

/// A value of a type as an object.
///
/// # Errors
///
/// `MemoryError`; what a type that is written in Python raises.
pub(crate) fn emit<'py>(
    py: Python<'py>,
    ty: &TypeRef,
    value: Value,
) -> PyResult<Bound<'py, PyAny>> {
    (hooks()?.emit)(py, ty, value)
}

fn hooks() -> PyResult<&'static ObjectHooks> {
    HOOKS.get().copied().ok_or_else(|| PyRuntimeError::new_err("the module is not ready"))
}
