//! Variables as objects: their class, and the object of each.

pub(super) mod methods;

use opwright_graph::Variable;
use opwright_runtime::resolve::Accepts;
use opwright_runtime::types::{Plain, TensorType};
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyType;

use super::objects;
use crate::object::package;
use crate::raw::Class;

/// The class of variables.
pub(super) static VARIABLE: Class = Class::new();

/// The class of shared variables, which the package derives.
pub(super) static SHARED: Class = Class::new();

/// A value that is not there yet.
#[pyclass(subclass, weakref, name = "VariableBase")]
pub(super) struct PyVariable {
    variable: Variable,
}

/// Hands a variable to the constructor, which nobody else can call so.
#[pyclass(frozen)]
struct Handover(Variable);

/// What a variable satisfies, if the object is one: what values of its type do, and it takes over
/// the call.
pub(super) fn kinds(object: &Bound<'_, PyAny>) -> Option<Accepts> {
    let variable = of(object)?;
    Some(variable.ty().accepts().or(Accepts::OVERRIDE))
}

/// The variable that an object stands for.
pub(super) fn of(object: &Bound<'_, PyAny>) -> Option<Variable> {
    if !VARIABLE.is_set() || !VARIABLE.is_class_of(object) {
        return None;
    }
    let held = object.cast::<PyVariable>().ok()?;
    let variable = held.borrow().variable.clone();
    // One that was made by its class is not known yet; without memory it stays so.
    if objects::known(object.py(), variable.label()).is_none() {
        let _ = objects::remember(variable.label(), object);
    }
    Some(variable)
}

/// The object of a variable.
///
/// # Errors
///
/// `MemoryError`.
pub(super) fn object(py: Python<'_>, variable: Variable) -> PyResult<Bound<'_, PyAny>> {
    if let Some(known) = objects::known(py, variable.label()) {
        return Ok(known);
    }
    let class = if variable.as_shared().is_some() { shared_class(py)? } else { VARIABLE.bind(py) };
    let made = class.call1((Bound::new(py, Handover(variable.clone()))?,))?;
    objects::remember(variable.label(), &made)?;
    Ok(made)
}

/// The class of shared variables.
///
/// # Errors
///
/// Those of importing the part of the package that has it.
fn shared_class(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    if !SHARED.is_set() {
        package::load(py, "graph._functions")?;
    }
    Ok(SHARED.bind(py))
}

/// Lets an object stand for another variable: for the result that it has become.
pub(super) fn become_result(object: &Bound<'_, PyAny>, result: Variable) -> PyResult<()> {
    let name = of(object).and_then(|it| it.label().name());
    if let Some(name) = name {
        result.label().rename(Some(&name));
    }
    objects::remember(result.label(), object)?;
    object.cast::<PyVariable>()?.borrow_mut().variable = result;
    Ok(())
}

/// How many dimensions its values have; numbers have none.
///
/// # Errors
///
/// `AttributeError` for values without dimensions.
pub(super) fn rank(variable: &Variable) -> PyResult<usize> {
    let ty = variable.ty();
    if ty.downcast::<Plain>().is_some_and(|it| it.is_number()) {
        return Ok(0);
    }
    let ty = ty.downcast::<TensorType>().map(TensorType::ndim);
    ty.ok_or_else(|| {
        PyAttributeError::new_err(format!("values of {} have no dimensions", variable.ty()))
    })
}

/// What needs a value, and has none.
#[cold]
pub(super) fn no_value(variable: &Variable, what: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "{what} wants a value, and the variable {variable} has none yet; eval() or function() give \
         one"
    ))
}
