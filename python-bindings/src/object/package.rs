//! The Python package that the module is part of: its name, and imports of its parts.

use std::sync::OnceLock;

use pyo3::prelude::*;
use pyo3::types::PyModule;

/// What every part of a module says where it comes from.
static NAME: OnceLock<String> = OnceLock::new();

/// The name by which people import the package.
pub(crate) fn name() -> &'static str {
    NAME.get().map_or("opwright", String::as_str)
}

/// Sets the name, before anything asks for it.
pub(crate) fn set_name(package: &str) {
    NAME.get_or_init(|| package.to_owned());
}

/// The native module.
///
/// # Errors
///
/// Those of an import.
pub(crate) fn native(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import(format!("{}._C", name()))
}

/// A module of the package, which few programs need.
///
/// # Errors
///
/// Those of its import.
pub(crate) fn load<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyModule>> {
    py.import(format!("{}.{name}", self::name()))
}
