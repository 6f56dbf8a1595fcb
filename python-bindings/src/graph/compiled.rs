//! A call of a compiled function on variables makes a node.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::object::package;

/// The results of a call with a variable among its arguments.
///
/// # Errors
///
/// What the function raises of values of such types.
#[cold]
pub(super) fn call<'py>(
    function: &Bound<'py, PyAny>,
    args: &Bound<'py, PyTuple>,
    keywords: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let module = package::load(function.py(), "_jit.graphs")?;
    module.getattr("call")?.call1((function, args, keywords))
}
