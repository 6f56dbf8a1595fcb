//! Python as it is asked while a function is compiled: what it raised, and what is known of its objects.

use std::cell::RefCell;
use std::collections::HashMap;

use opwright_jit::types::Obj;
use opwright_jit::{CallTarget, Error, Result};
use pyo3::prelude::*;

use crate::jit::objects::Keeper;
use crate::jit::package_function::PackageFunction;

static LOAD: PackageFunction = PackageFunction::new("builtins", "load");

/// Python while a function is compiled.
pub(in crate::jit) struct PyHost<'py> {
    pub(super) py: Python<'py>,
    /// What keeps the objects that the program names.
    pub(super) keeper: Keeper,
    /// What was raised, if something was.
    pub(super) raised: RefCell<Option<PyErr>>,
    /// Whether something is registered for operators, by their names.
    pub(super) operators: RefCell<HashMap<String, bool>>,
    /// What the package knows objects as, by their numbers.
    pub(super) callees: RefCell<HashMap<Obj, CallTarget>>,
}

impl<'py> PyHost<'py> {
    pub(in crate::jit) fn new(py: Python<'py>) -> PyHost<'py> {
        PyHost {
            py,
            keeper: Keeper::default(),
            raised: RefCell::new(None),
            operators: RefCell::default(),
            callees: RefCell::default(),
        }
    }

    /// What was raised, for an error of the kind `Host`.
    pub(super) fn take(&self) -> Option<PyErr> {
        self.raised.take()
    }

    pub(super) fn keep(&self, error: PyErr) -> Error {
        self.raised.replace(Some(error));
        Error::host()
    }

    pub(super) fn heard<T>(&self, result: PyResult<T>) -> Result<T> {
        result.map_err(|it| self.keep(it))
    }

    pub(super) fn package(&self, module: &str) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.py.import(format!("{}._jit.{module}", crate::object::package::name()))?.into_any())
    }

    /// Loads what the package has written in the language, which is registered with that.
    pub(super) fn load(&self) -> PyResult<()> {
        LOAD.get(self.py)?.call0().map(drop)
    }
}
