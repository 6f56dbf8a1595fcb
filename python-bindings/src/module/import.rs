//! Imports of the native module: the first one, and those after somebody removed it from `sys.modules`.

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyModule};

use crate::object::package::{self, name};
use crate::raw;

/// The modules that the first import loaded, by name.
static LOADED: PyOnceLock<Py<PyDict>> = PyOnceLock::new();

/// Begins an import of a native module, and says whether it is the first.
///
/// Classes are known by their addresses, one each for the process. So a second
/// import, after somebody removed the modules from `sys.modules`, gets the
/// modules of the first, whose tensors may still be in use.
///
/// # Errors
///
/// `ImportError` in a sub-interpreter: objects of one must not reach another.
pub(crate) fn begin(module: &Bound<'_, PyModule>) -> PyResult<bool> {
    // PyO3 asks once whether there is an interpreter: now, and not first while that ends.
    Python::attach(|_| ());
    let native = module.name()?.to_string();
    let home = native.rsplit_once('.').map_or(native.as_str(), |(home, _)| home);
    if !raw::is_main_interpreter(module.py()) {
        return Err(PyImportError::new_err(format!(
            "{home} cannot be imported in a sub-interpreter; import it in the main one, or \
             start another process"
        )));
    }
    if let Some(loaded) = LOADED.get(module.py()) {
        bring_back(module, &native, loaded.bind(module.py()))?;
        return Ok(false);
    }
    package::set_name(home);
    Ok(true)
}

/// Puts the modules of the first import back, `module` being another one for one of them.
fn bring_back(
    module: &Bound<'_, PyModule>,
    name: &str,
    loaded: &Bound<'_, PyDict>,
) -> PyResult<()> {
    modules(module.py())?.update(loaded.as_mapping())?;
    // Whoever loads modules by hand does not look for it there.
    let Some(first) = loaded.get_item(name)? else { return Ok(()) };
    let contents = first.cast_into::<PyModule>()?.dict();
    for (name, value) in contents {
        if !module.dict().contains(&name)? {
            module.dict().set_item(name, value)?;
        }
    }
    Ok(())
}

/// Remembers the modules of the package, all of which have been imported.
#[pyfunction(name = "_keep_modules")]
pub(crate) fn keep_modules(py: Python<'_>) -> PyResult<()> {
    let kept = PyDict::new(py);
    let below = format!("{}.", name());
    for (path, module) in modules(py)?.copy()? {
        let path: String = path.extract()?;
        if path == name() || path.starts_with(&below) {
            kept.set_item(path, module)?;
        }
    }
    LOADED.get_or_init(py, || kept.unbind());
    Ok(())
}

/// `sys.modules`.
pub(super) fn modules(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    Ok(py.import("sys")?.getattr("modules")?.cast_into::<PyDict>()?)
}
