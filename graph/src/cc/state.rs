//! The state of a block: a structure that holds what nodes keep from call to call.

use super::error::BlockError;
use super::fragments::Fragments;
use super::hooks::{NodeHook, Sub};
use super::members::BlockMembers;
use super::writer::CWriter;

/// What nodes keep from call to call: a structure with its beginning and its end.
/// Whether there is anything.
pub(super) fn write(
    block: &mut Fragments,
    out: &mut CWriter,
    members: &BlockMembers<'_>,
) -> Result<bool, BlockError> {
    let struct_id = |at: usize| at.to_string();
    let mut members_text = Vec::new();
    for at in 0..block.layout.nodes.len() {
        let sub = Sub::default().with("struct_id", struct_id(at));
        members_text.push(block.node_text(members, at, NodeHook::SupportCodeStruct, Some(sub))?);
    }
    out.line("struct opw_state {\n  int opw_entered;");
    for (whose, text) in &members_text {
        out.snippet(whose, text);
    }
    if block.is_cpp {
        out.line("  int opw_begin();\n  void opw_end();");
        out.line("  int opw_block(PyObject** storage, const struct opw_observer* opw_observed);");
    }
    out.line("};");
    let mut has_state = members_text.iter().any(|(_, text)| !text.trim().is_empty());
    block.function(out, "int", "opw_begin", "");
    out.line("  int opw_failure = 0;\n  (void)self;");
    for at in 0..block.layout.nodes.len() {
        let (sub, _) = block.node_sub(at, Some("opw_left"));
        let sub = sub.with("struct_id", struct_id(at));
        let (whose, text) = block.node_text(members, at, NodeHook::InitCodeStruct, Some(sub))?;
        has_state |= !text.trim().is_empty();
        out.enclosed(&whose, &text);
        out.line(format_args!("self->opw_entered = {};", at + 1));
    }
    out.line("goto opw_left;\nopw_left: (void)0;\n  return opw_failure;\n}");
    block.function(out, "void", "opw_end", "");
    out.line("  int opw_failure = 0;\n  (void)self; (void)opw_failure;");
    for at in (0..block.layout.nodes.len()).rev() {
        let (sub, id) = block.node_sub(at, None);
        let sub = sub.with("struct_id", struct_id(at));
        let (whose, text) = block.node_text(members, at, NodeHook::CleanupCodeStruct, Some(sub))?;
        has_state |= !text.trim().is_empty();
        out.line(format_args!("if (self->opw_entered > {at}) {{"));
        out.enclosed(&whose, &text);
        out.line(format_args!("}}\ngoto opw_label_{id};\nopw_label_{id}: (void)0;"));
    }
    out.line("}");
    Ok(has_state)
}
