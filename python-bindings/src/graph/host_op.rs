//! Ops that are written in Python.

use std::fmt;
use std::sync::Arc;

use opwright_graph::grad::{BackwardNode, OpGradients};
use opwright_graph::{Apply, Custom, Elementwise, GraphError, Results, Variable};
use opwright_runtime::op::Value;
use opwright_runtime::types::{Coerce, Refusal, TypeRef};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use super::apply::PyApply;
use super::arguments::Inputs;
use super::boxing::{accept, emit};
use super::failure::host;
use super::{grad, hook, variable};
use crate::object::package;
use crate::op::elementwise::PyElementwise;

/// An Op that is written in Python.
pub(super) struct HostOp {
    object: Py<PyAny>,
    /// For each output the inputs of which it may be a part.
    views: Vec<Vec<usize>>,
    /// The inputs that it writes to.
    destroyed: Vec<usize>,
    /// It takes arrays of numpy in the place of tensors.
    takes_arrays: bool,
    /// It says which loop over elements it is.
    has_loop: bool,
}

impl HostOp {
    /// That of an object.
    ///
    /// # Errors
    ///
    /// `TypeError` if its `view_map` is no map, and what its attributes raise.
    pub(super) fn new(object: &Bound<'_, PyAny>) -> PyResult<HostOp> {
        let (mut views, mut destroyed) = (Vec::new(), Vec::new());
        for attribute in ["view_map", "destroy_map"] {
            let Some(map) = object.getattr_opt(attribute)? else { continue };
            for item in map.call_method0("items")?.try_iter()? {
                let (output, inputs): (usize, Vec<usize>) = item?.extract()?;
                if attribute == "destroy_map" {
                    destroyed.extend(&inputs);
                }
                views.resize_with(views.len().max(output + 1), Vec::new);
                views[output].extend(inputs);
            }
        }
        let takes_arrays = match object.getattr_opt("arrays")? {
            Some(said) => said.is_truthy()?,
            None => false,
        };
        let has_loop = object.getattr_opt("element_loop")?.is_some();
        Ok(HostOp { object: object.clone().unbind(), views, destroyed, takes_arrays, has_loop })
    }

    /// The object.
    pub(super) fn object<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.object.bind(py).clone()
    }

    /// The types of the results that the Op says for these inputs.
    fn types_of(&self, py: Python<'_>, inputs: &[Variable]) -> PyResult<Vec<TypeRef>> {
        let objects = inputs.iter().map(|it| variable::object(py, it.clone()));
        let objects = PyTuple::new(py, objects.collect::<PyResult<Vec<_>>>()?)?;
        let node = self.object.bind(py).call_method1("make_node", objects);
        let node = node.map_err(|it| hook::noted(py, it, "make_node", self.object.bind(py)))?;
        let mut types = Vec::new();
        for output in node.getattr("outputs")?.try_iter()? {
            types.push(Inputs::variable(&output?)?.ty().clone());
        }
        Ok(types)
    }

    fn performed(
        &self,
        py: Python<'_>,
        node: &Arc<Apply>,
        inputs: &[Value],
        how: Coerce,
    ) -> Result<Results, GraphError> {
        let results = self.called(py, node, inputs).map_err(host)?;
        let mut accepted = Results::new();
        for (output, result) in node.outputs().iter().zip(results) {
            accepted.push(accept(output.ty(), &result, how).map_err(|error| match how {
                // That a value is none of its type is what the debug mode looks for.
                Coerce::Strict if error.is_instance_of::<PyTypeError>(py) => {
                    Refusal::Type(error.value(py).to_string()).into()
                }
                _ => host(error),
            })?);
        }
        Ok(accepted)
    }

    /// What its code puts into the storage of each result.
    fn called<'py>(
        &self,
        py: Python<'py>,
        node: &Arc<Apply>,
        inputs: &[Value],
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let pairs = node.inputs().iter().zip(inputs);
        let given = pairs.map(|(variable, value)| {
            let given = emit(py, variable.ty(), value.clone())?;
            let is_array = self.takes_arrays && matches!(value, Value::Tensor(_));
            if is_array { given.call_method0("numpy") } else { Ok(given) }
        });
        let given = PyList::new(py, given.collect::<PyResult<Vec<_>>>()?)?;
        let empty = node.outputs().iter().map(|_| PyList::new(py, [py.None()]));
        let storage = PyList::new(py, empty.collect::<PyResult<Vec<_>>>()?)?;
        let object = PyApply::object(py, node)?;
        let done = self.object.bind(py).call_method1("perform", (object, given, &storage));
        done.map_err(|it| hook::noted(py, it, "perform", self.object.bind(py)))?;
        let wanted = node.outputs().len();
        if storage.len() != wanted {
            return Err(self
                .left(format_args!("storage for {} results, and it has {wanted}", storage.len())));
        }
        let one = |(at, it): (usize, Bound<'py, PyAny>)| match it.cast::<PyList>() {
            Ok(list) if list.len() == 1 => list.get_item(0),
            _ => Err(self.left(format_args!("no list of one in output_storage[{at}]"))),
        };
        storage.iter().enumerate().map(one).collect()
    }

    /// The loop over elements that its code says it is for a node.
    fn loop_of(&self, py: Python<'_>, node: &Arc<Apply>) -> PyResult<Option<Elementwise>> {
        let object = PyApply::object(py, node)?;
        let said = self.object.bind(py).call_method1("element_loop", (object,))?;
        Ok(said.cast::<PyElementwise>().ok().map(|it| it.get().0.clone()))
    }

    /// Whether its `perform` is another than that of `Op`, which only says that there is none.
    fn has_perform(&self, py: Python<'_>) -> PyResult<bool> {
        let default = package::load(py, "graph")?.getattr("Op")?.getattr("perform")?;
        let Some(own) = self.object.bind(py).getattr_opt("perform")? else { return Ok(false) };
        Ok(!own.getattr_opt("__func__")?.is_some_and(|it| it.is(&default)))
    }

    #[cold]
    fn left(&self, what: fmt::Arguments<'_>) -> PyErr {
        PyValueError::new_err(format!(
            "perform of {self} left {what}: it sets output_storage[i][0], and leaves the list as it is"
        ))
    }

    /// What its method `L_op` says.
    fn asked<'py>(
        &self,
        py: Python<'py>,
        backward: &BackwardNode<'_>,
    ) -> Result<Bound<'py, PyAny>, GraphError> {
        let gradients = backward.all_gradients()?;
        let ask = || {
            let all = |variables: &[Variable]| {
                let objects = variables.iter().map(|it| variable::object(py, it.clone()));
                PyList::new(py, objects.collect::<PyResult<Vec<_>>>()?)
            };
            let inputs = all(backward.node.inputs())?;
            let outputs = all(&backward.node.results())?;
            let gradients = gradients.into_iter().map(|it| match it {
                Some(gradient) => variable::object(py, gradient),
                None => Ok(py.None().into_bound(py)),
            });
            let gradients = PyList::new(py, gradients.collect::<PyResult<Vec<_>>>()?)?;
            let object = self.object.bind(py);
            let (name, said) = match object.getattr_opt("L_op")? {
                Some(method) => ("L_op", method.call1((inputs, outputs, gradients))),
                None => ("grad", object.call_method1("grad", (inputs, gradients))),
            };
            said.map_err(|it| hook::noted(py, it, name, object))
        };
        ask().map_err(host)
    }
}

/// The gradients of Ops of Python.
pub(super) struct HostGradients;

impl OpGradients for HostGradients {
    fn gradients(
        &self,
        op: &dyn Custom,
        backward: &BackwardNode<'_>,
    ) -> Result<Option<Vec<Option<Variable>>>, GraphError> {
        let Some(op) = op.downcast::<HostOp>() else { return Ok(None) };
        Python::attach(|py| {
            let said = op.asked(py, backward)?;
            grad::said(&said, &op.to_string(), backward.node.inputs().len()).map(Some)
        })
    }
}

impl fmt::Display for HostOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Python::attach(|py| self.object.bind(py).str().map(|it| it.to_string()));
        f.write_str(text.as_deref().unwrap_or("an Op"))
    }
}

impl Custom for HostOp {
    fn same(&self, other: &dyn Custom) -> bool {
        let Some(other) = other.downcast::<HostOp>() else { return false };
        Python::attach(|py| {
            let own = self.object.bind(py);
            own.eq(other.object.bind(py)).unwrap_or_else(|error| {
                hook::keep(py, hook::noted(py, error, "__eq__", own), own);
                false
            })
        })
    }

    fn perform(&self, node: &Arc<Apply>, inputs: &[Value]) -> Result<Results, GraphError> {
        Python::attach(|py| self.performed(py, node, inputs, Coerce::Natural))
    }

    fn perform_strictly(&self, node: &Arc<Apply>, inputs: &[Value]) -> Result<Results, GraphError> {
        Python::attach(|py| self.performed(py, node, inputs, Coerce::Strict))
    }

    fn types(&self, inputs: &[Variable]) -> Result<Option<Vec<TypeRef>>, GraphError> {
        Python::attach(|py| self.types_of(py, inputs)).map(Some).map_err(host)
    }

    fn elementwise(&self, node: &Arc<Apply>) -> Option<Elementwise> {
        if !self.has_loop {
            return None;
        }
        Python::attach(|py| {
            self.loop_of(py, node).unwrap_or_else(|error| {
                let own = self.object.bind(py);
                hook::keep(py, hook::noted(py, error, "element_loop", own), own);
                None
            })
        })
    }

    fn performs(&self) -> bool {
        Python::attach(|py| self.has_perform(py).unwrap_or(true))
    }

    fn views(&self, output: usize) -> &[usize] {
        self.views.get(output).map_or(&[], Vec::as_slice)
    }

    fn destroys(&self, input: usize) -> bool {
        self.destroyed.contains(&input)
    }

    fn is_held(&self) -> bool {
        true
    }
}
