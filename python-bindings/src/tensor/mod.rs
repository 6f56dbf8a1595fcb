//! The tensor class, the functions that make tensors from Python objects, and
//! indexing.

mod attributes;
mod class;
pub mod construct;
mod constructor;
mod convert;
mod declare;
mod functions;
pub(crate) mod index;
mod iterate;
mod methods;
mod numbers;
pub(crate) mod pickle;
mod predicates;
mod set;
mod tensortype;
mod text;
mod type_name;
mod untracked;

use opwright_runtime::{DispatchKey, dispatch};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyModule, PyTuple, PyType};

use crate::call::tables::Tables;
use crate::call::target::Target;
use crate::object::failure::raise;
use crate::object::foreign::KIND;
use crate::object::size::set_class;
use crate::object::{self, PyTensor, classes};
use crate::raw::free_list;

/// Adds the tensor class and the functions that are written by hand.
///
/// # Errors
///
/// Whatever making a class raises.
pub fn add(module: &Bound<'_, PyModule>, tables: &'static Tables) -> PyResult<()> {
    let class = class::make(module, tables)?;
    class.setattr(KIND, "Tensor")?;
    classes::TENSOR_BASE.set(&class);
    // Until the package has a class of its own.
    classes::TENSOR.set(&class);
    free_list::serve(&class, object::dealloc);
    // The second is its older name.
    for name in ["TensorBase", "_TensorBase"] {
        module.add(name, &class)?;
    }
    module.add_function(wrap_pyfunction!(untracked::untracked, module)?)?;
    module.add_function(wrap_pyfunction!(set_classes, module)?)?;
    module.add_function(wrap_pyfunction!(operators_seen, module)?)?;
    module.add_function(wrap_pyfunction!(pickle::copy_alone, module)?)?;
    module.add_function(wrap_pyfunction!(pickle::parts, module)?)?;
    module.add_function(wrap_pyfunction!(pickle::rebuild, module)?)?;
    module.add_function(wrap_pyfunction!(pickle::rebuild_view, module)?)?;
    tensortype::add(module)?;
    text::add(module)?;
    functions::add(module)
}

/// The function or method of a name that is written by hand, if there is one.
pub(crate) fn target(name: &str) -> Option<&'static Target> {
    let (targets, name) = match name.strip_prefix("Tensor.") {
        Some(method) => ([methods::TARGETS, convert::TARGETS, set::TARGETS].concat(), method),
        None => (functions::TARGETS.to_vec(), name),
    };
    targets.into_iter().find(|it| it.function.name == name)
}

/// Says which classes the package uses for tensors and sizes.
#[pyfunction(name = "_set_classes")]
fn set_classes(tensor: &Bound<'_, PyType>, size: &Bound<'_, PyType>) -> PyResult<()> {
    let py = tensor.py();
    let is_tensor = tensor.is_subclass(&classes::TENSOR_BASE.bind(py))?;
    if !is_tensor || !size.is_subclass(&py.get_type::<PyTuple>())? {
        return Err(PyTypeError::new_err("expected a class of tensors and a class of tuples"));
    }
    classes::TENSOR.set(tensor);
    free_list::serve(tensor, object::dealloc);
    set_class(size)
}

/// Calls a function while a layer is on a tensor, and returns the operators that the layer sees: for
/// tests.
#[pyfunction(name = "_operators_seen")]
fn operators_seen(tensor: PyTensor, function: &Bound<'_, PyAny>) -> PyResult<Vec<&'static str>> {
    tensor.0.set_layer(DispatchKey::Autograd, true).map_err(raise)?;
    let (result, seen) = dispatch::seen(|| function.call0());
    tensor.0.set_layer(DispatchKey::Autograd, false).map_err(raise)?;
    result.map(|_| seen)
}
