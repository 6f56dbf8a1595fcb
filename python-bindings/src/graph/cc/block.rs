//! Nodes that run blocks.

use std::cell::RefCell;
use std::ffi::{c_int, c_void};
use std::fmt;
use std::ptr::null;
use std::sync::Arc;
use std::thread::{self, ThreadId};

use opwright_graph::cc::{Block, CObserver};
use opwright_graph::{Apply, Custom, GraphError, Results};
use opwright_runtime::lock::{self, Lock};
use opwright_runtime::op::Value;
use opwright_runtime::types::{Coerce, TypeRef};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::super::apply::PyApply;
use super::super::boxing::{accept, emit};
use super::super::failure::host as failed;
use super::super::host_type::HostType;
use super::options::BlockOptions;
use super::tensor::HOST;
use crate::raw;

/// A block, with what it keeps from call to call.
pub(super) struct CBlock {
    pub(super) block: Block,
    state: State,
    on_event: Option<Py<PyAny>>,
    /// Whether its code is looked at when it runs.
    verifies: bool,
    turns: Turns,
    /// The lists of the results, if their objects are used again.
    kept: Option<Lock<Vec<Py<PyList>>>>,
}

/// What a block's library made for a function.
struct State(*mut c_void);

// SAFETY: the state is passed to its library only, while Python's lock is held.
unsafe impl Send for State {}
// SAFETY: blocks whose state is written to run one at a time, which `Turns` sees to.
unsafe impl Sync for State {}

impl CBlock {
    /// Does what the block's members do once, and makes its state.
    ///
    /// # Errors
    ///
    /// What their code raises.
    pub(super) fn new(
        py: Python<'_>,
        block: Block,
        options: &BlockOptions<'_>,
    ) -> PyResult<CBlock> {
        // SAFETY: Python's lock is held, and the table is constant.
        let state = unsafe { block.library().start(&HOST) };
        if state.is_null() {
            return Err(unexplained(py));
        }
        Ok(CBlock {
            block,
            state: State(state),
            on_event: options.on_event.as_ref().map(|it| it.clone().unbind()),
            verifies: options.verifies,
            turns: Turns::default(),
            kept: options.reuse_outputs.then(Lock::default),
        })
    }

    pub(super) fn text(&self) -> &str {
        self.block.text()
    }

    /// Runs it with these objects for its inputs, and notes what it tells.
    pub(super) fn called(
        &self,
        py: Python<'_>,
        node: &Apply,
        given: Vec<Bound<'_, PyAny>>,
        seen: Option<&Seen>,
    ) -> PyResult<Results> {
        let mut lists = Vec::with_capacity(given.len() + node.outputs().len());
        for object in given {
            lists.push(PyList::new(py, [object])?);
        }
        let results = self.storages(py, node.outputs().len())?;
        lists.extend(results.iter().cloned());
        let _turn = if self.block.has_state() { Some(self.turns.take(py)?) } else { None };
        let done = self.run(py, &lists, seen);
        if done.is_err() {
            for list in &results {
                list.set_item(0, py.None())?;
            }
        }
        done?;
        let outputs = node.outputs().iter().zip(&results);
        let values = outputs.map(|(output, list)| made(output.ty(), &list.get_item(0)?));
        let values = values.collect::<PyResult<Results>>()?;
        if let Some(kept) = &self.kept {
            let mut kept = kept.lock();
            *kept = results.into_iter().map(Bound::unbind).collect();
        }
        Ok(values)
    }

    /// A list of one object for each result: None, or that of the last call if nobody holds it.
    fn storages<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Vec<Bound<'py, PyList>>> {
        let last = self.kept.as_ref().map(|it| std::mem::take(&mut *it.lock()));
        let mut lists = Vec::with_capacity(count);
        for list in last.into_iter().flatten() {
            let list = list.into_bound(py);
            let object = list.get_item(0)?;
            // The list holds it, and so does this function.
            if raw::references(&object) > 2 {
                list.set_item(0, py.None())?;
            }
            lists.push(list);
        }
        while lists.len() < count {
            lists.push(PyList::new(py, [py.None()])?);
        }
        Ok(lists)
    }

    fn run(
        &self,
        py: Python<'_>,
        lists: &[Bound<'_, PyList>],
        seen: Option<&Seen>,
    ) -> PyResult<()> {
        let mut storage: Vec<*mut c_void> = lists.iter().map(|it| it.as_ptr().cast()).collect();
        let context = Told { block: &self.block, on_event: self.on_event.as_ref(), seen };
        let observer = CObserver { event: tell, context: (&raw const context).cast_mut().cast() };
        let is_told = self.on_event.is_some() || seen.is_some();
        let observer = if is_told { &raw const observer } else { null() };
        // SAFETY: Python's lock is held, the state is the library's, there is a list for each
        // variable that crosses the boundary, and the observer outlives the call.
        let failure =
            unsafe { self.block.library().run(self.state.0, storage.as_mut_ptr(), observer) };
        match PyErr::take(py) {
            None if failure == 0 => Ok(()),
            Some(error) => Err(self.explained(py, error, failure)),
            None => Err(self.explained(py, unexplained(py), failure)),
        }
    }

    /// An exception with the node that raised it.
    #[cold]
    fn explained(&self, py: Python<'_>, error: PyErr, failure: i32) -> PyErr {
        let Some(node) = self.block.failed(failure) else { return error };
        let place = node.place().map_or_else(String::new, |it| format!("\n  built at {it}"));
        let note = format!("in the C code of {node}{place}");
        let value = error.value(py);
        // What cannot be said more is left out.
        let _ = value.call_method1("add_note", (note,));
        if let Ok(object) = PyApply::object(py, node) {
            let _ = value.setattr("__opwright_node__", object);
        }
        error
    }
}

/// The values of a node's inputs as objects.
pub(super) fn objects<'py>(
    py: Python<'py>,
    node: &Apply,
    inputs: &[Value],
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let pairs = node.inputs().iter().zip(inputs);
    pairs.map(|(variable, value)| emit(py, variable.ty(), value.clone())).collect()
}

/// An object that a block made, as a value.
fn made(ty: &TypeRef, object: &Bound<'_, PyAny>) -> PyResult<Value> {
    match ty.downcast::<HostType>() {
        // As the type's own code left it.
        Some(it) => Ok(it.value(object.clone())),
        None => accept(ty, object, Coerce::Strict),
    }
}

#[cold]
fn unexplained(py: Python<'_>) -> PyErr {
    PyErr::take(py)
        .unwrap_or_else(|| PyRuntimeError::new_err("a block of C failed without an exception"))
}

/// The events of a call, each with the number of its variable or node.
pub(super) type Seen = RefCell<Vec<(c_int, c_int)>>;

/// What the callback of a call needs.
struct Told<'a> {
    block: &'a Block,
    on_event: Option<&'a Py<PyAny>>,
    seen: Option<&'a Seen>,
}

/// Tells what happens; −1 if that raised, and nothing had before.
unsafe extern "C" fn tell(context: *mut c_void, what: c_int, which: c_int) -> c_int {
    Python::attach(|py| {
        // SAFETY: the context is what `CBlock::run` passed, which waits for the block.
        let told = unsafe { &*context.cast::<Told<'_>>() };
        if let Some(seen) = told.seen {
            seen.borrow_mut().push((what, which));
        }
        let (Some((event, name)), Some(on_event)) = (told.block.event(what, which), told.on_event)
        else {
            return 0;
        };
        let before = PyErr::take(py);
        let answer = on_event.bind(py).call1((event.name(), name));
        match (before, answer) {
            (Some(before), _) => {
                before.restore(py);
                0
            }
            (None, Ok(_)) => 0,
            (None, Err(error)) => {
                error.restore(py);
                -1
            }
        }
    })
}

impl Drop for CBlock {
    fn drop(&mut self) {
        Python::attach(|py| {
            let before = PyErr::take(py);
            // SAFETY: Python's lock is held, and nobody runs what is dropped.
            unsafe { self.block.library().destroy(self.state.0) };
            if let Some(error) = PyErr::take(py) {
                error.write_unraisable(py, None);
            }
            if let Some(before) = before {
                before.restore(py);
            }
        });
    }
}

impl fmt::Display for CBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("c")
    }
}

impl Custom for CBlock {
    fn same(&self, other: &dyn Custom) -> bool {
        other.downcast::<CBlock>().is_some_and(|it| std::ptr::eq(it, self))
    }

    fn perform(&self, node: &Arc<Apply>, inputs: &[Value]) -> Result<Results, GraphError> {
        Python::attach(|py| {
            if self.verifies {
                return self.verified(py, node, inputs);
            }
            let given = objects(py, node, inputs).map_err(failed)?;
            self.called(py, node, given, None).map_err(failed)
        })
    }

    fn tells(&self) -> bool {
        true
    }

    fn is_held(&self) -> bool {
        true
    }

    fn settings(&self) -> Vec<(String, String)> {
        let names: Vec<String> = self.block.nodes().iter().map(|it| it.op().base_name()).collect();
        vec![("nodes".to_owned(), names.join(" "))]
    }
}

/// One call at a time.
#[derive(Default)]
struct Turns {
    turn: lock::Turn,
    running: Lock<Option<ThreadId>>,
}

/// The turn of a call.
struct Turn<'a> {
    of: &'a Turns,
    _taken: lock::Taken<'a>,
}

impl Turns {
    /// Waits until no other thread runs the block; Python goes on meanwhile.
    fn take(&self, py: Python<'_>) -> PyResult<Turn<'_>> {
        let own = thread::current().id();
        if *self.running.lock() == Some(own) {
            return Err(PyRuntimeError::new_err(
                "a block of C that keeps something from call to call calls itself",
            ));
        }
        let taken = py.detach(|| self.turn.take());
        *self.running.lock() = Some(own);
        Ok(Turn { of: self, _taken: taken })
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        // Before the turn is over, which it is when its field is dropped.
        *self.of.running.lock() = None;
    }
}
