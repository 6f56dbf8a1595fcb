//! Shared variables: their values, and how these change.

use opwright_graph::Variable;
use opwright_runtime::op::Value;
use opwright_runtime::types::{Coerce, TypeRef};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyModule, PyType};

use super::boxing::{accept, emit, type_ref};
use super::host_type::{HostType, Refilled};
use super::{hook, variable};
use crate::object::failure::raise;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(is_constant, module)?)?;
    module.add_function(wrap_pyfunction!(set_shared_class, module)?)?;
    module.add_function(wrap_pyfunction!(new_shared, module)?)?;
    module.add_function(wrap_pyfunction!(shared_value, module)?)?;
    module.add_function(wrap_pyfunction!(set_shared_value, module)?)?;
    module.add_function(wrap_pyfunction!(default_update, module)?)?;
    module.add_function(wrap_pyfunction!(set_default_update, module)?)
}

/// Says which class the package derives.
#[pyfunction]
fn set_shared_class(class: &Bound<'_, PyType>) {
    variable::SHARED.set(class);
}

/// A shared variable; the value is copied unless it is lent.
#[pyfunction]
fn new_shared<'py>(
    ty: &Bound<'py, PyAny>,
    value: &Bound<'py, PyAny>,
    name: Option<&str>,
    strict: bool,
    allow_downcast: Option<bool>,
    borrow: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = ty.py();
    let ty = type_ref(ty)?;
    let how = Coerce::of(strict, allow_downcast);
    let value = hook::heard(|| own(&ty, accept(&ty, value, how)?, borrow))?;
    variable::object(py, Variable::shared(ty, value, how, name))
}

/// A value of a shared variable's own, unless it is lent.
fn own(ty: &TypeRef, value: Value, is_lent: bool) -> PyResult<Value> {
    let value = if is_lent { value } else { ty.deep_copy(&value).map_err(raise)? };
    value.tensors().into_iter().for_each(opwright_runtime::Tensor::settle);
    Ok(value)
}

fn of(object: &Bound<'_, PyAny>) -> PyResult<Variable> {
    let found = variable::of(object).filter(|it| it.as_shared().is_some());
    found.ok_or_else(|| PyTypeError::new_err("expected a shared variable"))
}

/// Whether a variable never changes.
#[pyfunction]
fn is_constant(variable: &Bound<'_, PyAny>) -> bool {
    variable::of(variable).is_some_and(|it| it.as_constant().is_some())
}

/// Its value, or a copy.
#[pyfunction]
fn shared_value<'py>(shared: &Bound<'py, PyAny>, borrow: bool) -> PyResult<Bound<'py, PyAny>> {
    let variable = of(shared)?;
    let value = variable.as_shared().map_or(Value::None, opwright_graph::SharedValue::value);
    hook::heard(|| {
        let value = if borrow { value } else { variable.ty().deep_copy(&value).map_err(raise)? };
        emit(shared.py(), variable.ty(), value)
    })
}

/// Gives it another value, or a copy of it: where the old one is, if its type does that, or if it is a
/// tensor of the same shape that nobody else has.
#[pyfunction]
fn set_shared_value(
    shared: &Bound<'_, PyAny>,
    value: &Bound<'_, PyAny>,
    borrow: bool,
) -> PyResult<()> {
    let variable = of(shared)?;
    hook::heard(|| store(&variable, value, borrow))
}

fn store(variable: &Variable, value: &Bound<'_, PyAny>, borrow: bool) -> PyResult<()> {
    let (ty, Some(shared)) = (variable.ty(), variable.as_shared()) else { return Ok(()) };
    let how = shared.coerce();
    if let Some(host) = ty.downcast::<HostType>()
        && let Some(refilled) = host.refill(value, &shared.value(), how)?
    {
        shared.store(match refilled {
            Refilled::Old(old) => old,
            Refilled::New(new) => own(ty, new, borrow)?,
        });
        return Ok(());
    }
    let new = accept(ty, value, how)?;
    if borrow || !shared.refill(&new).map_err(raise)? {
        shared.store(own(ty, new, borrow)?);
    }
    Ok(())
}

/// What functions that use it update it to, unless they say otherwise.
#[pyfunction]
fn default_update<'py>(shared: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let update = of(shared)?.as_shared().and_then(opwright_graph::SharedValue::default_update);
    update.map(|it| variable::object(shared.py(), it)).transpose()
}

/// Says that.
#[pyfunction]
fn set_default_update(
    shared: &Bound<'_, PyAny>,
    update: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let update = update
        .map(|it| variable::of(it).ok_or_else(|| PyTypeError::new_err("an update is a variable")));
    if let Some(shared) = of(shared)?.as_shared() {
        shared.set_default_update(update.transpose()?);
    }
    Ok(())
}
