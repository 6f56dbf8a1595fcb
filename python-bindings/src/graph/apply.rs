//! Nodes as objects.

use std::sync::Arc;

use opwright_graph::{Apply, NodeArgument, Op, Variable, ancestors};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyModule, PyType};

use super::host_op::HostOp;
use super::{call_site, method_proxy, objects, variable};
use crate::object::{Convert, package, type_name};
use crate::op::values;

/// A call: what is called, with what, and what comes out.
#[pyclass(frozen, weakref, name = "Apply")]
pub(super) struct PyApply(pub(super) Arc<Apply>);

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyApply>()?;
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

/// Refuses what no node can be of.
fn check_op(op: &Bound<'_, PyAny>) -> PyResult<()> {
    let mut is_op = !op.is_instance_of::<PyType>();
    if is_op {
        is_op = false;
        for method in ["perform", "make_node", "c_code"] {
            is_op |= op.getattr_opt(method)?.is_some_and(|it| it.is_callable());
        }
    }
    if is_op {
        return Ok(());
    }
    let help = match op.is_instance_of::<PyType>() {
        true => "make an instance of the class",
        false => "operators make their nodes when they are called",
    };
    let found = describe(op);
    Err(PyTypeError::new_err(format!("Apply(): op: expected an Op, not {found}; {help}")))
}

/// `class 'Double'`, `'exp'`, `int`.
fn describe(object: &Bound<'_, PyAny>) -> String {
    if let Ok(class) = object.cast::<PyType>() {
        return format!(
            "the class {}",
            class.name().map_or_else(|_| String::new(), |it| it.to_string())
        );
    }
    match object.extract::<String>() {
        Ok(text) => format!("the text '{text}'"),
        Err(_) => type_name(object),
    }
}

/// Objects that have to be variables.
fn variables(what: &str, objects: &[Bound<'_, PyAny>]) -> PyResult<Vec<Variable>> {
    let one = |(at, object): (usize, &Bound<'_, PyAny>)| {
        let leads = method_proxy::variable(object);
        variable::of(leads.as_ref().unwrap_or(object)).ok_or_else(|| {
            let help = match what {
                "input" => "graph.constant(value) makes one of a value",
                _ => "a type makes one when it is called",
            };
            let found = type_name(object);
            PyTypeError::new_err(format!(
                "Apply(): {what} {at}: expected a Variable, not {found}; {help}"
            ))
        })
    };
    objects.iter().enumerate().map(one).collect()
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
            "is among what the inputs depend on, which would be a cycle"
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
        check_op(op)?;
        let given = variables("input", &inputs)?;
        let results = variables("output", &outputs)?;
        check_results(&given, &results)?;
        let types = results.iter().map(|it| it.ty().clone()).collect();
        let host = Op::Custom(Arc::new(HostOp::new(op)?));
        let node = Apply::new(host, given, Vec::new(), types, call_site::current(py));
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

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        crate::object::package::load(this.py(), "graph._pickling")?
            .getattr("reduced_node")?
            .call1((this,))
    }

    fn __repr__(&self) -> String {
        self.0.to_string()
    }
}

fn shown<'py>(
    py: Python<'py>,
    node: &Apply,
    argument: &NodeArgument,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(match argument {
        NodeArgument::Input(at) => variable::object(py, node.inputs()[*at].clone())?,
        NodeArgument::Value(value) => values::object(py, value.clone())?,
        NodeArgument::List(items) => {
            let items = items.iter().map(|it| shown(py, node, it));
            PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
    })
}
