//! The reference module: opwright applied to its own operators.

use opwright_python_bindings::module;
use opwright_python_bindings::pyo3::prelude::*;

pub(crate) use opwright_ops::ops;

/// What is generated of the operators.
mod generated {
    include!(concat!(env!("OUT_DIR"), "/python.rs"));
}

/// What the interpreter calls at the import.
#[pymodule(crate = "opwright_python_bindings::pyo3")]
#[pyo3(name = "_C")]
fn reference_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module::init(module, &generated::TABLES)?;
    module.setattr("__version__", env!("CARGO_PKG_VERSION"))
}
