//! Sources of functions, with the defaults of their parameters.

use std::sync::Arc;

use opwright_jit::ast::{Ast, FunctionId, ParamKind};
use opwright_jit::types::{Obj, Ty};
use opwright_jit::{Code, Frozen, Inline};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::candidates::inline_of;
use super::py_host::PyHost;
use crate::jit::read::{self, Unread};
use crate::jit::{freeze, objects};

impl<'py> PyHost<'py> {
    pub(super) fn read(&self, function: Obj) -> std::result::Result<Arc<Code>, Unread> {
        let function = objects::object(self.py, function);
        let source = self.package("source")?.call_method1("read", (&function,))?;
        let (node, file, first_line, text, lines, columns): (
            Bound<'py, PyAny>,
            String,
            u32,
            String,
            u32,
            u32,
        ) = source.extract()?;
        let ast = Ast::new(file, first_line, &text);
        let ast = read::read(&node, ast, lines, columns)?;
        let defaults = self.defaults(&function, &ast)?;
        let name: String = function.getattr("__name__")?.extract()?;
        let inline = match function.getattr("_opwright_inline_") {
            Ok(word) => inline_of(word.extract()?),
            Err(_) => Inline::Auto,
        };
        Ok(Arc::new(Code { ast, defaults, name: name.into(), inline }))
    }

    fn defaults(
        &self,
        function: &Bound<'py, PyAny>,
        ast: &Ast,
    ) -> PyResult<Vec<(Arc<str>, Frozen)>> {
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
                if let Some(frozen) = freeze::freeze(&value, &self.keeper)? {
                    found.push((param.name.clone(), frozen));
                }
            }
        }
        if let Ok(given) = function.getattr("__kwdefaults__")?.cast::<PyDict>() {
            for (name, value) in given.iter() {
                if let Some(frozen) = freeze::freeze(&value, &self.keeper)? {
                    found.push((name.extract::<String>()?.into(), frozen));
                }
            }
        }
        Ok(found)
    }

    /// The defaults of the members of a class of native structs.
    pub(super) fn defaults_of(
        &self,
        class: &Bound<'py, PyAny>,
    ) -> PyResult<Vec<(Arc<str>, Frozen)>> {
        let Ok(defaults) = class.getattr("_opwright_defaults_") else { return Ok(Vec::new()) };
        let defaults = defaults.cast::<PyDict>().map_err(PyErr::from)?;
        let mut found: Vec<(Arc<str>, Frozen)> = Vec::new();
        for (name, value) in defaults.iter() {
            if let Some(frozen) = freeze::freeze(&value, &self.keeper)? {
                found.push((name.extract::<String>()?.into(), frozen));
            }
        }
        Ok(found)
    }
}

/// The type of a class of native structs.
pub(super) fn struct_type(class: &Bound<'_, PyAny>) -> PyResult<Option<Ty>> {
    if class.getattr("_opwright_defaults_").is_err() {
        return Ok(None);
    }
    freeze::from_python(&class.getattr("_opwright_type_")?).map(Some)
}
