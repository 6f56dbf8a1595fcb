//! `_C._FunctionBase`: what functions and the objects of their nodes are derived from.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use opwright_runtime::autograd::{Gradients, Hooks, Node, Trial};
use pyo3::exceptions::{PyDeprecationWarning, PyRuntimeError, PyTypeError};
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use pyo3::{PyTraverseError, intern};

use super::apply::apply;
use super::node::{FunctionNode, called};
use super::recorded::{Recorded, Shared};
use super::slot::ObjectSlot;
use crate::autograd::hooks::{self, Handle, HasHooks};
use crate::autograd::packing::PySaved;
use crate::autograd::{gc_traverse, node};
use crate::call::overrides;
use crate::object::deferred::Drained;
use crate::object::failure::exception;
use crate::object::trampoline::guarded;
use crate::object::{self, type_name};
use crate::raw;

/// A call of a function that brings its own gradient: its `ctx`, and the object of its node.
///
/// Attributes and weak references come with the classes that are derived from it: a dictionary that
/// is made before the fields are would have the garbage collector see these too early.
#[pyclass(subclass, frozen, name = "_FunctionBase", module = "opwright._C")]
pub(crate) struct FunctionBase {
    pub(super) shared: Arc<Shared>,
    pub(super) needs_input_grad: ObjectSlot,
    pub(super) to_save: ObjectSlot,
    pub(super) non_differentiable: ObjectSlot,
    pub(super) dirty_tensors: ObjectSlot,
    saved_for_forward: ObjectSlot,
    metadata: ObjectSlot,
    materializes: AtomicBool,
    /// The last one: what goes before it lets go of other nodes.
    _drained: Drained,
}

impl HasHooks for Arc<Shared> {
    fn hooks(&self) -> &opwright_runtime::autograd::Hooks {
        Shared::hooks(self)
    }
}

impl FunctionBase {
    pub(super) fn materializes(&self) -> bool {
        self.materializes.load(Ordering::Relaxed)
    }

    /// Whether it stands for no call yet.
    pub(super) fn check_new(&self) -> PyResult<()> {
        if self.shared.recorded().is_none() {
            return Ok(());
        }
        Err(PyRuntimeError::new_err(
            "an instance of a Function stands for one call that is recorded; make another \
             instance, or use apply",
        ))
    }

    /// What nodes of the class are called.
    pub(super) fn name_of(&self, this: &Bound<'_, PyAny>) -> PyResult<String> {
        let class = this.get_type();
        let name: String = class.getattr(intern!(this.py(), "__name__"))?.extract()?;
        let is_backward = class.hasattr(intern!(this.py(), "_forward_cls"))?;
        Ok(if is_backward { name } else { format!("{name}Backward") })
    }

    fn recorded(&self) -> PyResult<&Recorded> {
        self.shared.recorded().ok_or_else(|| {
            PyRuntimeError::new_err(
                "the call is not recorded: its forward has not returned yet, or none of its \
                 inputs requires gradients",
            )
        })
    }

    /// What was recorded, none if nothing was, unless a pass has released what was saved.
    fn kept(&self) -> PyResult<Option<&Recorded>> {
        let recorded = self.shared.recorded();
        if let Some(it) = recorded.filter(|it| it.is_released.load(Ordering::Relaxed)) {
            return Err(PyRuntimeError::new_err(format!(
                "the tensors that {} saved were freed by a pass, and are asked for a second time; \
                 pass retain_graph=True to that one",
                it.name
            )));
        }
        Ok(recorded)
    }

    /// The node that this is the object of.
    pub(in crate::autograd) fn node_of(this: &Bound<'_, Self>) -> PyResult<Arc<dyn Node>> {
        this.get().recorded()?;
        Ok(this.get().shared.node(this.clone().into_any()))
    }

    /// Whether nobody but the attributes of the object keeps the node alive, which keeps the object:
    /// tensors that the call or later ones made, in attributes or in containers there.
    fn keeps_itself(node: &Arc<FunctionNode>, context: &Py<PyAny>) -> bool {
        /// Handles of this function.
        const HERE: usize = 2;
        let own: Arc<dyn Node> = node.clone();
        let (mut trial, mut is_told) = (Trial::of(&own), false);
        raw::held_alone(context, &mut |held| {
            let Some(known) = object::known(held) else { return };
            let tensor = object::peek(known);
            is_told |= raw::is_tracked(held) && tensor.is_last_result_of(&own);
            trial.without(tensor);
        });
        // The only result tells by itself of what its node keeps.
        let is_told = is_told && Arc::strong_count(&own) == HERE + 1;
        !is_told && trial.would_go(HERE)
    }

    /// What is called when the node runs, if something is.
    fn hooks(&self) -> Option<&Hooks> {
        self.shared.recorded()?.header.known_hooks()
    }
}

#[pymethods]
impl FunctionBase {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> FunctionBase {
        FunctionBase {
            shared: Arc::default(),
            needs_input_grad: ObjectSlot::default(),
            to_save: ObjectSlot::default(),
            non_differentiable: ObjectSlot::default(),
            dirty_tensors: ObjectSlot::default(),
            saved_for_forward: ObjectSlot::default(),
            metadata: ObjectSlot::default(),
            materializes: AtomicBool::new(true),
            _drained: Drained,
        }
    }

    /// Call the function of the class, and record the call if an argument requires gradients.
    #[classmethod]
    #[pyo3(name = "apply", signature = (*args))]
    fn apply_class<'py>(
        cls: &Bound<'py, PyType>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let apply_of_class = || cls.getattr(intern!(cls.py(), "apply"));
        if let Some(result) = overrides::of_arguments(args, apply_of_class)? {
            return Ok(result);
        }
        let backward = cls.getattr_opt(intern!(cls.py(), "_backward_cls"))?;
        let made = backward.ok_or_else(|| {
            PyTypeError::new_err(format!("{} is no class derived from Function", cls))
        })?;
        let context = made.call0()?.cast_into::<FunctionBase>()?;
        guarded("apply", || apply(&context, cls, args))
    }

    /// Call the function with this object as its `ctx`.
    #[pyo3(signature = (*args))]
    fn _do_forward<'py>(
        this: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        guarded("apply", || apply(this, &this.get_type(), args))
    }

    /// The gradients of the tensors among the arguments, from those of the outputs.
    fn _do_backward<'py>(
        this: &Bound<'py, Self>,
        gradients: &Bound<'py, PyTuple>,
        retain_variables: bool,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let recorded = this.get().recorded()?;
        let given = gradients.iter().map(|it| object::tensor_of(&it).cloned());
        let given: Gradients = given.collect();
        if given.len() != recorded.is_output.len() {
            return Err(PyRuntimeError::new_err(format!(
                "{} has {} outputs, and {} gradients were given",
                recorded.name,
                recorded.is_output.len(),
                given.len()
            )));
        }
        let arguments = recorded.arguments(this.py(), given)?;
        let found = recorded.gradients(called(this.as_any(), arguments)?)?;
        if !retain_variables {
            recorded.release();
        }
        hooks::tuple(this.py(), &found)
    }

    /// What people call the node: `<class>Backward`.
    fn name(this: &Bound<'_, Self>) -> PyResult<String> {
        this.get().name_of(this.as_any())
    }

    /// For each tensor among the arguments, the call that made it and the number of the output
    /// that it was.
    #[getter]
    fn next_functions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        node::pairs(py, self.recorded()?.header.next())
    }

    /// When the call was recorded, counted by its thread.
    fn _sequence_nr(&self) -> PyResult<u64> {
        Ok(self.recorded()?.header.sequence())
    }

    /// The tensors that were saved for the backward.
    #[getter]
    fn saved_tensors<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = this.py();
        let Some(recorded) = this.get().kept()? else { return Ok(PyTuple::empty(py)) };
        let node = FunctionBase::node_of(this)?;
        let tensors = recorded.saved.iter().map(|it| {
            let unpack = || it.unpack(&node).map_err(|it| exception(&it));
            let tensor = guarded(&recorded.name, unpack)?;
            tensor.map_or_else(|| Ok(py.None().into_bound(py)), |it| object::same(py, it))
        });
        PyTuple::new(py, tensors.collect::<PyResult<Vec<_>>>()?)
    }

    /// The saved tensors as they are kept, each with `register_hooks` for another form.
    #[getter]
    fn _raw_saved_tensors<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = this.py();
        let Some(recorded) = this.get().kept()? else { return Ok(PyTuple::empty(py)) };
        let node = FunctionBase::node_of(this)?;
        let raw = |slot| Bound::new(py, PySaved { node: node.clone(), slot, place: None });
        PyTuple::new(py, (0..recorded.saved.len()).map(raw).collect::<PyResult<Vec<_>>>()?)
    }

    /// An older name of `saved_tensors`.
    #[getter]
    fn saved_variables<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let class = this.py().get_type::<PyDeprecationWarning>();
        PyErr::warn(this.py(), &class, c"saved_variables is called saved_tensors now", 1)?;
        FunctionBase::saved_tensors(this)
    }

    /// Has a function see the gradients of the outputs before the node runs, as a tuple; it may
    /// return another one.
    fn register_prehook(&self, function: &Bound<'_, PyAny>) -> PyResult<Handle> {
        self.recorded()?;
        hooks::before_node(self.shared.clone(), function)
    }

    /// Has a function see the gradients of the tensors among the arguments and of the outputs after
    /// the node ran; it may return other ones of the tensors.
    fn register_hook(&self, function: &Bound<'_, PyAny>) -> PyResult<Handle> {
        self.recorded()?;
        hooks::after_node(self.shared.clone(), function)
    }

    /// The same of all functions that are in a dictionary when the node ran.
    fn _register_hook_dict(&self, hooks: &Bound<'_, PyDict>) -> PyResult<()> {
        self.recorded()?;
        hooks::after_node_each(self.shared.clone(), hooks)
    }

    /// Anything that people want to note about the node.
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.metadata.get(py).unwrap_or_else(|| {
            let made = PyDict::new(py).into_any();
            self.metadata.set(Some(made.clone()));
            made
        })
    }

    /// Whether the call is recorded.
    #[getter]
    fn requires_grad(&self) -> bool {
        self.shared.recorded().is_some()
    }

    /// For each argument, whether it is a tensor that requires gradients.
    #[getter]
    fn needs_input_grad<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.needs_input_grad.get(py)
    }

    #[setter(needs_input_grad)]
    fn set_needs_input_grad(&self, value: Option<Bound<'_, PyAny>>) {
        self.needs_input_grad.set(value);
    }

    /// The tensors that are going to be saved when the function has returned.
    #[getter]
    fn to_save<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.to_save.get(py)
    }

    #[setter(to_save)]
    fn set_to_save(&self, value: Option<Bound<'_, PyAny>>) {
        self.to_save.set(value);
    }

    /// The outputs that have no gradients.
    #[getter]
    fn non_differentiable<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.non_differentiable.get(py)
    }

    #[setter(non_differentiable)]
    fn set_non_differentiable(&self, value: Option<Bound<'_, PyAny>>) {
        self.non_differentiable.set(value);
    }

    /// The inputs that were written to.
    #[getter]
    fn dirty_tensors<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.dirty_tensors.get(py)
    }

    #[setter(dirty_tensors)]
    fn set_dirty_tensors(&self, value: Option<Bound<'_, PyAny>>) {
        self.dirty_tensors.set(value);
    }

    /// What was saved for derivatives in the direction of the call.
    #[getter]
    fn saved_for_forward<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.saved_for_forward.get(py)
    }

    #[setter(saved_for_forward)]
    fn set_saved_for_forward(&self, value: Option<Bound<'_, PyAny>>) {
        self.saved_for_forward.set(value);
    }

    /// Whether zeros stand for gradients that are absent.
    #[getter]
    fn materialize_grads(&self) -> bool {
        self.materializes()
    }

    #[setter(materialize_grads)]
    fn set_materialize_grads(&self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let Ok(value) = value.extract::<bool>() else {
            let text = format!("materialize_grads is a bool, not {}", type_name(value));
            return Err(PyTypeError::new_err(text));
        };
        self.materializes.store(value, Ordering::Relaxed);
        Ok(())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        for slot in self.slots() {
            slot.visit(&visit)?;
        }
        if let Some(node) = self.shared.known_node()
            && let Some(context) = node.context()
            && FunctionBase::keeps_itself(&node, context)
        {
            visit.call(context)?;
        }
        match self.hooks() {
            Some(hooks) => gc_traverse::visited(&visit, |see| hooks.hosts(see)),
            None => Ok(()),
        }
    }

    fn __clear__(&self) {
        for slot in self.slots() {
            slot.set(None);
        }
        if let Some(hooks) = self.hooks() {
            hooks.clear();
        }
    }
}

impl FunctionBase {
    fn slots(&self) -> [&ObjectSlot; 6] {
        [
            &self.needs_input_grad,
            &self.to_save,
            &self.non_differentiable,
            &self.dirty_tensors,
            &self.saved_for_forward,
            &self.metadata,
        ]
    }
}
