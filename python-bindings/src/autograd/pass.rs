//! Backward passes, as Python asks for them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use opwright_runtime::autograd::{Arithmetic, Edge, Node, Pass, TOO_DEEP, nested_passes};
use opwright_runtime::{Result, Scalar, Tensor};
use pyo3::exceptions::{PyRecursionError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use super::function::base::FunctionBase;
use super::node::{self, PyNode};
use crate::object::failure::exception;
use crate::object::trampoline::{guarded, unwound};
use crate::object::{self, deferred, signals, type_name};
use crate::raw;

/// What gradients are added with.
fn arithmetic() -> &'static dyn Arithmetic {
    #[cfg(feature = "ops")]
    return opwright_ops::gradient::ARITHMETIC;
    #[cfg(not(feature = "ops"))]
    opwright_runtime::autograd::PLAIN
}

/// Tensors that are one or several.
fn tensors(given: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<Tensor>> {
    if let Some(tensor) = object::tensor_of(given) {
        return Ok(vec![tensor.clone()]);
    }
    let one = |it: PyResult<Bound<'_, PyAny>>| {
        let it = it?;
        object::tensor_of(&it).cloned().ok_or_else(|| {
            PyTypeError::new_err(format!("{what} are tensors, not {}", type_name(&it)))
        })
    };
    given.try_iter()?.map(one).collect()
}

/// Gradients that are one or several, each of which may be absent.
fn gradients(given: Option<&Bound<'_, PyAny>>, roots: usize) -> PyResult<Vec<Option<Tensor>>> {
    let Some(given) = given else { return Ok(vec![None; roots]) };
    let one = |it: &Bound<'_, PyAny>| match object::tensor_of(it) {
        Some(tensor) => Ok(Some(tensor.clone())),
        None if it.is_none() => Ok(None),
        None => Err(PyTypeError::new_err(format!(
            "a gradient is a Tensor or None, not {}",
            type_name(it)
        ))),
    };
    let is_sequence = given.is_instance_of::<PyTuple>() || given.is_instance_of::<PyList>();
    let found: Vec<_> = match is_sequence {
        true => given.try_iter()?.map(|it| one(&it?)).collect::<PyResult<_>>()?,
        false => vec![one(given)?],
    };
    if found.len() != roots {
        let text = format!("there are {} gradients for {roots} tensors", found.len());
        return Err(PyValueError::new_err(text));
    }
    Ok(found)
}

/// Where a pass begins: an edge and a gradient for each tensor.
fn roots(tensors: &[Tensor], gradients: Vec<Option<Tensor>>) -> PyResult<Vec<(Edge, Tensor)>> {
    let pairs = tensors.iter().zip(gradients).enumerate();
    let roots = pairs.map(|(at, (tensor, gradient))| {
        let edge = tensor.gradient_edge().ok_or_else(|| {
            PyRuntimeError::new_err(format!(
                "element {at} of the tensors does not require grad and has no grad_fn, so that \
                 nothing leads backward from it"
            ))
        })?;
        let gradient = match gradient {
            Some(gradient) => fitting(tensor, gradient)?,
            None => one(tensor)?,
        };
        Ok((edge, gradient))
    });
    roots.collect()
}

/// The gradient of a root to itself.
fn one(tensor: &Tensor) -> PyResult<Tensor> {
    if tensor.numel() != 1 {
        return Err(PyRuntimeError::new_err(format!(
            "grad can be implicitly created only for scalar outputs, and this tensor has shape \
             {:?}: pass a gradient",
            tensor.shape()
        )));
    }
    if tensor.dtype().is_complex_number() {
        return Err(PyRuntimeError::new_err(format!(
            "grad can be implicitly created only for real scalar outputs, and this one is complex \
             ({}): pass a gradient",
            tensor.dtype()
        )));
    }
    let one = Tensor::filled(tensor.shape(), Scalar::Int(1), tensor.dtype(), tensor.device());
    one.map_err(|it| exception(&it))
}

fn fitting(tensor: &Tensor, gradient: Tensor) -> PyResult<Tensor> {
    if gradient.shape() != tensor.shape() {
        return Err(PyRuntimeError::new_err(format!(
            "a gradient of shape {:?} does not fit a tensor of shape {:?}",
            gradient.shape(),
            tensor.shape()
        )));
    }
    if gradient.dtype().is_complex_number() != tensor.dtype().is_complex_number() {
        return Err(PyRuntimeError::new_err(format!(
            "a {} gradient does not fit a {} tensor: both are complex, or neither is",
            gradient.dtype(),
            tensor.dtype()
        )));
    }
    Ok(gradient)
}

/// The edge of each of the tensors that gradients are wanted of, which may be edges themselves.
fn wanted(inputs: &Bound<'_, PyAny>) -> PyResult<Vec<Edge>> {
    let is_one = object::tensor_of(inputs).is_some() || as_edge(inputs).is_some();
    let given: Vec<Bound<'_, PyAny>> = match is_one {
        true => vec![inputs.clone()],
        false => inputs.try_iter()?.collect::<PyResult<_>>()?,
    };
    let edge = |(at, input): (usize, &Bound<'_, PyAny>)| {
        if let Some(tensor) = object::tensor_of(input) {
            return tensor.gradient_edge().ok_or_else(|| {
                PyRuntimeError::new_err(format!("input {at} does not require grad"))
            });
        }
        as_edge(input).ok_or_else(|| {
            let text = format!("inputs are tensors or edges, not {}", type_name(input));
            PyTypeError::new_err(text)
        })
    };
    given.iter().enumerate().map(edge).collect()
}

/// A pair of a node and the number of an output.
fn as_edge(given: &Bound<'_, PyAny>) -> Option<Edge> {
    let (node, output) = given.extract::<(Bound<'_, PyAny>, usize)>().ok()?;
    Some(Edge::new(node_of(&node)?, output))
}

/// The node that an object is of, if it is of one.
fn node_of(object: &Bound<'_, PyAny>) -> Option<Arc<dyn Node>> {
    if let Ok(function) = object.cast::<FunctionBase>() {
        return FunctionBase::node_of(function).ok();
    }
    Some(object.cast::<PyNode>().ok()?.get().node().clone())
}

/// Adds to results among the inputs what a pass found for them; leaves have it already.
fn leave(
    inputs: &Bound<'_, PyAny>,
    found: Vec<Option<Tensor>>,
    arithmetic: &dyn Arithmetic,
) -> Result<()> {
    let given = tensors(inputs, "inputs").unwrap_or_default();
    for (tensor, gradient) in given.iter().zip(found) {
        let Some(gradient) = gradient.filter(|_| !tensor.is_leaf() && !tensor.retains_grad())
        else {
            continue;
        };
        let sum = match tensor.grad() {
            Some(before) => arithmetic.sum(&before, &gradient)?,
            None => gradient,
        };
        tensor.set_grad(Some(sum))?;
    }
    Ok(())
}

/// So many passes may be within one another for each call within calls that Python allows. They are
/// on several threads, each of which Python counts for itself.
const FOR_EACH_CALL: usize = 12;

/// Refuses a pass within more others than the limit of recursion allows.
fn check_depth(py: Python<'_>) -> PyResult<()> {
    let most = raw::recursion_limit(py).saturating_mul(FOR_EACH_CALL);
    if nested_passes() < most {
        return Ok(());
    }
    Err(PyRecursionError::new_err(format!(
        "passes within each other are more than {most} deep, {FOR_EACH_CALL} times Python's limit of \
         recursion: a hook or the backward of a function begins a pass that calls it again"
    )))
}

/// Runs a pass without the GIL, which callbacks take for themselves.
fn run(py: Python<'_>, pass: Pass<'_>) -> PyResult<Vec<Option<Tensor>>> {
    check_depth(py)?;
    let mut pass = Some(pass);
    let run = || pass.take().map_or(Ok(Vec::new()), Pass::run);
    let found = catch_unwind(AssertUnwindSafe(|| signals::detached(py, run)));
    deferred::drain();
    match found {
        Ok(Err(error)) if error.message() == TOO_DEEP => Err(PyRecursionError::new_err(TOO_DEEP)),
        Ok(gradients) => gradients.map_err(|it| exception(&it)),
        Err(payload) => Err(unwound("backward", payload)),
    }
}

/// Adds gradients of tensors to those of leaves, or of the inputs.
#[pyfunction(name = "_backward")]
#[pyo3(signature = (tensors, grad_tensors=None, retain_graph=None, create_graph=false, inputs=None))]
pub(super) fn backward(
    py: Python<'_>,
    tensors: &Bound<'_, PyAny>,
    grad_tensors: Option<&Bound<'_, PyAny>>,
    retain_graph: Option<bool>,
    create_graph: bool,
    inputs: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let from = self::tensors(tensors, "the roots of a pass")?;
    let roots = roots(&from, gradients(grad_tensors, from.len())?)?;
    let edges = inputs.map(wanted).transpose()?;
    if edges.as_ref().is_some_and(Vec::is_empty) {
        return Err(PyRuntimeError::new_err("inputs cannot be empty"));
    }
    let arithmetic = arithmetic();
    let pass = Pass {
        roots,
        keeps_graph: retain_graph.unwrap_or(create_graph),
        is_recorded: create_graph,
        inputs: edges.as_deref(),
        accumulates: true,
        arithmetic,
    };
    let found = run(py, pass)?;
    match inputs {
        Some(inputs) => {
            guarded("backward", || leave(inputs, found, arithmetic).map_err(|it| exception(&it)))
        }
        None => Ok(()),
    }
}

/// The gradients of the outputs, summed, for each of the inputs.
#[pyfunction(name = "_grad")]
#[pyo3(signature = (
    outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=false, allow_unused=false
))]
pub(super) fn grad<'py>(
    py: Python<'py>,
    outputs: &Bound<'py, PyAny>,
    inputs: &Bound<'py, PyAny>,
    grad_outputs: Option<&Bound<'py, PyAny>>,
    retain_graph: Option<bool>,
    create_graph: bool,
    allow_unused: bool,
) -> PyResult<Bound<'py, PyTuple>> {
    let from = self::tensors(outputs, "the roots of a pass")?;
    let roots = roots(&from, gradients(grad_outputs, from.len())?)?;
    let inputs = wanted(inputs)?;
    if inputs.is_empty() {
        return Err(PyValueError::new_err("grad() needs at least one input"));
    }
    let pass = Pass {
        roots,
        keeps_graph: retain_graph.unwrap_or(create_graph),
        is_recorded: create_graph,
        inputs: Some(&inputs),
        accumulates: false,
        arithmetic: arithmetic(),
    };
    let gradients = run(py, pass)?;
    if let (Some(at), false) = (gradients.iter().position(Option::is_none), allow_unused) {
        return Err(PyRuntimeError::new_err(format!(
            "input {at} is unused in the graph that leads to the outputs; pass allow_unused=True \
             to get None for it"
        )));
    }
    let objects = gradients.into_iter().map(|it| match it {
        Some(gradient) => object::wrap(py, gradient),
        None => Ok(py.None().into_bound(py)),
    });
    PyTuple::new(py, objects.collect::<PyResult<Vec<_>>>()?)
}

/// The node and the number of the output that a tensor's gradient goes to.
#[pyfunction(name = "_gradient_edge")]
pub(super) fn gradient_edge<'py>(
    py: Python<'py>,
    tensor: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, usize)> {
    let Some(tensor) = object::tensor_of(tensor) else {
        return Err(PyTypeError::new_err(format!("expected a Tensor, not {}", type_name(tensor))));
    };
    let edge = tensor.gradient_edge().ok_or_else(|| {
        PyRuntimeError::new_err("the tensor does not require grad, so it has no gradient edge")
    })?;
    Ok((node::object(py, edge.node)?, edge.output))
}

/// Counts that somebody else has written to the memory of tensors.
#[pyfunction(name = "_increment_version")]
pub(super) fn increment_version(tensor: &Bound<'_, PyAny>) -> PyResult<()> {
    for tensor in tensors(tensor, "what has a version")? {
        check_counted(&tensor)?;
        tensor.bump_version();
    }
    Ok(())
}

/// Refuses a tensor whose writes nobody counts.
pub(super) fn check_counted(tensor: &Tensor) -> PyResult<()> {
    if tensor.is_inference() {
        let text = "an inference tensor has no version: nobody counts the writes to it";
        return Err(PyRuntimeError::new_err(text));
    }
    Ok(())
}

/// Says how often somebody has written to the memory of a tensor.
#[pyfunction(name = "_set_version")]
pub(super) fn set_version(tensor: &Bound<'_, PyAny>, version: u32) -> PyResult<()> {
    for tensor in tensors(tensor, "what has a version")? {
        check_counted(&tensor)?;
        tensor.set_version(version);
    }
    Ok(())
}
