//! Calls of functions in progress.

use opwright_graph::{Event, ExecutionError, GraphError, Host};
use opwright_runtime::fast_path::FastPath;
use opwright_runtime::op::Value;
use opwright_runtime::types::{Coerce, TensorType, TypeRef};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat};
use smallvec::SmallVec;

use super::apply::PyApply;
use super::boxing::{accept, emit};
use super::failure::{host, raised_in};
use super::function::{PyFunction, ReturnForm, Usual};
use super::host_type::{HostType, Refilled, object_of};
use crate::object::failure::placed;
use crate::object::{self, gil, native, signals};
use crate::raw;

/// A call in progress: a function, and an object for each of its inputs.
pub(super) struct Caller<'a, 'py> {
    py: Python<'py>,
    of: &'a PyFunction,
    args: &'a [Bound<'py, PyAny>],
    results: SmallVec<[Bound<'py, PyAny>; 2]>,
}

impl<'a, 'py> Caller<'a, 'py> {
    #[inline]
    pub(super) fn new(
        py: Python<'py>,
        of: &'a PyFunction,
        args: &'a [Bound<'py, PyAny>],
    ) -> Caller<'a, 'py> {
        Caller { py, of, args, results: SmallVec::new() }
    }

    /// Runs the function; what it returns.
    #[inline]
    pub(super) fn run(mut self) -> PyResult<Bound<'py, PyAny>> {
        if let Err(stopped) = self.of.function.call(&mut self) {
            return Err(self.exception(*stopped));
        }
        let py = self.py;
        match &self.of.results {
            ReturnForm::One => Ok(self.results.swap_remove(0)),
            ReturnForm::Nothing => Ok(py.None().into_bound(py)),
            ReturnForm::List => Ok(raw::list(py, self.results.into_vec())?.into_any()),
            ReturnForm::Named(names) => {
                let named = PyDict::new(py);
                for (name, result) in names.iter().zip(self.results) {
                    named.set_item(name.bind(py), result)?;
                }
                Ok(named.into_any())
            }
        }
    }

    /// The exception of a call that ended, which says where.
    #[cold]
    fn exception(&self, stopped: ExecutionError) -> PyErr {
        let ExecutionError { failure, node, input, values } = stopped;
        if let Some(input) = input {
            return self.refused(raised_in(self.py, failure, &self.of.name), input);
        }
        let found = node.and_then(|at| self.of.function.nodes().nth(at));
        let name = found.map_or_else(|| self.of.name.clone(), |it| it.op().to_string());
        let error = raised_in(self.py, failure, &name);
        let (Some(at), Some(node)) = (node, found) else { return error };
        let types: Vec<String> = node.outputs().iter().map(|it| it.ty().to_string()).collect();
        let mut note =
            format!("in node {at} of function '{}': {node} -> {}", self.of.name, types.join(", "));
        if !values.is_empty() {
            note.push_str("\n  ");
            note.push_str(&values.join("   "));
        }
        if let Some(place) = node.place() {
            note.push_str(&format!("\n  built at {place}"));
        }
        // What an exception does not take is not worth another one.
        let value = error.value(self.py);
        let _ = value.call_method1("add_note", (note,));
        // Within a block of C it is known better.
        let is_known = value.hasattr("__opwright_node__").unwrap_or(true);
        if !is_known && let Ok(node) = PyApply::object(self.py, node) {
            let _ = value.setattr("__opwright_node__", node);
        }
        error
    }

    /// That of an argument that was not taken. What a type raises that is written in Python stays.
    fn refused(&self, error: PyErr, input: usize) -> PyErr {
        let place = format!("{}(): {}", self.of.name, self.of.described(input));
        if self.of.function.inputs()[input].ty().downcast::<HostType>().is_some() {
            let _ = error.value(self.py).call_method1("add_note", (place,));
            return error;
        }
        placed(self.py, error, &place)
    }

    #[cold]
    #[inline(never)]
    fn accept_rarely(&self, input: usize) -> Result<Value, GraphError> {
        let (given, taken) = (&self.args[input], &self.of.inputs[input]);
        if let (Some(shared), Some(default)) = (&taken.shared, &taken.default)
            && given.is(default)
            && let Some(shared) = shared.as_shared()
        {
            return Ok(shared.value());
        }
        let ty = self.of.function.inputs()[input].ty();
        if self.of.trusts
            && let Some(value) = trusted(ty, given)
        {
            return Ok(value);
        }
        accept(ty, given, taken.coerce).map_err(host)
    }

    /// The very object that was given, if it is what an output hands through.
    fn same(&self, output: usize, value: &Value) -> Option<Bound<'py, PyAny>> {
        let given = &self.args[self.of.function.handed_through(output)?];
        let is_same = match value {
            Value::Tensor(value) => object::tensor_of(given).is_some_and(|it| it.is_same(value)),
            Value::Native(value) => native::held(given).is_some_and(|it| it.is_same(value)),
            _ => false,
        };
        is_same.then(|| given.clone())
    }
}

/// An object as a value of a type, if it can be one without harm: whether it is one was not looked
/// at.
fn trusted(ty: &TypeRef, given: &Bound<'_, PyAny>) -> Option<Value> {
    if let Some(ty) = ty.downcast::<HostType>() {
        return Some(ty.value(given.clone()));
    }
    let (ty, tensor) = (ty.downcast::<TensorType>()?, object::tensor_of(given)?);
    let fits = tensor.dtype() == ty.dtype() && tensor.ndim() == ty.ndim();
    fits.then(|| Value::Tensor(tensor.clone()))
}

/// The value of an object that is what most of its type are, without a closer look.
#[inline(always)]
fn usual_value(usual: &Usual, given: &Bound<'_, PyAny>) -> Option<Value> {
    match usual {
        Usual::Float => raw::exact::<PyFloat>(given).map(|it| Value::Float(it.value())),
        Usual::Tensor(ty) => {
            let tensor = object::peek(object::known_at_once(given.as_borrowed())?);
            ty.has_tensor(tensor).then(|| Value::Tensor(tensor.clone()))
        }
        Usual::Native(structure) => {
            let own = native::held(given)?;
            structure.has(&own).then_some(Value::Native(own))
        }
        Usual::Other => None,
    }
}

impl Host for Caller<'_, '_> {
    #[inline]
    fn accept(&mut self, input: usize) -> Result<Value, GraphError> {
        if FastPath::FunctionInput.is_on()
            && let Some(value) = usual_value(&self.of.inputs[input].usual, &self.args[input])
        {
            FastPath::FunctionInput.taken();
            return Ok(value);
        }
        self.accept_rarely(input)
    }

    #[inline]
    fn number(&mut self, input: usize) -> Option<f64> {
        raw::exact::<PyFloat>(&self.args[input]).map(|it| it.value())
    }

    #[inline]
    fn emit(&mut self, output: usize, value: Value) -> Result<(), GraphError> {
        let object = match value {
            Value::Float(it) => raw::float(self.py, it),
            value => match self.same(output, &value) {
                Some(given) => Ok(given),
                None => match value {
                    Value::Tensor(it) => object::wrap(self.py, it),
                    value => emit(self.py, self.of.function.outputs()[output].ty(), value),
                },
            },
        };
        self.results.push(object.map_err(host)?);
        Ok(())
    }

    fn pass(&mut self, ty: &TypeRef, value: Value) -> Result<Value, GraphError> {
        let object = emit(self.py, ty, value).map_err(host)?;
        accept(ty, &object, Coerce::Strict).map_err(host)
    }

    fn refill(&mut self, ty: &TypeRef, value: Value, old: Value) -> Result<Value, GraphError> {
        let Some(host_type) = ty.downcast::<HostType>() else { return Ok(value) };
        let refilled = || {
            // The old value holds it, and so does this function.
            let is_free = raw::references(&object_of(self.py, &old)?) <= 2;
            let new = object_of(self.py, &value)?;
            if is_free { host_type.refill(&new, &old, Coerce::Strict) } else { Ok(None) }
        };
        Ok(match refilled().map_err(host)? {
            Some(Refilled::Old(value) | Refilled::New(value)) => value,
            None => value,
        })
    }

    #[inline]
    fn observes(&self) -> bool {
        self.of.on_event.is_some()
    }

    fn event(&mut self, event: Event, name: &str) -> Result<(), GraphError> {
        match &self.of.on_event {
            Some(told) => told.bind(self.py).call1((event.name(), name)).map(drop).map_err(host),
            None => Ok(()),
        }
    }

    #[inline]
    fn threshold(&self) -> usize {
        gil::threshold()
    }

    fn released(&mut self, run: &mut (dyn FnMut() + Send)) {
        signals::detached(self.py, run);
    }
}
