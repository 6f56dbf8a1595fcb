//! The mode "c" in a module that is built without it: errors that say so.

use opwright_graph::rewrite::Rewriter;
use opwright_graph::{Function, FunctionSpec, GraphError};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyModule;

use super::apply::PyApply;
use super::failure::host as failed;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(c_source, module)?)?;
    module.add_function(wrap_pyfunction!(c_clean, module)?)
}

pub(super) fn function(
    _: FunctionSpec,
    _: &Rewriter,
    _: &Bound<'_, PyAny>,
) -> Result<Function, GraphError> {
    Err(failed(error()))
}

/// The text of the blocks among nodes, of which there are none.
#[pyfunction]
fn c_source(nodes: Vec<PyRef<'_, PyApply>>) -> &'static str {
    drop(nodes);
    ""
}

/// Fails: this module compiles no blocks.
#[pyfunction]
fn c_clean() -> PyResult<usize> {
    Err(error())
}

fn error() -> PyErr {
    let text = "the mode \"c\" is there in modules that are built with the feature cc";
    PyRuntimeError::new_err(text)
}
