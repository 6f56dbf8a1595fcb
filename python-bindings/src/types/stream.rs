//! `Stream`: a class without instances, for signatures that mention it.

use pyo3::prelude::*;

/// A queue of work on a device; the CPU has none, so nobody can make one.
#[pyclass(frozen, name = "Stream", module = "opwright")]
pub struct PyStream;
