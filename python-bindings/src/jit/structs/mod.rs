//! Native structs: objects whose members lie in them as C lays them out.
//!
//! Behind the head of an object stand what it is a part of, if it is one, and the address of the
//! members there; else the members follow. So a member that is a mutable struct is an object of its
//! class that looks into the one around it.

pub(super) mod boxing;
mod class;
mod member;
mod memory;
pub(super) mod object;

use pyo3::prelude::*;
use pyo3::types::PyModule;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(class::struct_class, module)?)?;
    module.add_function(wrap_pyfunction!(member::struct_set, module)?)?;
    module.add_function(wrap_pyfunction!(member::struct_get, module)?)
}
