//! Prepared calls: what a program calls with tensors of these shapes, without what they hold.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

use opwright_graph::{GraphError, Host};
use opwright_runtime::lock::Lock;
use opwright_runtime::op::Value;
use opwright_runtime::{Error, Result, Tensor, fail};
use pyo3::prelude::*;

use super::arguments::OperatorCall;
use super::results::write;
use crate::graph::function::PyFunction;
use crate::object::gil;

/// What a program calls.
pub(super) enum PreparedCall {
    Operator(OperatorCall),
    /// A graph, such as that of a gradient.
    Function(Py<PyFunction>),
}

/// In two generations: a call that is made moves to the recent one, which takes the place of the older
/// one when it is full.
#[derive(Default)]
struct PreparedCalls {
    recent: Generation,
    older: Generation,
}

/// By what programs have of them: nothing for one that was found not to do.
type Generation = HashMap<Vec<u8>, Option<Arc<PreparedCall>>>;

static PREPARED: Lock<Option<PreparedCalls>> = Lock::new(None);

/// So many kinds of calls are kept, those that were made last, and up to twice as many in all.
const GENERATION_SIZE: usize = 1 << 12;

impl PreparedCalls {
    /// Inserts a call among the recent ones.
    fn insert(&mut self, key: Vec<u8>, call: Option<Arc<PreparedCall>>) -> Evicted {
        let is_full = self.recent.len() == GENERATION_SIZE && !self.recent.contains_key(&key);
        let generation =
            is_full.then(|| mem::replace(&mut self.older, mem::take(&mut self.recent)));
        Evicted { generation, replaced: self.recent.insert(key, call).flatten() }
    }
}

/// What went for a call; it may hold objects of Python, and is released when nothing is locked.
#[must_use]
struct Evicted {
    generation: Option<Generation>,
    replaced: Option<Arc<PreparedCall>>,
}

impl Evicted {
    fn release(self) {
        if self.generation.is_some() || self.replaced.is_some() {
            gil::attached(|_| drop(self));
        }
    }
}

impl PreparedCall {
    /// That of a key, which [`CallFrame::key`](super::frame::CallFrame::key) makes.
    ///
    /// It is there until it is [released](PreparedCall::release), even if it is evicted meanwhile.
    pub(super) fn find(key: &[u8]) -> Option<Arc<PreparedCall>> {
        let mut prepared = PREPARED.lock();
        let all = prepared.as_mut()?;
        if let Some(call) = all.recent.get(key) {
            return call.clone();
        }
        let (key, call) = all.older.remove_entry(key)?;
        let evicted = all.insert(key, call.clone());
        drop(prepared);
        evicted.release();
        call
    }

    /// Keeps it for a key that has none.
    pub(super) fn keep(self, key: Vec<u8>) {
        let this = Some(Arc::new(self));
        let mut prepared = PREPARED.lock();
        let all = prepared.get_or_insert_default();
        if !all.recent.contains_key(&key) && !all.older.contains_key(&key) {
            let evicted = all.insert(key, this);
            drop(prepared);
            evicted.release();
        }
    }

    /// Has calls of a key go to the interpreter from now on.
    pub(super) fn refuse(key: Vec<u8>) {
        let evicted = PREPARED.lock().as_mut().map(|it| it.insert(key, None));
        if let Some(evicted) = evicted {
            evicted.release();
        }
    }

    /// Lets go of one that was found; it may be the last that has it.
    pub(super) fn release(self: Arc<Self>) {
        if let Some(this) = Arc::into_inner(self) {
            gil::attached(|_| drop(this));
        }
    }

    /// Makes the call, and writes the results.
    ///
    /// Whether all could be written: they are tensors of the dtypes that are wanted, or of more bits.
    ///
    /// # Errors
    ///
    /// What an operator reports.
    pub(super) fn run(&self, inputs: &[Tensor], outputs: &mut [Tensor]) -> Result<bool> {
        match self {
            PreparedCall::Operator(call) => call.run(inputs, outputs),
            PreparedCall::Function(function) => {
                let mut caller = ProgramCaller { inputs, outputs, is_written: true };
                match function.get().function.call(&mut caller) {
                    Ok(()) => Ok(caller.is_written),
                    Err(error) => {
                        gil::attached(|_| drop(error));
                        fail!(Runtime, "a graph reports an error")
                    }
                }
            }
        }
    }
}

/// A program that calls a graph.
struct ProgramCaller<'a> {
    inputs: &'a [Tensor],
    outputs: &'a mut [Tensor],
    is_written: bool,
}

impl Host for ProgramCaller<'_> {
    fn accept(&mut self, input: usize) -> std::result::Result<Value, GraphError> {
        let tensor = self.inputs.get(input);
        let missing = || Error::runtime(format_args!("input {input} of a graph is missing"));
        Ok(Value::Tensor(tensor.ok_or_else(missing)?.clone()))
    }

    fn emit(&mut self, output: usize, value: Value) -> std::result::Result<(), GraphError> {
        self.is_written &= match self.outputs.get_mut(output) {
            Some(output) => write(&value, output)?,
            None => false,
        };
        Ok(())
    }
}
