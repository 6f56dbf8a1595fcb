//! Gradient hooks: functions of Python that are called while a backward pass runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use opwright_runtime::Tensor;
use opwright_runtime::autograd::{GradientHooks, Gradients, HookContext, Hooks, Node};
use opwright_runtime::lock::Lock;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::object::failure::exception;
use crate::object::{self, type_name};

/// Numbers hooks, for those who take one away.
static NUMBER: AtomicU64 = AtomicU64::new(0);

type Remove = Box<dyn FnOnce(u64) + Send>;

/// What takes a hook away.
#[pyclass(frozen, name = "RemovableHandle", module = "opwright.autograd.graph")]
pub(super) struct Handle {
    #[pyo3(get)]
    id: u64,
    remove: Lock<Option<Remove>>,
}

impl Handle {
    pub(super) fn new(id: u64, remove: impl FnOnce(u64) + Send + 'static) -> Handle {
        Handle { id, remove: Lock::new(Some(Box::new(remove))) }
    }

    /// Of a hook of a tensor, which the handle does not keep alive.
    fn of(id: u64, hooks: &GradientHooks) -> Handle {
        let hooks = hooks.downgrade();
        Handle::new(id, move |id| match hooks.upgrade() {
            Some(GradientHooks::Leaf(hooks)) => {
                hooks.gradient.remove(id);
                hooks.added.remove(id);
            }
            Some(GradientHooks::Result(hooks)) => hooks.remove(id),
            None => {}
        })
    }
}

#[pymethods]
impl Handle {
    /// Takes the hook away; a second time does nothing.
    pub(super) fn remove(&self) {
        let remove = self.remove.lock().take();
        if let Some(remove) = remove {
            remove(self.id);
        }
    }

    fn __enter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, PyTuple>) {
        self.remove();
    }
}

/// Leaves the pass with an exception, which comes out of it as it is.
fn raise(error: PyErr) -> ! {
    std::panic::resume_unwind(Box::new(error))
}

/// Calls a function of Python from a pass, which does not hold the GIL.
pub(super) fn called<T>(run: impl for<'py> FnOnce(Python<'py>) -> PyResult<T>) -> T {
    Python::attach(run).unwrap_or_else(|error| raise(error))
}

pub(super) fn number() -> u64 {
    NUMBER.fetch_add(1, Ordering::Relaxed)
}

pub(super) fn callable(function: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    if function.is_callable() {
        return Ok(function.clone().unbind());
    }
    Err(PyTypeError::new_err(format!("a hook is called, which {} cannot be", type_name(function))))
}

/// What a hook gave in the place of a gradient, if it gave something.
fn instead(given: &Bound<'_, PyAny>, before: Option<&Tensor>) -> PyResult<Option<Tensor>> {
    if given.is_none() {
        return Ok(None);
    }
    let Some(tensor) = object::tensor_of(given) else {
        let text = format!("a hook returns a Tensor or None, not {}", type_name(given));
        return Err(PyTypeError::new_err(text));
    };
    if let Some(before) = before {
        let is_alike = tensor.shape() == before.shape()
            && tensor.dtype() == before.dtype()
            && tensor.device() == before.device();
        if !is_alike {
            return Err(PyRuntimeError::new_err(format!(
                "a hook was given a {} gradient of shape {:?} and returned a {} one of shape {:?}",
                before.dtype(),
                before.shape(),
                tensor.dtype(),
                tensor.shape()
            )));
        }
    }
    Ok(Some(tensor.clone()))
}

/// Gradients as objects.
pub(super) fn tuple<'py>(py: Python<'py>, gradients: &Gradients) -> PyResult<Bound<'py, PyTuple>> {
    let objects = gradients.iter().map(|it| match it {
        Some(gradient) => object::same(py, gradient.clone()),
        None => Ok(py.None().into_bound(py)),
    });
    PyTuple::new(py, objects.collect::<PyResult<Vec<_>>>()?)
}

/// The gradients that a hook of a node gave, if it gave some.
fn all_instead(given: &Bound<'_, PyAny>, before: &Gradients) -> PyResult<Option<Gradients>> {
    if given.is_none() {
        return Ok(None);
    }
    let Ok(given) = given.cast::<PyTuple>() else {
        let text = format!("a hook of a node returns a tuple or None, not {}", type_name(given));
        return Err(PyTypeError::new_err(text));
    };
    if given.len() != before.len() {
        return Err(PyRuntimeError::new_err(format!(
            "a hook was given {} gradients and returned {}",
            before.len(),
            given.len()
        )));
    }
    let pairs = given.iter().zip(before);
    pairs.map(|(it, before)| instead(&it, before.as_ref())).collect::<PyResult<_>>().map(Some)
}

/// Has a function see the gradient of a tensor.
#[pyfunction(name = "_register_hook")]
pub(super) fn register_hook(
    tensor: &Bound<'_, PyAny>,
    function: &Bound<'_, PyAny>,
) -> PyResult<Handle> {
    let hooks = hooks_of(tensor)?;
    let (id, function) = (number(), callable(function)?);
    let host = host(&function);
    let hook = move |gradient: Option<&Tensor>, _: &HookContext<'_>| {
        Ok(called(|py| {
            let shown = gradient.map(|it| object::same(py, it.clone())).transpose()?;
            let answer = function.bind(py).call1((shown,))?;
            instead(&answer, gradient)
        }))
    };
    hooks.registry().add(id, Arc::new(hook), host).map_err(|it| exception(&it))?;
    track(tensor);
    Ok(Handle::of(id, &hooks))
}

/// The address of a function that a hook calls and keeps.
fn host(function: &Py<PyAny>) -> *mut () {
    function.as_ptr().cast()
}

/// Has the garbage collector look at a tensor that has got a hook.
fn track(tensor: &Bound<'_, PyAny>) {
    if let Some(known) = object::known(tensor.as_borrowed()) {
        object::track(known);
    }
}

pub(super) fn hooks_of(tensor: &Bound<'_, PyAny>) -> PyResult<GradientHooks> {
    let Some(known) = object::known(tensor.as_borrowed()) else {
        return Err(PyTypeError::new_err(format!("expected a Tensor, not {}", type_name(tensor))));
    };
    object::peek(known).gradient_hooks().map_err(|it| exception(&it))
}

/// The functions among the hooks of a gradient, by the numbers of their handles.
pub(super) fn by_number<'py>(
    py: Python<'py>,
    hooks: &GradientHooks,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (number, host) in hooks.registry().hosts_by_number() {
        // SAFETY: a hook holds the function that it calls, and is taken away by who holds the GIL.
        let function = unsafe { Bound::from_borrowed_ptr_or_opt(py, host.cast()) };
        dict.set_item(number, function)?;
    }
    Ok(dict)
}

/// Has a function see a leaf after a gradient was added to it.
#[pyfunction(name = "_register_leaf_hook")]
pub(super) fn register_leaf_hook(
    tensor: &Bound<'_, PyAny>,
    function: &Bound<'_, PyAny>,
) -> PyResult<Handle> {
    let GradientHooks::Leaf(hooks) = hooks_of(tensor)? else {
        return Err(PyRuntimeError::new_err("only a leaf has hooks after its accumulation"));
    };
    let (id, function) = (number(), callable(function)?);
    let host = host(&function);
    let hook = move |leaf: &Tensor| {
        called(|py| {
            let answer = function.bind(py).call1((object::same(py, leaf.clone())?,))?;
            if answer.is_none() {
                return Ok(());
            }
            let text =
                format!("a hook after accumulation returns None, not {}", type_name(&answer));
            Err(PyRuntimeError::new_err(text))
        });
        Ok(())
    };
    hooks.added.add(id, Arc::new(hook), host).map_err(|it| exception(&it))?;
    track(tensor);
    Ok(Handle::of(id, &GradientHooks::Leaf(hooks)))
}

/// Has passes leave a gradient at a tensor that is a result.
#[pyfunction(name = "_retain_grad")]
pub(super) fn retain_grad(tensor: &Bound<'_, PyAny>) -> PyResult<()> {
    let Some(known) = object::known(tensor.as_borrowed()) else {
        return Err(PyTypeError::new_err(format!("expected a Tensor, not {}", type_name(tensor))));
    };
    object::peek(known).retain_grad().map_err(|it| exception(&it))
}

/// What has the hooks of a node, and may outlive it.
pub(super) trait HasHooks: Send + Sync + 'static {
    fn hooks(&self) -> &Hooks;
}

impl HasHooks for Arc<dyn Node> {
    fn hooks(&self) -> &Hooks {
        self.header().hooks()
    }
}

/// Has a function see the gradients of the outputs before a node runs.
pub(super) fn before_node(node: impl HasHooks, function: &Bound<'_, PyAny>) -> PyResult<Handle> {
    let (id, function) = (number(), callable(function)?);
    let host = host(&function);
    let hook = move |outputs: &Gradients| {
        Ok(called(|py| {
            let answer = function.bind(py).call1((tuple(py, outputs)?,))?;
            all_instead(&answer, outputs)
        }))
    };
    node.hooks().before.add(id, Arc::new(hook), host).map_err(|it| exception(&it))?;
    Ok(Handle::new(id, move |id| node.hooks().before.remove(id)))
}

/// Has a function see the gradients of inputs and outputs after a node ran.
pub(super) fn after_node(node: impl HasHooks, function: &Bound<'_, PyAny>) -> PyResult<Handle> {
    let (id, function) = (number(), callable(function)?);
    let host = host(&function);
    let hook = move |inputs: &Gradients, outputs: &Gradients| {
        Ok(called(|py| {
            let answer = function.bind(py).call1((tuple(py, inputs)?, tuple(py, outputs)?))?;
            all_instead(&answer, inputs)
        }))
    };
    node.hooks().after.add(id, Arc::new(hook), host).map_err(|it| exception(&it))?;
    Ok(Handle::new(id, move |id| node.hooks().after.remove(id)))
}

/// The same of all functions that are in a dictionary by then.
pub(super) fn after_node_each(node: impl HasHooks, functions: &Bound<'_, PyDict>) -> PyResult<()> {
    let host = functions.as_ptr().cast();
    let functions = functions.clone().unbind();
    let hook = move |inputs: &Gradients, outputs: &Gradients| {
        Ok(called(|py| {
            let seen = tuple(py, outputs)?;
            let mut others: Option<Gradients> = None;
            for function in functions.bind(py).values() {
                let inputs = others.as_ref().unwrap_or(inputs);
                let answer = function.call1((tuple(py, inputs)?, &seen))?;
                others = all_instead(&answer, inputs)?.or(others);
            }
            Ok(others)
        }))
    };
    node.hooks().after.add(number(), Arc::new(hook), host).map_err(|it| exception(&it))?;
    Ok(())
}
