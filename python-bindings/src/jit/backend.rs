//! Which back end runs compiled functions: as the environment says, else the fastest.

use opwright_jit::Backend;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// The variable that says it.
const VARIABLE: &str = "OPWRIGHT_JIT";

static WANTED: PyOnceLock<Option<Backend>> = PyOnceLock::new();

/// The back end that is asked for; none if it is left open. It is read once.
pub(super) fn wanted(py: Python<'_>) -> PyResult<Option<Backend>> {
    WANTED.get_or_try_init(py, || read(py)).copied()
}

fn read(py: Python<'_>) -> PyResult<Option<Backend>> {
    let Ok(text) = std::env::var(VARIABLE) else { return Ok(None) };
    match text.as_str() {
        "" | "tiered" => Ok(None),
        "vm" => Ok(Some(Backend::Vm)),
        "cranelift" => Ok(Some(Backend::Cranelift)),
        _ => {
            let text = format!("{VARIABLE} is ignored: {text:?} is none of vm, cranelift, tiered");
            let text = std::ffi::CString::new(text).unwrap_or_default();
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
            Ok(None)
        }
    }
}
