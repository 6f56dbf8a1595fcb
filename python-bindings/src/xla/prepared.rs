//! Prepared calls: what a program calls with tensors of these shapes, without what they hold.

use std::collections::HashMap;
use std::sync::Arc;

use opwright_graph::{GraphError, Host};
use opwright_runtime::lock::Lock;
use opwright_runtime::op::Value;
use opwright_runtime::{Error, Result, Tensor, fail};
use pyo3::prelude::*;

use super::arguments::OperatorCall;
use super::results::write;
use crate::graph::function::PyFunction;

/// What a program calls.
pub(super) enum PreparedCall {
    Operator(OperatorCall),
    /// A graph, such as that of a gradient.
    Function(Py<PyFunction>),
}

/// By what programs have of them: nothing for one that was found not to do.
type PreparedCalls = HashMap<Vec<u8>, Option<Arc<PreparedCall>>>;

static PREPARED: Lock<Option<PreparedCalls>> = Lock::new(None);

/// More are not kept: each program has a few.
const MOST: usize = 1 << 12;

impl PreparedCall {
    /// That of a key, which [`CallFrame::key`](super::frame::CallFrame::key) makes.
    pub(super) fn find(key: &[u8]) -> Option<Arc<PreparedCall>> {
        PREPARED.lock().as_ref()?.get(key)?.clone()
    }

    /// Keeps it for a key that has none.
    pub(super) fn keep(self, key: Vec<u8>) {
        let this = Some(Arc::new(self));
        let mut prepared = PREPARED.lock();
        let all = prepared.get_or_insert_default();
        let rest = if all.len() < MOST && !all.contains_key(&key) {
            all.insert(key, this)
        } else {
            Some(this)
        };
        drop(prepared);
        drop(rest);
    }

    /// Has calls of a key go to the interpreter from now on.
    pub(super) fn refuse(key: Vec<u8>) {
        let before = PREPARED.lock().as_mut().map(|it| it.insert(key, None));
        drop(before);
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
                    Err(_) => fail!(Runtime, "a graph reports an error"),
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
