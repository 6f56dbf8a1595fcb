//! Storages: the memory that tensors share, as objects.
//!
//! One class of Rust has all of it; each dtype, and plain bytes, have a class of Python that says
//! what an element is. Those are made from the table of dtypes, see [`classes`].

mod bytes;
mod classes;
mod construct;
mod declare;
mod element;
mod methods;
mod object;

use pyo3::prelude::*;
use pyo3::types::PyModule;

pub(crate) use object::{PyStorage, canonical, on_meta, typed};

/// Adds the classes.
///
/// # Errors
///
/// Whatever making a class raises.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    declare::add(module)?;
    module.add_function(wrap_pyfunction!(classes::set_storage_class, module)?)?;
    module.add_function(wrap_pyfunction!(bytes::rebuild_storage, module)?)
}
