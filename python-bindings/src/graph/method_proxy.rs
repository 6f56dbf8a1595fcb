//! Method proxies: what stands for a variable where a method wants a tensor.

use opwright_runtime::types::Plain;
use opwright_runtime::{DType, Device, Tensor};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

use super::variable;
use crate::call::hooks::Replaced;
use crate::object::failure::raise;
use crate::object::{self, classes};

/// The class of these tensors.
static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// The attribute with the variable.
const VARIABLE: &str = "variable";

/// A tensor without elements that leads to the variable.
///
/// # Errors
///
/// `MemoryError`.
pub(super) fn of<'py>(variable: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = variable.py();
    let tensor = Tensor::allocate(&[], DType::Float32, Device::Meta).map_err(raise)?;
    let receiver = object::of_class(class(py)?, tensor)?;
    receiver.setattr(VARIABLE, variable)?;
    Ok(receiver)
}

/// The operands of an operator of the language with such tensors in the places of variables of
/// numbers; nothing if there is none.
///
/// # Errors
///
/// `MemoryError`.
pub(super) fn operands<'py>(operands: &[Bound<'py, PyAny>]) -> PyResult<Replaced<'py>> {
    if !operands.iter().any(is_number) {
        return Ok(None);
    }
    let convert = |it: &Bound<'py, PyAny>| if is_number(it) { of(it) } else { Ok(it.clone()) };
    operands.iter().map(convert).collect::<PyResult<Vec<_>>>().map(Some)
}

fn is_number(object: &Bound<'_, PyAny>) -> bool {
    let known = variable::of(object);
    known.is_some_and(|it| it.ty().downcast::<Plain>().is_some_and(|it| it.is_number()))
}

/// Whether an object is one of these tensors.
pub(super) fn is_receiver(object: &Bound<'_, PyAny>) -> bool {
    CLASS.get(object.py()).is_some_and(|it| object.get_type().is(it.bind(object.py())))
}

/// The variable that it leads to, if it is one of these.
pub(super) fn variable<'py>(object: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    is_receiver(object).then(|| object.getattr(VARIABLE).ok()).flatten()
}

fn class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    let made = CLASS.get_or_try_init(py, || {
        let bases = (classes::TENSOR_BASE.bind(py),);
        let class = py.get_type::<PyType>().call1(("Receiver", bases, PyDict::new(py)))?;
        Ok::<_, PyErr>(class.cast_into::<PyType>()?.unbind())
    })?;
    Ok(made.bind(py))
}

/// What messages say of a variable: its type, and its name.
pub(super) fn described(object: &Bound<'_, PyAny>) -> Option<String> {
    let leads = variable(object);
    let known = variable::of(leads.as_ref().unwrap_or(object))?;
    Some(match known.label().name() {
        Some(name) => format!("{} variable '{name}'", known.ty()),
        None => format!("{} variable", known.ty()),
    })
}
