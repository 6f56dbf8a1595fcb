//! Gradients of operators that are defined at run time: a function, or formulas.

use std::sync::atomic::Ordering;

use opwright_runtime::op::{Gradient, Operator};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::declared::kept;
use super::formula;
use super::native_op::PyNativeOp;
use crate::object::package;

/// Says what the gradients of an operator are; the function, if it is one, else the operator.
///
/// # Errors
///
/// `ValueError` for a formula with a mistake, or if something was said already; `TypeError` for a function
/// that asks for what there is not.
pub(super) fn set<'py>(
    operator: &Bound<'py, PyNativeOp>,
    formulas: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    match formulas.get_item(0).ok().filter(|it| it.is_callable()) {
        Some(function) => {
            of_function(operator, &function)?;
            Ok(function)
        }
        None => {
            of_formulas(operator, &formulas.extract::<Vec<String>>()?)?;
            Ok(operator.clone().into_any())
        }
    }
}

fn of_function(operator: &Bound<'_, PyNativeOp>, function: &Bound<'_, PyAny>) -> PyResult<()> {
    record(operator, function)?;
    operator.get().describe(&[("all", "by a function")]);
    Ok(())
}

fn of_formulas(operator: &Bound<'_, PyNativeOp>, texts: &[String]) -> PyResult<()> {
    let (py, row) = (operator.py(), operator.get().row());
    let read = formula::read(py, row, texts).map_err(|text| {
        let name = row.name;
        PyValueError::new_err(format!("{name}.derivative() cannot take this formula:\n{text}"))
    })?;
    let written = read.iter().map(|it| (kept(it.inputs.join(", ")), kept(it.text.clone())));
    let written: Vec<(&str, &str)> = written.collect();
    let given: Vec<_> = read.into_iter().map(|it| (it.inputs, it.python)).collect();
    let make = package::load(py, "_jit.native_op")?.getattr("of_formulas")?;
    record(operator, &make.call1((operator, given))?)?;
    operator.get().describe(&written);
    Ok(())
}

/// Has calls with tensors that require gradients recorded with this derivative.
fn record(operator: &Bound<'_, PyNativeOp>, derivative: &Bound<'_, PyAny>) -> PyResult<()> {
    let make = package::load(operator.py(), "_jit.native_op")?.getattr("recorded")?;
    let recorded = make.call1((operator, derivative))?;
    let operator = operator.get();
    operator.say(&operator.recorded, "derivative", &recorded)
}

impl PyNativeOp {
    /// Says of its gradients what was written for inputs.
    fn describe(&self, written: &[(&'static str, &'static str)]) {
        let gradient = Gradient::Formula(written.to_vec().leak());
        let row: &'static Operator = Box::leak(Box::new(Operator { gradient, ..*self.row() }));
        self.row.store(std::ptr::from_ref(row).cast_mut(), Ordering::Release);
        super::changed(row);
    }
}
