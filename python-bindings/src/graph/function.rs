//! Functions as objects.

use opwright_graph::{Failure, Function, Observer, Stopped, Variable};
use opwright_runtime::op::Value;
use opwright_runtime::types::Coerce;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyModule, PyTuple};

use super::apply::PyApply;
use super::border::{accept, emit};
use super::failure::{host, raised};
use super::variable;

pub(super) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyFunction>()
}

/// A graph that runs.
#[pyclass(frozen, name = "NativeFunction")]
struct PyFunction {
    function: Function,
    /// For each input how loosely its value is taken.
    coerce: Vec<Coerce>,
    on_event: Option<Py<PyAny>>,
}

#[pymethods]
impl PyFunction {
    #[new]
    #[pyo3(signature = (inputs, outputs, updates, coerce, on_event = None))]
    fn new(
        inputs: Vec<Bound<'_, PyAny>>,
        outputs: Vec<Bound<'_, PyAny>>,
        updates: Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
        coerce: Vec<(bool, Option<bool>)>,
        on_event: Option<Bound<'_, PyAny>>,
    ) -> PyResult<PyFunction> {
        let of = |it: &Bound<'_, PyAny>| {
            variable::of(it).ok_or_else(|| PyTypeError::new_err("expected a variable"))
        };
        let inputs: Vec<Variable> = inputs.iter().map(of).collect::<PyResult<_>>()?;
        let outputs: Vec<Variable> = outputs.iter().map(of).collect::<PyResult<_>>()?;
        let pairs = updates.iter().map(|(shared, new)| Ok((of(shared)?, of(new)?)));
        let updates = pairs.collect::<PyResult<_>>()?;
        let function = Function::new(inputs, outputs, updates);
        let coerce = coerce.into_iter().map(|(strict, loose)| Coerce::of(strict, loose)).collect();
        Ok(PyFunction { function, coerce, on_event: on_event.map(Bound::unbind) })
    }

    /// Runs it with a value for each input.
    #[pyo3(signature = (*args))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyList>> {
        let on_event = self.on_event.as_ref().map(|it| it.bind(py).clone());
        let mut caller = Caller { of: self, args, on_event, results: Vec::new() };
        match self.function.call(&mut caller) {
            Ok(()) => PyList::new(py, caller.results),
            Err(stopped) => Err(self.stopped(py, stopped)),
        }
    }

    /// The nodes in the order in which they run.
    fn toposort<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.function.nodes().map(|it| PyApply::object(py, it)).collect()
    }
}

impl PyFunction {
    #[cold]
    fn stopped(&self, py: Python<'_>, stopped: Stopped) -> PyErr {
        let error = raised(stopped.failure);
        if let Some(at) = stopped.node
            && let Some(node) = self.function.nodes().nth(at)
        {
            let place = node.place().map_or_else(String::new, |it| format!("\n  built at {it}"));
            let note = format!("in node {at}: {node}{place}");
            let _ = error.value(py).call_method1("add_note", (note,));
        }
        error
    }
}

/// A call in progress.
struct Caller<'a, 'py> {
    of: &'a PyFunction,
    args: &'a Bound<'py, PyTuple>,
    on_event: Option<Bound<'py, PyAny>>,
    results: Vec<Bound<'py, PyAny>>,
}

impl Observer for Caller<'_, '_> {
    fn accept(&mut self, input: usize) -> Result<Value, Failure> {
        let given = self.args.get_borrowed_item(input).map_err(host)?;
        let ty = self.of.function.inputs()[input].ty();
        accept(ty, &given, self.of.coerce[input]).map_err(host)
    }

    fn emit(&mut self, output: usize, value: Value) -> Result<(), Failure> {
        let ty = self.of.function.outputs()[output].ty();
        let object = emit(self.args.py(), ty, value).map_err(host)?;
        self.results.push(object);
        Ok(())
    }

    fn event(&mut self, event: opwright_graph::Event, name: &str) -> Result<(), Failure> {
        match &self.on_event {
            Some(told) => told.call1((event.name(), name)).map(drop).map_err(host),
            None => Ok(()),
        }
    }
}
