//! C code generation for a block.

use std::sync::Arc;

use opwright_jit::cc::{Compiler, LibrarySource, Linked};

use super::error::BlockError;
use super::fragments::Fragments;
use super::hooks::{CHost, ListHook, NodeHook};
use super::layout::{BlockLayout, BlockSettings, VariableRole};
use super::members::BlockMembers;
use super::partition::NodeRun;
use super::writer::{CWriter, quoted};
use super::{body, state};
use crate::model::apply::Apply;
use crate::model::variable::Variable;

/// A source, and what its numbers mean.
pub(super) struct BlockSource {
    pub(super) source: LibrarySource,
    /// What crosses the boundary into the block, in order.
    pub(super) given: Vec<Variable>,
    /// The names of variables and of nodes in the order of their numbers.
    pub(super) names: Vec<String>,
    /// For each failure from 1 on the node, if it is one of a node.
    pub(super) culprits: Vec<Option<Arc<Apply>>>,
    /// Whether something is kept from call to call.
    pub(super) has_state: bool,
}

/// Writes the block of a run.
pub(super) fn write<'a>(
    run: &NodeRun,
    members: &mut BlockMembers<'a>,
    host: &'a dyn CHost,
    settings: &BlockSettings<'_>,
) -> Result<BlockSource, BlockError> {
    let layout = BlockLayout::of(run, members, host, settings)?;
    let released = members.release()?;
    let compiler = members.compiler(settings.compiler)?;
    let setup = host.setup()?;
    let (is_cpp, observed) = (!compiler.is_c, settings.observed);
    let mut block = Fragments { layout, culprits: Vec::new(), is_cpp, observed, released };
    let (text, has_state) = text(&mut block, members, &compiler, settings)?;
    let flags = members.flags(&compiler, &setup.header_dirs)?;
    let libraries = members.asked(ListHook::Libraries, &compiler)?.into_iter();
    let libraries = libraries.map(|it| Linked { name: it.text, asker: it.asker }).collect();
    let versions = members.versions(run)?;
    let source = LibrarySource { text, compiler, flags, libraries, versions, abi: setup.abi };
    let given = block.layout.slots.iter().filter(|it| it.role == VariableRole::Given);
    let given = given.map(|it| it.variable.clone()).collect();
    Ok(BlockSource {
        source,
        given,
        names: block.layout.event_names(),
        culprits: block.culprits,
        has_state,
    })
}

/// The whole source, and whether something is kept from call to call.
fn text(
    block: &mut Fragments,
    members: &BlockMembers<'_>,
    compiler: &Compiler,
    settings: &BlockSettings<'_>,
) -> Result<(String, bool), BlockError> {
    let mut out = CWriter::new();
    let names: Vec<String> =
        block.layout.nodes.iter().map(|it| quoted(&it.node.op().base_name())).collect();
    out.line(format_args!("// {}", names.join(", ")));
    out.line("#define PY_SSIZE_T_CLEAN\n#include <Python.h>");
    out.line(include_str!("block.h"));
    for it in members.asked(ListHook::Headers, compiler)? {
        let named = it.text.starts_with(['<', '"']);
        let file = if named { it.text } else { format!("\"{}\"", it.text) };
        let whose = format!("c_headers of {}", it.asker);
        out.snippet(&whose, &format!("#include {file} /* {} */", it.asker.replace("*/", "")));
    }
    for it in members.asked(ListHook::SupportCode, compiler)? {
        out.snippet(&format!("{}.c_support_code", it.asker), &it.text);
    }
    for at in 0..block.layout.nodes.len() {
        let (whose, text) = block.node_text(members, at, NodeHook::SupportCodeApply, None)?;
        out.snippet(&whose, &text);
    }
    let has_state = state::write(block, &mut out, members)?;
    body::write(block, &mut out, members, settings)?;
    begin(block, &mut out, members, compiler)?;
    entry(block, &mut out);
    Ok((out.into_text(), has_state))
}

/// What is done once per process.
fn begin(
    block: &mut Fragments,
    out: &mut CWriter,
    members: &BlockMembers<'_>,
    compiler: &Compiler,
) -> Result<(), BlockError> {
    out.line("static int opw_once(void) {");
    for it in members.asked(ListHook::InitCode, compiler)? {
        out.enclosed(&format!("{}.c_init_code", it.asker), &it.text);
    }
    for at in 0..block.layout.nodes.len() {
        let (whose, text) = block.node_text(members, at, NodeHook::InitCodeApply, None)?;
        out.enclosed(&whose, &text);
    }
    out.line("return PyErr_Occurred() ? -1 : 0;\n}");
    Ok(())
}

/// What the host calls.
fn entry(block: &Fragments, out: &mut CWriter) {
    out.line(if block.is_cpp { include_str!("entry.cpp") } else { include_str!("entry.c") });
    out.line(include_str!("entry.h"));
}
