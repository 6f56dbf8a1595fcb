//! Functions of the package's Python part, looked up once.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// A function of a module of `_jit`.
pub(super) struct PackageFunction {
    module: &'static str,
    name: &'static str,
    found: PyOnceLock<Py<PyAny>>,
}

impl PackageFunction {
    /// The function of this name, once somebody asks for it.
    pub(super) const fn new(module: &'static str, name: &'static str) -> PackageFunction {
        PackageFunction { module, name, found: PyOnceLock::new() }
    }

    /// The function itself.
    pub(super) fn get<'a, 'py>(&'a self, py: Python<'py>) -> PyResult<&'a Bound<'py, PyAny>> {
        let found = self.found.get_or_try_init(py, || {
            let module =
                py.import(format!("{}._jit.{}", crate::object::package::name(), self.module))?;
            module.getattr(self.name).map(Bound::unbind)
        })?;
        Ok(found.bind(py))
    }
}
