//! The compiler's host: Python, asked for sources and names.

use std::cell::RefCell;
use std::sync::Arc;

use opwright_jit::ast::Ast;
use opwright_jit::types::{Kind, Obj, Ty};
use opwright_jit::{Callee, Code, Error, Frozen, Host, Result};
use pyo3::exceptions::{PyAssertionError, PyAttributeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFunction, PyTuple};

use super::read::{self, Unread};
use super::{freeze, objects};

/// Python while a function is compiled.
pub(super) struct PyHost<'py> {
    py: Python<'py>,
    /// What was raised, if something was.
    raised: RefCell<Option<PyErr>>,
}

impl<'py> PyHost<'py> {
    pub(super) fn new(py: Python<'py>) -> PyHost<'py> {
        PyHost { py, raised: RefCell::new(None) }
    }

    /// What was raised, for an error of the kind `Host`.
    pub(super) fn take(&self) -> Option<PyErr> {
        self.raised.take()
    }

    fn keep(&self, error: PyErr) -> Error {
        self.raised.replace(Some(error));
        Error::host()
    }

    fn heard<T>(&self, result: PyResult<T>) -> Result<T> {
        result.map_err(|it| self.keep(it))
    }

    fn package(&self, module: &str) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.py.import(format!("{}._jit.{module}", crate::package::name()))?.into_any())
    }

    fn read(&self, function: Obj) -> std::result::Result<Arc<Code>, Unread> {
        let function = objects::object(self.py, function);
        let source = self.package("source")?.call_method1("read", (&function,))?;
        let (node, file, first_line, text, lines, columns): (Bound<'py, PyAny>, String, u32, String, u32, u32) =
            source.extract()?;
        let ast = Ast::new(file, first_line, &text);
        let ast = read::read(&node, ast, lines, columns)?;
        let defaults = self.defaults(&function, &ast)?;
        let name: String = function.getattr("__name__")?.extract()?;
        Ok(Arc::new(Code { ast, defaults, name: name.into() }))
    }

    fn defaults(&self, function: &Bound<'py, PyAny>, ast: &Ast) -> PyResult<Vec<(Arc<str>, Frozen)>> {
        use opwright_jit::ast::{FunctionId, ParamKind};
        let params = &ast.function(FunctionId(0)).params;
        let positional: Vec<_> = params
            .iter()
            .filter(|it| matches!(it.kind, ParamKind::Positional | ParamKind::Either))
            .collect();
        let mut found = Vec::new();
        let given = function.getattr("__defaults__")?;
        if let Ok(given) = given.cast::<PyTuple>() {
            let first = positional.len().saturating_sub(given.len());
            for (param, value) in positional[first..].iter().zip(given.iter()) {
                if let Some(frozen) = freeze::freeze(&value)? {
                    found.push((param.name.clone(), frozen));
                }
            }
        }
        if let Ok(given) = function.getattr("__kwdefaults__")?.cast::<PyDict>() {
            for (name, value) in given.iter() {
                if let Some(frozen) = freeze::freeze(&value)? {
                    found.push((name.extract::<String>()?.into(), frozen));
                }
            }
        }
        Ok(found)
    }

    /// The value of a free name: of an enclosing function, a global, or a builtin.
    fn look_up(&self, function: Obj, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
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

    fn frozen(&self, found: Option<Bound<'py, PyAny>>, name: &str) -> Result<Option<Frozen>> {
        let Some(found) = found else { return Ok(None) };
        match self.heard(freeze::freeze(&found))? {
            Some(frozen) => Ok(Some(frozen)),
            None => Err(Error::typing(format!(
                "'{name}' is an object of class {}, which cannot be compiled",
                class_name(&found)
            ))),
        }
    }
}

fn class_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "object".to_owned(), |it| it.to_string())
}

impl Host for PyHost<'_> {
    fn source(&self, function: Obj) -> Result<Arc<Code>> {
        self.read(function).map_err(|it| match it {
            Unread::Refused(error) => error,
            Unread::Raised(error) => self.keep(error),
        })
    }

    fn global(&self, function: Obj, name: &str) -> Result<Option<Frozen>> {
        let found = self.heard(self.look_up(function, name))?;
        self.frozen(found, name)
    }

    fn attribute(&self, object: Obj, name: &str) -> Result<Option<Frozen>> {
        let object = objects::object(self.py, object);
        match object.getattr(name) {
            Ok(found) => self.frozen(Some(found), name),
            Err(error) if error.is_instance_of::<PyAttributeError>(self.py) => Ok(None),
            Err(error) => Err(self.keep(error)),
        }
    }

    fn callee(&self, object: Obj) -> Result<Callee> {
        let object = objects::object(self.py, object);
        if let Some(name) = self.heard(freeze::known(&object))? {
            return Ok(Callee::Builtin(name.into()));
        }
        if object.is_instance_of::<PyFunction>() {
            return Ok(Callee::Function);
        }
        Ok(Callee::Unknown(self.heard(description(&object))?))
    }

    fn assertion_error(&self) -> Obj {
        objects::number(self.py.get_type::<PyAssertionError>().as_any())
    }

    fn is_instance(&self, ty: Ty, class: Obj) -> Result<bool> {
        let class = objects::object(self.py, class);
        let name = class_name_of(&class);
        Ok(match (name.as_str(), &*ty) {
            ("int", Kind::Int(_) | Kind::Bool) | ("bool", Kind::Bool) => true,
            ("float", Kind::Float(_)) | ("complex", Kind::Complex(_)) => true,
            ("tuple", Kind::Tuple(_) | Kind::NamedTuple(..)) | ("str", Kind::Text(_)) => true,
            ("ndarray" | "Tensor", Kind::Array(_)) | ("range", Kind::Range) => true,
            ("NoneType", Kind::None) => true,
            _ => false,
        })
    }

    fn describe(&self, object: Obj) -> String {
        let object = objects::object(self.py, object);
        description(&object).unwrap_or_else(|_| "an object".to_owned())
    }
}

fn class_name_of(class: &Bound<'_, PyAny>) -> String {
    class.getattr("__name__").and_then(|it| it.extract()).unwrap_or_default()
}

/// What messages call an object.
fn description(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let name = object.getattr("__name__").and_then(|it| it.extract::<String>());
    let kind = class_name(object);
    Ok(match name {
        Ok(name) if kind == "module" => format!("module '{name}'"),
        Ok(name) => format!("{kind} '{name}'"),
        Err(_) => format!("an object of class {kind}"),
    })
}
