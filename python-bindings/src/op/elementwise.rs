//! Loops over elements as objects: what Ops hand to chains of graphs.

use opwright_graph::Elementwise;
use pyo3::prelude::*;

/// A loop over elements.
#[pyclass(frozen, name = "ElementLoop")]
pub(crate) struct PyElementwise(pub(crate) Elementwise);
