//! Nodes of the autograd graph as objects: recorded calls.

use std::any::Any;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};

use opwright_runtime::Tensor;
use opwright_runtime::autograd::{
    Accumulate, Edge, Hooks, Metadata, Node, Recorded, Saved, SavedTensor,
};
use opwright_runtime::geometry::Dims;
use opwright_runtime::lock::Lock;
use opwright_runtime::op::Value;
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use super::function::node::context;
use super::packing::PySaved;
use super::{gc_traverse, hooks};
use crate::object::failure::exception;
use crate::object::trampoline::guarded;
use crate::object::{self, Convert, Size};
use crate::op::values;
use crate::raw;

/// A recorded call: a node of the graph that passes go along.
///
/// Attributes and weak references come with the classes that are derived from it: a dictionary that
/// is made before the fields are would have the garbage collector see these too early.
#[pyclass(subclass, frozen, name = "Node", module = "opwright.autograd.graph")]
pub(crate) struct PyNode {
    node: Arc<dyn Node>,
    /// The object that this is in, once it stands for the node.
    object: AtomicPtr<()>,
}

/// The node for the constructor, which finds one there only if [`made`] calls it.
static HANDOVER: Lock<Option<Arc<dyn Node>>> = Lock::new(None);

/// The classes of nodes, by their names; and by where these are, as most are static.
static CLASSES: Lock<Classes> = Lock::new(BTreeMap::new());

type Classes = BTreeMap<ClassName, Py<PyAny>>;

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum ClassName {
    At(usize, usize),
    Is(String),
}

fn address(node: &Arc<dyn Node>) -> usize {
    Arc::as_ptr(node).cast::<()>().addr()
}

/// The object of a node, the same one as long as somebody holds it.
pub(super) fn object(py: Python<'_>, node: Arc<dyn Node>) -> PyResult<Bound<'_, PyAny>> {
    if let Some(context) = context(py, &node) {
        return Ok(context);
    }
    let host = node.header().known_hooks().map_or(ptr::null_mut(), Hooks::host);
    // SAFETY: with the GIL held, a host is an object whose memory is there: it is cleared before.
    if let Some(object) = unsafe { raw::living(py, host.cast()) } {
        return Ok(object);
    }
    made(py, node)
}

/// A new object.
fn made(py: Python<'_>, node: Arc<dyn Node>) -> PyResult<Bound<'_, PyAny>> {
    let class = class(py, node.name())?;
    *HANDOVER.lock() = Some(node);
    let object = class.call0()?;
    let this = object.cast::<PyNode>()?.get();
    let host = object.as_ptr().cast();
    this.object.store(host, Ordering::Relaxed);
    this.node.header().hooks().set_host(host);
    Ok(object)
}

/// The class of nodes of a name.
fn class<'py>(py: Python<'py>, name: Cow<'static, str>) -> PyResult<Bound<'py, PyAny>> {
    let at_address = match name {
        Cow::Borrowed(name) => Some(ClassName::At(name.as_ptr().addr(), name.len())),
        Cow::Owned(_) => None,
    };
    if let Some(class) = at_address.as_ref().and_then(|it| known_class(py, it)) {
        return Ok(class);
    }
    let by_name = ClassName::Is(name.to_string());
    let class = match known_class(py, &by_name) {
        Some(class) => class,
        None => make_class(py, &name)?,
    };
    let mut classes = CLASSES.lock();
    for name in at_address.into_iter().chain([by_name]) {
        classes.insert(name, class.clone().unbind());
    }
    Ok(class)
}

fn make_class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let members = PyDict::new(py);
    members.set_item("__module__", "opwright.autograd.graph")?;
    let bases = PyTuple::new(py, [py.get_type::<PyNode>()])?;
    py.get_type::<PyType>().call1((name, bases, members))
}

fn known_class<'py>(py: Python<'py>, name: &ClassName) -> Option<Bound<'py, PyAny>> {
    let classes = CLASSES.lock();
    classes.get(name).map(|it| it.bind(py).clone())
}

/// What the gradient of an output of a node has to be like.
#[pyclass(frozen, name = "InputMetadata", module = "opwright.autograd.graph")]
struct InputMetadata(Metadata);

#[pymethods]
impl InputMetadata {
    /// The shape.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(Size(self.0.shape.iter().copied().collect()).object(py)?)
    }

    /// The dtype.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.0.dtype.object(py)?)
    }

    /// The device.
    #[getter]
    fn device<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.0.device.object(py)?)
    }
}

impl Drop for PyNode {
    fn drop(&mut self) {
        let own = self.object.load(Ordering::Relaxed);
        let hooks = self.node.header().known_hooks();
        if let Some(hooks) = hooks.filter(|it| it.host() == own) {
            hooks.set_host(ptr::null_mut());
        }
    }
}

/// Whether people find what was saved among the attributes: what only says what a tensor is like is
/// a means of the formulas.
fn is_shown(name: &str, saved: &Saved) -> bool {
    const MEANS: [&str; 2] = ["_scalar_type", "_args_scalartypes"];
    !matches!(saved, Saved::Metadata(_) | Saved::Geometry(_) | Saved::Shapes(_))
        && !MEANS.iter().any(|it| name.ends_with(it))
}

/// `(node, number of the output)`, which is `(None, 0)` for an input that requires nothing.
fn pair<'py>(py: Python<'py>, edge: Option<&Edge>) -> PyResult<(Bound<'py, PyAny>, usize)> {
    match edge {
        Some(edge) => Ok((object(py, edge.node.clone())?, edge.output)),
        None => Ok((py.None().into_bound(py), 0)),
    }
}

/// [Pairs](pair) of all edges.
pub(super) fn pairs<'py>(py: Python<'py>, edges: &[Option<Edge>]) -> PyResult<Bound<'py, PyTuple>> {
    let pairs: PyResult<Vec<_>> = edges.iter().map(|it| pair(py, it.as_ref())).collect();
    PyTuple::new(py, pairs?)
}

impl PyNode {
    pub(super) fn node(&self) -> &Arc<dyn Node> {
        &self.node
    }

    fn slot(&self, name: &str) -> Option<usize> {
        let recorded = Recorded::of(&self.node)?;
        recorded.rule().saved.iter().position(|it| it.name == name)
    }

    fn saved(&self, name: &str) -> Option<&Saved> {
        Recorded::of(&self.node)?.saved().nth(self.slot(name)?)
    }

    /// The tensors of a slot as they are kept: one, or a tuple.
    fn raw<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(slot) = self.slot(name) else { return Ok(None) };
        let raw = |place| {
            let saved = PySaved { node: self.node.clone(), slot, place };
            Bound::new(py, saved).map(Bound::into_any)
        };
        match self.saved(name) {
            Some(Saved::Tensor(_)) => raw(None).map(Some),
            Some(Saved::Tensors(all)) => {
                let all: PyResult<Vec<_>> = (0..all.len()).map(|it| raw(Some(it))).collect();
                Ok(Some(PyTuple::new(py, all?)?.into_any()))
            }
            Some(Saved::Nothing) => Ok(Some(py.None().into_bound(py))),
            _ => Ok(None),
        }
    }

    fn unpacked<'py>(&self, py: Python<'py>, saved: &SavedTensor) -> PyResult<Bound<'py, PyAny>> {
        let unpack = || saved.unpack(&self.node).map_err(|it| exception(&it));
        let tensor = guarded(&self.node.name(), unpack)?;
        tensor.map_or_else(|| Ok(py.None().into_bound(py)), |it| object::same(py, it))
    }

    fn shown<'py>(&self, py: Python<'py>, saved: &Saved) -> PyResult<Bound<'py, PyAny>> {
        let ints = |dims: &Dims| PyTuple::new(py, dims.iter()).map(Bound::into_any);
        match saved {
            Saved::Nothing => Ok(py.None().into_bound(py)),
            Saved::Tensor(it) => self.unpacked(py, it),
            Saved::Tensors(all) => {
                let all: PyResult<Vec<_>> = all.iter().map(|it| self.unpacked(py, it)).collect();
                Ok(PyTuple::new(py, all?)?.into_any())
            }
            Saved::Dims(dims) => ints(dims),
            Saved::Shapes(all) => {
                let all: PyResult<Vec<_>> = all.iter().map(ints).collect();
                Ok(PyTuple::new(py, all?)?.into_any())
            }
            Saved::Metadata(it) => ints(&it.shape),
            Saved::Geometry(it) => ints(&it.shape),
            Saved::Value(Value::List(items)) => {
                let items: PyResult<Vec<_>> =
                    items.iter().map(|it| Ok(values::object(py, it.clone())?)).collect();
                Ok(PyTuple::new(py, items?)?.into_any())
            }
            Saved::Value(it) => Ok(values::object(py, it.clone())?),
        }
    }
}

#[pymethods]
impl PyNode {
    #[new]
    fn new() -> PyResult<PyNode> {
        let node = HANDOVER.lock().take();
        let node = node.ok_or_else(|| PyTypeError::new_err("nodes are made by calls"))?;
        Ok(PyNode { node, object: AtomicPtr::default() })
    }

    /// What people call it: `MulBackward0`.
    fn name(&self) -> String {
        self.node.name().into_owned()
    }

    /// For each input, the call that made it and the number of the output that it was.
    #[getter]
    fn next_functions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pairs(py, self.node.header().next())
    }

    /// What anybody notes of the node, in a dict that stays with it.
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let make = || {
            let dict = PyDict::new(py);
            let host = dict.as_ptr().cast();
            Ok::<_, PyErr>((Box::new(dict.unbind()) as Box<dyn Any + Send + Sync>, host))
        };
        let extra = self.node.header().hooks().extra(make)?;
        let dict = extra.downcast_ref::<Py<PyDict>>();
        let dict = dict.ok_or_else(|| PyTypeError::new_err("something else is kept there"))?;
        Ok(dict.bind(py).clone().into_any())
    }

    /// What the gradients of the outputs have to be like, one after the other.
    #[getter]
    fn _input_metadata(&self) -> Vec<InputMetadata> {
        self.node.header().outputs().iter().cloned().map(InputMetadata).collect()
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        gc_traverse::visited(&visit, |see| self.node.hosts_of_only_handle(see))
    }

    fn __clear__(&self) {
        if Arc::strong_count(&self.node) == 1 {
            self.node.forget_hooks();
        }
    }

    /// When the call was recorded, counted by its thread.
    fn _sequence_nr(&self) -> u64 {
        self.node.header().sequence()
    }

    /// Has a function see the gradients of the outputs before the node runs, as a tuple; it may
    /// return another one.
    fn register_prehook(
        this: &Bound<'_, Self>,
        function: &Bound<'_, PyAny>,
    ) -> PyResult<hooks::Handle> {
        hooks::before_node(this.get().node().clone(), function)
    }

    /// Has a function see the gradients of the inputs and of the outputs after the node ran; it may
    /// return other ones of the inputs.
    fn register_hook(
        this: &Bound<'_, Self>,
        function: &Bound<'_, PyAny>,
    ) -> PyResult<hooks::Handle> {
        hooks::after_node(this.get().node().clone(), function)
    }

    /// The leaf that gradients are added to.
    #[getter]
    fn variable<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let leaf = Accumulate::of(&self.node).map(|it| it.leaf().clone());
        let leaf: Tensor = leaf.ok_or_else(|| self.no_attribute("variable"))?;
        object::same(py, leaf)
    }

    /// What was saved, as `_saved_<name>`.
    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        if let Some(raw) = name.strip_prefix("_raw_saved_") {
            return self.raw(py, raw)?.ok_or_else(|| self.no_attribute(name));
        }
        let saved = name.strip_prefix("_saved_").and_then(|it| self.saved(it));
        self.shown(py, saved.ok_or_else(|| self.no_attribute(name))?)
    }

    fn __dir__<'py>(this: &Bound<'py, Self>) -> PyResult<Vec<String>> {
        let names = this.get_type().call_method0("mro")?;
        let mut known: Vec<String> = Vec::new();
        for class in names.try_iter()? {
            for name in class?.getattr("__dict__")?.try_iter()? {
                known.push(name?.extract()?);
            }
        }
        if let Some(recorded) = Recorded::of(&this.get().node) {
            let slots = recorded.rule().saved.iter().zip(recorded.saved());
            let shown = slots.filter(|(slot, it)| is_shown(slot.name, it));
            for (slot, saved) in shown {
                known.push(format!("_saved_{}", slot.name));
                if matches!(saved, Saved::Tensor(_) | Saved::Tensors(_)) {
                    known.push(format!("_raw_saved_{}", slot.name));
                }
            }
        }
        Ok(known)
    }

    fn __repr__(&self) -> String {
        format!("<{} object at {:#x}>", self.node.name(), address(&self.node))
    }
}

impl PyNode {
    #[cold]
    fn no_attribute(&self, name: &str) -> PyErr {
        PyAttributeError::new_err(format!("{} has no attribute `{name}`", self.node.name()))
    }
}
