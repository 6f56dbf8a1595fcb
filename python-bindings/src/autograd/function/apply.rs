//! Custom functions (`autograd.Function`): calls, which are recorded.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use opwright_runtime::autograd::{Edges, Header, Node, Outcome, SavedTensor, recording};
use opwright_runtime::{Tensor, reserve};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use smallvec::{SmallVec, smallvec};

use super::base::FunctionBase;
use super::node::called_with;
use super::recorded::Recorded;
use crate::object::failure::exception;
use crate::object::{self, deferred, type_name};
use crate::raw;

/// What a call is given.
struct TensorArguments {
    /// The tensors.
    inputs: Vec<Tensor>,
    is_tensor: Vec<bool>,
    edges: Edges,
}

impl TensorArguments {
    /// With whether each of them is a tensor that requires gradients.
    fn of<'py>(given: &Bound<'py, PyTuple>) -> PyResult<(TensorArguments, Bound<'py, PyTuple>)> {
        let count = given.len();
        let (mut inputs, mut edges) = (Vec::with_capacity(count), Edges::new());
        let mut is_tensor = Vec::with_capacity(count);
        let mut needs: SmallVec<[bool; 8]> = SmallVec::new();
        for argument in given.iter_borrowed() {
            let tensor = object::known(argument).map(object::peek);
            is_tensor.push(tensor.is_some());
            needs.push(tensor.is_some_and(Tensor::requires_grad));
            if let Some(tensor) = tensor {
                edges = edges.to(tensor);
                inputs.push(tensor.clone());
            }
        }
        let needs = PyTuple::new(given.py(), needs)?;
        Ok((TensorArguments { inputs, is_tensor, edges }, needs))
    }
}

/// Calls the function of a class with `context`, and records the call if a tensor among the
/// arguments requires gradients.
///
/// # Errors
///
/// What the function raises; `TypeError` if it marked or saved what is no tensor; `RuntimeError` if
/// it marked what it may not write to.
pub(super) fn apply<'py>(
    context: &Bound<'py, FunctionBase>,
    class: &Bound<'py, PyType>,
    arguments: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    deferred::drain();
    reserve::check().map_err(|it| exception(&it))?;
    let this = context.get();
    this.check_new()?;
    let (TensorArguments { inputs, is_tensor, edges }, needs) = TensorArguments::of(arguments)?;
    this.needs_input_grad.set(Some(needs.into_any()));
    let header = edges.is_any().then(|| Header::new(edges));
    let answer = recording(false, || forward(context, class, arguments))?;
    let call = FinishedCall { context, is_tensor, header };
    call.finish(&inputs, answer)
}

/// What the function returns, in either of its forms.
fn forward<'py>(
    context: &Bound<'py, FunctionBase>,
    class: &Bound<'py, PyType>,
    arguments: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = context.py();
    let function = class.getattr(intern!(py, "forward"))?;
    let setup = class.getattr(intern!(py, "setup_context"))?;
    if setup.is(class.getattr(intern!(py, "_no_setup"))?) {
        return called_with(&function, context.as_any(), arguments);
    }
    let answer = function.call1(arguments.clone())?;
    setup.call1((context, arguments, &answer))?;
    Ok(answer)
}

/// A call whose function has returned.
struct FinishedCall<'a, 'py> {
    context: &'a Bound<'py, FunctionBase>,
    is_tensor: Vec<bool>,
    /// None if the call is not recorded.
    header: Option<Header>,
}

impl<'py> FinishedCall<'_, 'py> {
    /// The outputs as the caller gets them, in the place of what the function returned.
    fn finish(self, inputs: &[Tensor], answer: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = answer.py();
        let this = self.context.get();
        let tuple = raw::instance::<PyTuple>(&answer);
        let items: SmallVec<[_; 2]> = match tuple {
            Some(tuple) => tuple.iter().collect(),
            None => smallvec![answer.clone()],
        };
        let dirty = tensors("mark_dirty", this.dirty_tensors.take(py), false)?;
        let constant = tensors("mark_non_differentiable", this.non_differentiable.take(py), false)?;
        let saved = tensors("save_for_backward", this.to_save.take(py), true)?;
        // Nothing else is named.
        let name = match self.header.is_some() || !dirty.is_empty() {
            true => this.name_of(self.context.as_any())?,
            false => String::new(),
        };
        let outcome = Outcome {
            name: &name,
            inputs,
            dirty: &present(dirty),
            non_differentiable: &present(constant),
            outputs: items.iter().map(|it| object::tensor_of(it).cloned()).collect(),
        };
        let outputs = self.outputs(outcome, &saved)?;
        let objects = items.into_iter().zip(outputs).map(|(item, output)| shown(item, output));
        let mut objects = objects.collect::<PyResult<SmallVec<[_; 2]>>>()?;
        match tuple {
            Some(_) => Ok(PyTuple::new(py, objects)?.into_any()),
            None => Ok(objects.swap_remove(0)),
        }
    }

    fn outputs(
        self,
        outcome: Outcome<'_>,
        saved: &[Option<Tensor>],
    ) -> Result<Vec<Option<Tensor>>, PyErr> {
        let failed = |it| exception(&it);
        let has_tensors = outcome.outputs.iter().any(Option::is_some);
        let Some(header) = self.header.filter(|_| has_tensors) else {
            return outcome.unrecorded().map_err(failed);
        };
        let name = outcome.name.to_owned();
        let outputs = outcome.recorded().map_err(failed)?;
        let saved = saved.iter().map(|it| match it {
            Some(tensor) => outputs.save(tensor),
            None => Ok(SavedTensor::absent()),
        });
        let this = self.context.get();
        // So that the attributes are there when the garbage collector looks at them.
        self.context.getattr(intern!(self.context.py(), "__dict__"))?;
        this.shared.record(Recorded {
            saved: saved.collect::<Result<_, _>>().map_err(failed)?,
            is_output: outputs.metadata().map(|it| it.is_some()).collect(),
            header: header.with_metadata(outputs.metadata()),
            name,
            is_tensor: self.is_tensor,
            materializes: this.materializes(),
            is_released: AtomicBool::new(false),
        })?;
        let node: Arc<dyn Node> = this.shared.node(self.context.as_any().clone());
        outputs.record(&node).map_err(failed)
    }
}

/// What a function marked or saved, some of which may be None where that is allowed.
fn tensors(
    method: &str,
    given: Option<Bound<'_, PyAny>>,
    is_optional: bool,
) -> PyResult<Vec<Option<Tensor>>> {
    let Some(given) = given.filter(|it| !it.is_none()) else { return Ok(Vec::new()) };
    let given = given.cast::<PyTuple>().map_err(|_| {
        PyTypeError::new_err(format!("{method}() keeps a tuple, not {}", type_name(&given)))
    })?;
    let one = |(at, it): (usize, Bound<'_, PyAny>)| match object::tensor_of(&it) {
        Some(tensor) => Ok(Some(tensor.clone())),
        None if is_optional && it.is_none() => Ok(None),
        None => {
            let text = format!("{method}() takes tensors, and argument {at} is {}", type_name(&it));
            Err(PyTypeError::new_err(text))
        }
    };
    given.iter().enumerate().map(one).collect()
}

fn present(tensors: Vec<Option<Tensor>>) -> Vec<Tensor> {
    tensors.into_iter().flatten().collect()
}

/// The object of an output, which leads to the object of the call if that is recorded: the garbage
/// collector looks at it.
fn shown<'py>(item: Bound<'py, PyAny>, output: Option<Tensor>) -> PyResult<Bound<'py, PyAny>> {
    let object = object_of(item, output)?;
    if let Some(known) = object::known(object.as_borrowed())
        && object::peek(known).is_known()
    {
        object::track(known);
    }
    Ok(object)
}

/// The object that the function returned, unless it stands for another tensor.
fn object_of<'py>(item: Bound<'py, PyAny>, output: Option<Tensor>) -> PyResult<Bound<'py, PyAny>> {
    let (Some(output), Some(known)) = (output, object::known(item.as_borrowed())) else {
        return Ok(item);
    };
    if !object::peek(known).is_same(&output) {
        return object::of_class(&item.get_type(), output);
    }
    if output.is_known() {
        object::stand(known);
    }
    Ok(item)
}
