//! Switches of fast paths, for tests and benchmarks; what is handed out has none.

use opwright_runtime::fast_path::FastPath;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyModule;

/// Adds `_fast_paths`, the names of all, `_switch_fast_path` and `_was_fast_path_taken`.
///
/// # Errors
///
/// `MemoryError`.
pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let names: Vec<&str> = FastPath::ALL.iter().map(|it| it.name()).collect();
    module.add("_fast_paths", names)?;
    module.add_function(wrap_pyfunction!(_switch_fast_path, module)?)?;
    module.add_function(wrap_pyfunction!(_was_fast_path_taken, module)?)
}

/// Turns a fast path off or on, for all threads.
#[pyfunction]
fn _switch_fast_path(name: &str, is_on: bool) -> PyResult<()> {
    named(name).map(|it| it.switch(is_on))
}

/// Whether a fast path was taken since this was last asked.
#[pyfunction]
fn _was_fast_path_taken(name: &str) -> PyResult<bool> {
    named(name).map(FastPath::was_taken)
}

fn named(name: &str) -> PyResult<FastPath> {
    let found = FastPath::ALL.iter().find(|it| it.name() == name);
    found.copied().ok_or_else(|| PyValueError::new_err(format!("there is no fast path '{name}'")))
}
