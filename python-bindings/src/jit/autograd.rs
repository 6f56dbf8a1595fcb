//! Autograd of compiled calls: arguments that require gradients, and tensors that are
//! written to.

use opwright_jit::entry::Owner;
use opwright_jit::ir::Program;
use opwright_runtime::autograd::{check_in_place, check_writable, is_recording};
use opwright_runtime::tensor::has_internal_overlap;
use opwright_runtime::{KeySet, Result, Tensor, ensure};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::arrays::Arguments;
use super::dispatcher::Dispatcher;
use crate::object;

/// Prepares a call whose program writes to arguments, or one of whose arguments requires gradients.
/// If it is recorded, it was called: then its result.
pub(super) fn before_call<'py>(
    dispatcher: &Bound<'py, Dispatcher>,
    args: &[Bound<'py, PyAny>],
    program: &Program,
    words: &[u64],
    arguments: &Arguments<'py>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let is_recorded = arguments.requires_grad && is_recording();
    if !program.mutated.is_empty() {
        let mutated: Vec<&Tensor> =
            program.mutated.iter().filter_map(|at| tensor(words[*at], arguments)).collect();
        count_writes(&dispatcher.get().name, &mutated, is_recorded)
            .map_err(|error| crate::object::failure::exception(&error))?;
    }
    if is_recorded { recorded(dispatcher, args).map(Some) } else { Ok(None) }
}

/// The tensor of an owner, if it is an argument that is one.
fn tensor<'a>(owner: u64, arguments: &'a Arguments<'_>) -> Option<&'a Tensor> {
    let Owner::Argument(at) = Owner::of(owner) else { return None };
    object::tensor_of(&arguments.list.get(at)?.0)
}

/// Counts that these tensors are written to, as operators that work in place do.
fn count_writes(name: &str, mutated: &[&Tensor], is_recorded: bool) -> Result<()> {
    for tensor in mutated {
        check_writable(KeySet::EMPTY.with_tensor(tensor), tensor)?;
        check_in_place(tensor, false, name)?;
        ensure!(
            !has_internal_overlap(tensor),
            Runtime,
            "`{name}` writes to a tensor more than one element of which refers to a single memory \
             location, such as one that was expanded; write to a clone() of it"
        );
        ensure!(
            !is_recorded,
            Runtime,
            "`{name}` writes to an argument, which is not recorded, and an argument requires \
             gradients; call it under no_grad(), or return what it writes"
        );
    }
    mutated.iter().for_each(|it| it.bump_version());
    Ok(())
}

/// Calls a function by the gradients that are registered for it.
#[cold]
fn recorded<'py>(
    dispatcher: &Bound<'py, Dispatcher>,
    args: &[Bound<'py, PyAny>],
) -> PyResult<Bound<'py, PyAny>> {
    let py = dispatcher.py();
    let module = py.import(format!("{}._jit.gradients", crate::object::package::name()))?;
    module.call_method1("recorded", (dispatcher, PyTuple::new(py, args)?))
}
