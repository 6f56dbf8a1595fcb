//! Storages: the memory that tensors share, as objects.
//!
//! One class of Rust has all of it; each dtype, and plain bytes, have a class of Python that says
//! what an element is. Those are made from the table of dtypes, see [`classes`].

mod bytes;
mod classes;
mod construct;
mod element;
mod object;

use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::object::Failure;
use crate::object::trampoline::guarded;

pub(crate) use classes::typed;
pub(crate) use object::PyStorage;
pub(crate) use object::{canonical, on_meta};

/// Runs the body of a method. What it unwinds with, such as what a handler of signals or a warning
/// raises, comes out as it is.
fn entered<T>(body: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    Ok(guarded("storage", || body().map_err(PyErr::from))?)
}

/// Adds the classes.
///
/// # Errors
///
/// Whatever making a class raises.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    classes::add(module)?;
    module.add_function(wrap_pyfunction!(classes::set_storage_class, module)?)?;
    module.add_function(wrap_pyfunction!(bytes::rebuild_storage, module)?)
}
