//! Where in a Python program something is made.

use opwright_graph::Place;
use pyo3::prelude::*;

use crate::package;

/// The nearest frame that is not of this package.
pub(super) fn current(py: Python<'_>) -> Option<Place> {
    find(py).ok().flatten()
}

fn find(py: Python<'_>) -> PyResult<Option<Place>> {
    let own = package::name();
    let mut frame = py.import("sys")?.call_method1("_getframe", (0,))?;
    while !frame.is_none() {
        let module = frame.getattr("f_globals")?.call_method1("get", ("__name__", ""))?;
        let module: String = module.extract().unwrap_or_default();
        let is_own =
            module.strip_prefix(own).is_some_and(|it| it.is_empty() || it.starts_with('.'));
        if !is_own {
            let code = frame.getattr("f_code")?;
            let file: String = code.getattr("co_filename")?.extract()?;
            let function: String = code.getattr("co_name")?.extract()?;
            let line = frame.getattr("f_lineno")?.extract().unwrap_or(0);
            return Ok(Some(Place { file: file.into(), line, function: function.into() }));
        }
        frame = frame.getattr("f_back")?;
    }
    Ok(None)
}
