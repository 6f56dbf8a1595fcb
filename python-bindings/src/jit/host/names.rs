//! Name resolution, and names in messages.

use opwright_jit::types::Obj;
use opwright_jit::{CallTarget, Error, Frozen, Result};
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFunction};

use super::py_host::PyHost;
use crate::jit::{freeze, objects};

impl<'py> PyHost<'py> {
    /// The value of a free name: of an enclosing function, a global, or a builtin.
    pub(super) fn look_up(&self, function: Obj, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let function = objects::object(self.py, function);
        let code = function.getattr("__code__")?;
        let free: Vec<String> = code.getattr("co_freevars")?.extract()?;
        if let Some(at) = free.iter().position(|it| it == name) {
            return match function.getattr("__closure__")?.get_item(at)?.getattr("cell_contents") {
                Ok(value) => Ok(Some(value)),
                Err(_) => Ok(None),
            };
        }
        let globals = function.getattr("__globals__")?;
        let globals = globals.cast::<PyDict>().map_err(PyErr::from)?;
        if let Some(found) = globals.get_item(name)? {
            return Ok(Some(found));
        }
        match self.py.import("builtins")?.getattr(name) {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.is_instance_of::<PyAttributeError>(self.py) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What a call of an object runs.
    pub(super) fn callee_of(&self, object: Obj) -> Result<CallTarget> {
        let object = objects::object(self.py, object);
        if let Some(name) = self.heard(freeze::known(&object))? {
            return Ok(CallTarget::Builtin(name.into()));
        }
        if let Ok(scalar) = object.getattr("_opwright_scalar_") {
            return Ok(CallTarget::Elementwise(self.keeper.number(&scalar)));
        }
        if let Ok(derivative) = object.getattr("_opwright_derivative_") {
            let (of, at): (Bound<'_, PyAny>, usize) = self.heard(derivative.extract())?;
            return Ok(CallTarget::Derivative(self.keeper.number(&of), at));
        }
        if object.is_instance_of::<PyFunction>() {
            return Ok(CallTarget::Function);
        }
        Ok(CallTarget::Unknown(self.heard(description(&object))?))
    }

    pub(super) fn frozen(
        &self,
        found: Option<Bound<'py, PyAny>>,
        name: &str,
    ) -> Result<Option<Frozen>> {
        let Some(found) = found else { return Ok(None) };
        match self.heard(freeze::freeze(&found, &self.keeper))? {
            Some(frozen) => Ok(Some(frozen)),
            None => Err(Error::typing(format!(
                "'{name}' is an object of class {}, which cannot be compiled",
                class_name(&found)
            ))),
        }
    }
}

/// What the class of an object is called.
pub(super) fn class_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "object".to_owned(), |it| it.to_string())
}

/// Whether a class is one of types.
pub(super) fn is_type(class: &Bound<'_, PyAny>) -> bool {
    class.hasattr("is_precise").unwrap_or(false)
}

pub(super) fn class_name_of(class: &Bound<'_, PyAny>) -> String {
    class.getattr("__name__").and_then(|it| it.extract()).unwrap_or_default()
}

/// What messages call an object.
pub(super) fn description(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let name = object.getattr("__name__").and_then(|it| it.extract::<String>());
    let kind = class_name(object);
    Ok(match name {
        Ok(name) if kind == "module" => format!("module '{name}'"),
        Ok(name) => format!("{kind} '{name}'"),
        Err(_) => format!("an object of class {kind}"),
    })
}
