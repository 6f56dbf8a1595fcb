//! The function of a block: scopes of variables around the code of nodes, closed in reverse.

use opwright_runtime::op::Value;

use super::check::{Declarations, From};
use super::error::BlockError;
use super::fragments::Fragments;
use super::hooks::{NodeHook, TypeHook};
use super::layout::{BlockSettings, BlockVariable, VariableRole};
use super::members::BlockMembers;
use super::writer::{CWriter, quoted};
use crate::Event;

/// The block itself.
pub(super) fn write(
    block: &mut Fragments,
    out: &mut CWriter,
    members: &BlockMembers<'_>,
    settings: &BlockSettings<'_>,
) -> Result<(), BlockError> {
    let parameters = "PyObject** storage, const struct opw_observer* opw_observed";
    block.function(out, "int", "opw_block", parameters);
    out.line("  int opw_failure = 0;\n  (void)self; (void)opw_observed; (void)storage;");
    storages(block, out);
    let mut declarations = Declarations::default();
    let mut entered = Vec::new();
    for slot in 0..block.layout.slots.len() {
        let id = enter(block, out, members, slot, settings, &mut declarations)?;
        entered.push(id);
    }
    code(block, out, members)?;
    let mut labels = Vec::new();
    out.line("if (!opw_failure) {");
    for slot in block.layout.synced.clone() {
        labels.push(sync(block, out, members, slot)?);
    }
    out.line("}");
    for id in labels {
        out.line(format_args!("goto opw_label_{id};\nopw_label_{id}: (void)0;"));
    }
    for slot in (0..block.layout.slots.len()).rev() {
        leave(block, out, members, slot, entered[slot])?;
    }
    for slot in &block.layout.synced {
        out.line(format_args!("Py_XDECREF(py_{});", block.layout.slots[*slot].name));
    }
    out.line("return opw_failure;\n}");
    Ok(())
}

/// The object of each variable, and the list that holds it.
fn storages(block: &Fragments, out: &mut CWriter) {
    let mut crossing = 0..;
    let mut next = || crossing.next().unwrap_or_default();
    for it in block.layout.slots.iter().filter(|it| it.role == VariableRole::Given) {
        let (name, at) = (&it.name, next());
        out.line(format_args!("  PyObject* storage_{name} = storage[{at}];"));
        out.line(format_args!("  PyObject* py_{name} = PyList_GET_ITEM(storage_{name}, 0);"));
        out.line(format_args!("  (void)storage_{name}; (void)py_{name};"));
    }
    for slot in &block.layout.synced {
        let (name, at) = (&block.layout.slots[*slot].name, next());
        out.line(format_args!("  PyObject* storage_{name} = storage[{at}];"));
        out.line(format_args!("  PyObject* py_{name} = PyList_GET_ITEM(storage_{name}, 0);"));
        out.line(format_args!("  Py_XINCREF(py_{name});"));
    }
    for it in block.layout.slots.iter().filter(|it| it.role == VariableRole::Inner) {
        let name = &it.name;
        out.line(format_args!("  PyObject* storage_{name} = NULL; PyObject* py_{name} = Py_None;"));
        out.line(format_args!("  (void)storage_{name}; (void)py_{name};"));
    }
}

/// Opens the scope of a variable: declared, then set.
fn enter(
    block: &mut Fragments,
    out: &mut CWriter,
    members: &BlockMembers<'_>,
    slot: usize,
    settings: &BlockSettings<'_>,
    declarations: &mut Declarations,
) -> Result<usize, BlockError> {
    let (sub, id) = block.slot_sub(slot, None);
    let label = format!("opw_label_{id}");
    let role = block.layout.slots[slot].role;
    let shown = block.layout.slots[slot].variable.to_string().replace("*/", "").replace('\n', " ");
    out.line(format_args!("{{ /* {shown} */"));
    let (whose, text) = block.slot_text(members, slot, TypeHook::Declare, &sub)?;
    let BlockVariable { ty, name, .. } = &block.layout.slots[slot];
    let class = members.at(*ty).class();
    let from = From { class: &class, hook: TypeHook::Declare.name() };
    let fail = sub.get("fail").unwrap_or_default();
    declarations.add(&from, name, &text, fail, members.at(*ty).is_simple()?)?;
    out.snippet(&whose, &text);
    let (hook, event) = match role {
        VariableRole::Given => (TypeHook::Extract, Event::Extract),
        VariableRole::Output if settings.reuse_outputs => (TypeHook::ExtractOut, Event::Extract),
        VariableRole::Output | VariableRole::Inner => (TypeHook::Init, Event::Init),
    };
    block.tell(out, event, slot, id, &label);
    let (whose, text) = block.slot_text(members, slot, hook, &sub)?;
    out.enclosed(&whose, &text);
    Ok(id)
}

/// The code of all nodes, each around what follows it, and what follows each.
fn code(
    block: &mut Fragments,
    out: &mut CWriter,
    members: &BlockMembers<'_>,
) -> Result<(), BlockError> {
    if block.released {
        out.line("{ PyThreadState* opw_released = PyEval_SaveThread();");
    }
    let mut behind = Vec::new();
    let mut around = "opw_uncoded".to_owned();
    for at in 0..block.layout.nodes.len() {
        let (sub, id) = block.node_sub(at, None);
        let name = quoted(&block.layout.nodes[at].node.op().base_name()).replace("*/", "");
        if !block.released {
            // Outside of the node's scope: nobody may jump over what its code declares.
            block.tell(out, Event::Code, block.layout.slots.len() + at, id, &around);
        }
        around = format!("opw_label_{id}");
        out.line(format_args!("{{ /* {name} */"));
        let (whose, text) = block.node_text(members, at, NodeHook::Code, Some(sub))?;
        out.snippet(&whose, &text);
        behind.push((at, id));
    }
    for (at, id) in behind.into_iter().rev() {
        let (sub, end) = block.node_sub(at, None);
        out.line(format_args!("goto opw_label_{id};\nopw_label_{id}: (void)0;"));
        let (whose, text) = block.node_text(members, at, NodeHook::CodeCleanup, Some(sub))?;
        out.snippet(&whose, &text);
        out.line(format_args!("goto opw_label_{end};\nopw_label_{end}: (void)0;"));
        out.line("}");
    }
    out.line("goto opw_uncoded;\nopw_uncoded: (void)0;");
    if block.released {
        out.line("PyEval_RestoreThread(opw_released); }");
        out.line(
            "if (opw_failure && !PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, \"a node \
             failed without an exception\");",
        );
    }
    Ok(())
}

fn sync(
    block: &mut Fragments,
    out: &mut CWriter,
    members: &BlockMembers<'_>,
    slot: usize,
) -> Result<usize, BlockError> {
    let (sub, id) = block.slot_sub(slot, None);
    block.tell(out, Event::Sync, slot, id, &format!("opw_label_{id}"));
    let (whose, text) = block.slot_text(members, slot, TypeHook::Sync, &sub)?;
    out.enclosed(&whose, &text);
    let BlockVariable { variable, ty, name, .. } = &block.layout.slots[slot];
    let hook = quoted(&format!("{}.c_sync of {name}", members.at(*ty).class()));
    let has_none = i32::from(variable.ty().has(&Value::None));
    out.line(format_args!(
        "if (!opw_check_synced(py_{name}, {has_none}, \"{hook}\")) \
         {{ opw_failure = {id}; goto opw_label_{id}; }}"
    ));
    out.line(format_args!(
        "{{ PyObject* opw_old = PyList_GET_ITEM(storage_{name}, 0); Py_INCREF(py_{name}); \
         PyList_SET_ITEM(storage_{name}, 0, py_{name}); Py_XDECREF(opw_old); }}"
    ));
    Ok(id)
}

/// Closes the scope of a variable.
fn leave(
    block: &mut Fragments,
    out: &mut CWriter,
    members: &BlockMembers<'_>,
    slot: usize,
    id: usize,
) -> Result<(), BlockError> {
    let (sub, end) = block.slot_sub(slot, None);
    out.line(format_args!("goto opw_label_{id};\nopw_label_{id}: (void)0;"));
    block.tell(out, Event::Cleanup, slot, id, &format!("opw_label_{id}_told"));
    if block.observed {
        out.line(format_args!("goto opw_label_{id}_told;\nopw_label_{id}_told: (void)0;"));
    }
    let (whose, text) = block.slot_text(members, slot, TypeHook::Cleanup, &sub)?;
    out.enclosed(&whose, &text);
    out.line(format_args!("goto opw_label_{end};\nopw_label_{end}: (void)0;"));
    out.line("}");
    Ok(())
}
