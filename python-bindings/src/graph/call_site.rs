//! Call sites in a Python program.

use opwright_graph::CallSite;
use pyo3::prelude::*;

use crate::object::package;

/// The nearest frame that is not of this package; of an Op, who called it, not its `make_node`.
pub(super) fn current(py: Python<'_>) -> Option<CallSite> {
    find(py).ok().flatten()
}

fn find(py: Python<'_>) -> PyResult<Option<CallSite>> {
    let mut frame = py.import("sys")?.call_method1("_getframe", (0,))?;
    while !frame.is_none() {
        let caller = frame.getattr("f_back")?;
        if !is_own(&frame)? {
            let code = frame.getattr("f_code")?;
            let function: String = code.getattr("co_name")?.extract()?;
            if function != "make_node" || !is_own(&caller)? {
                let file: String = code.getattr("co_filename")?.extract()?;
                let line = frame.getattr("f_lineno")?.extract().unwrap_or(0);
                return Ok(Some(CallSite { file: file.into(), line, function: function.into() }));
            }
        }
        frame = caller;
    }
    Ok(None)
}

/// Whether a frame is of this package; none is of nobody.
fn is_own(frame: &Bound<'_, PyAny>) -> PyResult<bool> {
    if frame.is_none() {
        return Ok(false);
    }
    let module = frame.getattr("f_globals")?.call_method1("get", ("__name__", ""))?;
    let module: String = module.extract().unwrap_or_default();
    let inner = module.strip_prefix(package::name());
    Ok(inner.is_some_and(|it| it.is_empty() || it.starts_with('.')))
}
