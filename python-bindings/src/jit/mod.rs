//! Compiled functions from Python: sources, names, boxing and unboxing of values, dispatchers.

mod arrays;
mod autograd;
mod backend;
mod bind;
mod boxing;
mod call;
mod derived;
mod dispatch;
mod dispatcher;
mod element_loop;
mod entries;
mod entry;
mod errors;
mod execute;
mod failure;
mod fields;
mod freeze;
mod host;
mod ndarray;
mod numbers;
mod objects;
mod operators;
mod outcome;
mod overload;
mod package_function;
mod parameter;
mod read;
mod registrations;
mod stats;
mod structs;
mod typeof_;
mod types;
mod unboxer;

use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::call::tables::Tables;

/// Adds `_jit`, the submodule of what the package is made of.
pub(crate) fn add(module: &Bound<'_, PyModule>, tables: &'static Tables) -> PyResult<()> {
    operators::set(tables);
    let py = module.py();
    let inner = PyModule::new(py, "_jit")?;
    dispatch::add(&inner)?;
    structs::add(&inner)?;
    inner.add_function(wrap_pyfunction!(element_loop::element_loop, &inner)?)?;
    crate::op::defined::add(&inner)?;
    module.add("_jit", inner)
}
