//! Nodes as objects.

use std::sync::Arc;

use opwright_graph::{Apply, Argument, Op, Variable, ancestors};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyModule};

use super::arguments::Inputs;
use super::host_op::HostOp;
use super::{build, objects, place, variable};
use crate::convert::Convert;
use crate::op::values;
use crate::package;

/// A call: what is called, with what, and what comes out.
#[pyclass(frozen, weakref, name = "Apply")]
pub(super) struct PyApply(pub(super) Arc<Apply>);

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyApply>()?;
    module.add_function(wrap_pyfunction!(row_node, module)?)?;
    module.py().get_type::<PyApply>().setattr("__module__", format!("{}.graph", package::name()))
}

impl PyApply {
    /// The object of a node.
    ///
    /// # Errors
    ///
    /// `MemoryError`.
    pub(super) fn object<'py>(py: Python<'py>, node: &Arc<Apply>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(known) = objects::known(py, node.label()) {
            return Ok(known);
        }
        let made = Bound::new(py, PyApply(node.clone()))?.into_any();
        objects::remember(node.label(), &made)?;
        Ok(made)
    }
}

/// Refuses outputs of a node that stand for something else already.
fn check_results(inputs: &[Variable], results: &[Variable]) -> PyResult<()> {
    let used = ancestors(inputs);
    for (at, result) in results.iter().enumerate() {
        let wrong = if !result.is_input() {
            "has a value or a node of its own"
        } else if results[..at].contains(result) {
            "is there twice"
        } else if used.contains(result) {
            "is among what the inputs hang on, which would be a cycle"
        } else {
            continue;
        };
        return Err(PyValueError::new_err(format!(
            "Apply(): output {at}, {result}, {wrong}; make a new variable of its type"
        )));
    }
    Ok(())
}

#[pymethods]
impl PyApply {
    /// A node of an Op: `outputs` are variables of the types of its results, and become these.
    #[new]
    fn new(
        op: &Bound<'_, PyAny>,
        inputs: Vec<Bound<'_, PyAny>>,
        outputs: Vec<Bound<'_, PyAny>>,
    ) -> PyResult<PyApply> {
        let py = op.py();
        let mut given = Vec::with_capacity(inputs.len());
        for input in &inputs {
            given.push(Inputs::variable(input)?);
        }
        let results: Vec<Variable> =
            outputs.iter().map(Inputs::variable).collect::<PyResult<_>>()?;
        check_results(&given, &results)?;
        let types = results.iter().map(|it| it.ty().clone()).collect();
        let host = Op::Custom(Arc::new(HostOp::new(op)?));
        let node = Apply::new(host, given, Vec::new(), types, place::current(py));
        for (at, output) in outputs.iter().enumerate() {
            variable::become_result(output, Variable::output(node.clone(), at))?;
        }
        Ok(PyApply(node))
    }

    /// What it does: the name of an overload, or an Op.
    #[getter]
    fn op<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.0.op() {
            Op::Custom(it) if it.downcast::<HostOp>().is_some() => {
                let host = it.downcast::<HostOp>().map(|it| it.object(py));
                Ok(host.unwrap_or_else(|| py.None().into_bound(py)))
            }
            op => Ok(op.to_string().object(py)?),
        }
    }

    /// The variables that it uses, as often as they are named.
    #[getter]
    fn inputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let inputs = self.0.uses().map(|it| variable::object(py, it.clone()));
        PyList::new(py, inputs.collect::<PyResult<Vec<_>>>()?)
    }

    /// Its results.
    #[getter]
    fn outputs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let outputs = self.0.results().into_iter().map(|it| variable::object(py, it));
        PyList::new(py, outputs.collect::<PyResult<Vec<_>>>()?)
    }

    /// Its arguments by the names of the parameters.
    #[getter]
    fn arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let named = PyDict::new(py);
        if let Op::Row(row) = self.0.op() {
            for (param, argument) in row.params.iter().zip(self.0.arguments()) {
                named.set_item(param.slot.name, shown(py, &self.0, argument)?)?;
            }
        }
        Ok(named)
    }

    /// Where it was written: file, line, function.
    #[getter]
    fn place(&self) -> Option<(String, u32, String)> {
        let place = self.0.place()?;
        Some((place.file.to_string(), place.line, place.function.to_string()))
    }

    fn __repr__(&self) -> String {
        self.0.to_string()
    }
}

/// The results of a node of an overload with these arguments, in the order of its parameters.
#[pyfunction]
fn row_node<'py>(
    py: Python<'py>,
    name: &str,
    arguments: Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    build::row(py, name, &arguments)
}

fn shown<'py>(py: Python<'py>, node: &Apply, argument: &Argument) -> PyResult<Bound<'py, PyAny>> {
    Ok(match argument {
        Argument::Input(at) => variable::object(py, node.inputs()[*at].clone())?,
        Argument::Value(value) => values::object(py, value.clone())?,
        Argument::List(items) => {
            let items = items.iter().map(|it| shown(py, node, it));
            PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
    })
}
