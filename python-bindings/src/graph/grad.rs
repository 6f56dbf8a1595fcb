//! Gradients of graphs.

use opwright_graph::grad::{Calculus, Request, grad};
use opwright_graph::{GraphError, Variable};
use pyo3::exceptions::{PyBaseException, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyModule;

use super::arguments::Inputs;
use super::host_op::HostGradients;
use super::{call_site, hook, rewrite, rows, variable};
use crate::object::failure::exception;
use crate::object::type_name;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(gradients, module)?)?;
    module.add_function(wrap_pyfunction!(missing_gradient, module)?)
}

/// What is raised if the gradient of something is unknown: `more` is added to that.
#[pyfunction]
fn missing_gradient(of: &str, more: &str) -> Py<PyBaseException> {
    let raised = exception(&opwright_graph::grad::missing_gradient(of, more));
    Python::attach(|py| raised.into_value(py))
}

/// What gradients are put together with.
pub(super) fn calculus(py: Python<'_>) -> PyResult<Calculus> {
    #[cfg(feature = "ops")]
    let (arithmetic, sum) = (opwright_ops::gradient::ARITHMETIC, Some(opwright_ops::gradient::SUM));
    #[cfg(not(feature = "ops"))]
    let (arithmetic, sum) = (opwright_runtime::autograd::PLAIN, None);
    let (rows, rules) = (rows::all(), rewrite::own(py)?);
    Ok(Calculus { arithmetic, sum, rows, rules, ops: Some(&HostGradients) })
}

/// The gradients of a cost, and which of the variables it does not depend on.
#[pyfunction]
#[pyo3(name = "grad")]
fn gradients<'py>(
    py: Python<'py>,
    cost: Option<Bound<'py, PyAny>>,
    wrt: Vec<Bound<'py, PyAny>>,
    known: Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
    constant: Vec<Bound<'py, PyAny>>,
) -> PyResult<(Vec<Bound<'py, PyAny>>, Vec<usize>)> {
    let cost = cost.map(|it| of("cost", &it)).transpose()?;
    let wrt = all("wrt", &wrt)?;
    let constant = all("consider_constant", &constant)?;
    let pairs =
        known.iter().map(|(it, gradient)| Ok((of("known", it)?, Inputs::variable(gradient)?)));
    let known = pairs.collect::<PyResult<Vec<_>>>()?;
    let request = Request {
        cost: cost.as_ref(),
        wrt: &wrt,
        known: &known,
        constant: &constant,
        place: call_site::current(py),
    };
    let calculus = calculus(py)?;
    let found = hook::heard_failure(|| grad(&request, calculus))?;
    let gradients = found.gradients.into_iter().map(|it| variable::object(py, it));
    Ok((gradients.collect::<PyResult<_>>()?, found.disconnected))
}

fn all(what: &str, objects: &[Bound<'_, PyAny>]) -> PyResult<Vec<Variable>> {
    objects.iter().map(|it| of(what, it)).collect()
}

fn of(what: &str, object: &Bound<'_, PyAny>) -> PyResult<Variable> {
    variable::of(object).ok_or_else(|| {
        PyTypeError::new_err(format!(
            "grad(): {what}: expected a Variable, not {}",
            type_name(object)
        ))
    })
}

/// What an Op says of its gradients: one for each of `count` inputs, or none.
///
/// # Errors
///
/// `TypeError` for anything else.
pub(super) fn said(
    said: &Bound<'_, PyAny>,
    op: &str,
    count: usize,
) -> Result<Vec<Option<Variable>>, GraphError> {
    let read = || {
        let items: Vec<Bound<'_, PyAny>> = match said.try_iter() {
            Ok(items) if variable::of(said).is_none() => items.collect::<PyResult<_>>()?,
            _ => {
                let text = format!("{op}.grad gives a list of gradients, not {}", type_name(said));
                return Err(PyTypeError::new_err(text));
            }
        };
        if items.len() != count {
            let text = format!("{op}.grad gives {} gradients for {count} inputs", items.len());
            return Err(PyTypeError::new_err(text));
        }
        let one = |it: &Bound<'_, PyAny>| match it.is_none() {
            true => Ok(None),
            false => Inputs::variable(it).map(Some),
        };
        items.iter().map(one).collect()
    };
    read().map_err(super::failure::host)
}
