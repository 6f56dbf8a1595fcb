//! String representation of tensors.

use opwright_runtime::tensor::text::Options;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::object::failure::exception;
use crate::object::{self, type_name};

/// Adds the functions to the module.
pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(shown, module)?)?;
    module.add_function(wrap_pyfunction!(set_print_options, module)?)
}

/// What `repr` shows.
#[pyfunction(name = "_shown")]
fn shown(tensor: &Bound<'_, PyAny>) -> PyResult<String> {
    let Some(known) = object::known(tensor.as_borrowed()) else {
        return Err(PyTypeError::new_err(format!("expected a Tensor, not {}", type_name(tensor))));
    };
    let class = tensor.get_type().name()?;
    object::peek(known).to_text(&class.to_string_lossy()).map_err(|it| exception(&it))
}

/// Decides how tensors are shown; what is `None` stays as it is, but for `sci_mode`.
#[pyfunction(name = "_set_print_options")]
fn set_print_options(
    precision: Option<usize>,
    threshold: Option<usize>,
    edgeitems: Option<usize>,
    linewidth: Option<usize>,
    sci_mode: Option<bool>,
) {
    let before = Options::current();
    let options = Options {
        precision: precision.unwrap_or(before.precision),
        threshold: threshold.unwrap_or(before.threshold),
        edgeitems: edgeitems.unwrap_or(before.edgeitems),
        linewidth: linewidth.unwrap_or(before.linewidth),
        sci_mode,
    };
    options.set();
}
