//! Failures of graphs as exceptions.

use opwright_graph::GraphError;
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::object::failure::{self, exception};
use crate::object::package;
use crate::object::trampoline::unwound;

create_exception!(opwright.c, CompileError, PyRuntimeError, "A block was not compiled.");
create_exception!(opwright.types, ShapeClash, PyTypeError, "Types that have no value in common.");
create_exception!(
    opwright.types,
    ShapeMismatch,
    PyValueError,
    "A value of another shape than was declared."
);

/// The same as calls of operators end with: its name is put in front of what it reports.
pub(super) fn of_call(failure: GraphError) -> failure::Failure {
    match failure {
        GraphError::Op(error) => failure::Failure::Op(error),
        other => raised(other).into(),
    }
}

/// The exception for a failure.
pub(super) fn raised(failure: GraphError) -> PyErr {
    Python::attach(|py| raised_in(py, failure, "function"))
}

/// The same; a panic is that of the operator or function of this name.
#[cold]
pub(super) fn raised_in(py: Python<'_>, failure: GraphError, name: &str) -> PyErr {
    match failure {
        GraphError::Op(error) => exception(&error),
        GraphError::Refused(refusal) => PyTypeError::new_err(refusal.to_string()),
        GraphError::Clash(clash) => ShapeClash::new_err(clash.to_string()),
        GraphError::Mismatch(text) => ShapeMismatch::new_err(text),
        GraphError::Violation(bad, text) => {
            let class = package::load(py, "graph").and_then(|it| it.getattr(bad.name()));
            class.and_then(|it| it.call1((text,))).map_or_else(|error| error, PyErr::from_value)
        }
        GraphError::Unwound(payload) => unwound(name, payload),
        GraphError::Host(error) => match error.downcast::<PyErr>() {
            Ok(error) => *error,
            Err(_) => PyTypeError::new_err("a failure of another host"),
        },
    }
}

/// An exception as a failure of a graph.
pub(super) fn host(error: PyErr) -> GraphError {
    GraphError::Host(Box::new(error))
}
