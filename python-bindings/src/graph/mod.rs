//! Graphs in Python: variables, nodes, and functions made of them.

mod apply;
mod arguments;
mod boxing;
mod build;
mod call_site;
mod caller;
#[cfg_attr(not(feature = "cc"), path = "without_cc.rs")]
mod cc;
#[cfg(feature = "jit")]
mod compiled;
mod failure;
pub(crate) mod function;
mod grad;
mod hook;
mod host_op;
mod host_struct;
mod host_type;
mod index;
#[cfg(feature = "ops")]
mod instructions;
mod interned_types;
mod memory;
mod method_proxy;
mod objects;
mod pickle;
mod read;
mod rewrite;
mod rows;
mod shared;
mod tensor_members;
mod type_object;
mod variable;
mod walks;

use pyo3::prelude::*;
use pyo3::types::PyModule;

use crate::call::hooks::CallHooks;
use crate::call::tables::Tables;
use crate::object::hooks::ObjectHooks;

/// What variables add to the handling of objects.
pub(crate) static OBJECT_HOOKS: ObjectHooks = ObjectHooks {
    object: "variable",
    number_hint: "variables of numbers have methods in its place",
    kinds: variable::kinds,
    describe: method_proxy::described,
    is_method_proxy: method_proxy::is_receiver,
    accept: boxing::accept,
    emit: boxing::emit,
};

/// What they add to calls.
pub(crate) static CALL_HOOKS: CallHooks = CallHooks {
    call: build::call,
    #[cfg(feature = "jit")]
    compiled: compiled::call,
    operands: method_proxy::operands,
};

/// Adds the classes, as `_C._graph`.
///
/// # Errors
///
/// Whatever making a class raises.
pub(crate) fn add(module: &Bound<'_, PyModule>, tables: &'static Tables) -> PyResult<()> {
    let py = module.py();
    let path = format!("{}._graph", module.name()?);
    let home = PyModule::new(py, &path)?;
    type_object::add(&home)?;
    variable::methods::add(&home, tables)?;
    apply::add(&home)?;
    function::add(&home)?;
    walks::add(&home)?;
    shared::add(&home)?;
    rewrite::add(&home)?;
    home.add("CompileError", py.get_type::<failure::CompileError>())?;
    cc::add(&home)?;
    grad::add(&home)?;
    pickle::add(&home)?;
    // PyO3's list of what was added, which stubs do not have.
    home.delattr("__all__")?;
    #[cfg(feature = "ops")]
    instructions::add();
    module.setattr("_graph", &home)?;
    py.import("sys")?.getattr("modules")?.set_item(path, home)
}
