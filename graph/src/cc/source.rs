//! C code generation for a block.

use std::sync::Arc;

use opwright_jit::cc::{Compiler, LibrarySource, Linked};
use opwright_runtime::op::Value;

use super::check::{self, Declarations, From};
use super::error::BlockError;
use super::hooks::{CHost, ListHook, NodeHook, NodeNames, Sub, TypeHook};
use super::members::BlockMembers;
use super::partition::NodeRun;
use super::writer::{CWriter, quoted};
use crate::Event;
use crate::model::apply::Apply;
use crate::model::variable::Variable;
use crate::run::plan::names;

/// How blocks are made.
#[derive(Clone, Copy, Debug)]
pub struct BlockSettings<'a> {
    /// A block for each node, instead of one for as many as can be.
    pub per_op: bool,
    /// Whether values are looked at where they enter.
    pub check_input: bool,
    /// Whether somebody is told what happens.
    pub observed: bool,
    /// Whether results are put where those of the last call are.
    pub reuse_outputs: bool,
    /// The compiler, unless a member asks for one.
    pub compiler: Option<&'a str>,
}

impl Default for BlockSettings<'_> {
    fn default() -> Self {
        BlockSettings {
            per_op: false,
            check_input: true,
            observed: false,
            reuse_outputs: false,
            compiler: None,
        }
    }
}

/// A source, and what its numbers mean.
pub(super) struct BlockSource {
    pub(super) source: LibrarySource,
    /// What crosses the border into the block, in order.
    pub(super) given: Vec<Variable>,
    /// The names of variables and of nodes in the order of their numbers.
    pub(super) names: Vec<String>,
    /// For each failure from 1 on the node, if it is one of a node.
    pub(super) culprits: Vec<Option<Arc<Apply>>>,
    /// Whether something is kept from call to call.
    pub(super) has_state: bool,
}

/// What blocks tell, by number.
pub(super) const EVENTS: [Event; 5] =
    [Event::Extract, Event::Init, Event::Code, Event::Sync, Event::Cleanup];

#[derive(Clone, Copy, PartialEq, Eq)]
enum VariableRole {
    Given,
    Inner,
    Output,
}

struct BlockVariable {
    variable: Variable,
    role: VariableRole,
    /// Its place among the types of the block.
    ty: usize,
    checked: bool,
    /// What the writers of code call it.
    name: String,
}

struct BlockNode {
    node: Arc<Apply>,
    names: NodeNames,
    params: Option<String>,
}

/// Writes the block of a run.
pub(super) fn write<'a>(
    run: &NodeRun,
    members: &mut BlockMembers<'a>,
    host: &'a dyn CHost,
    settings: &BlockSettings<'_>,
) -> Result<BlockSource, BlockError> {
    let mut block = BlockWriter::laid_out(run, members, host, settings)?;
    let compiler = members.compiler(settings.compiler)?;
    let setup = host.setup()?;
    let text = block.text(members, &compiler, settings)?;
    let flags = members.flags(&compiler, &setup.header_dirs)?;
    let libraries = members.asked(ListHook::Libraries, &compiler)?.into_iter();
    let libraries = libraries.map(|it| Linked { name: it.text, asker: it.asker }).collect();
    let versions = members.versions(run)?;
    let source = LibrarySource { text, compiler, flags, libraries, versions, abi: setup.abi };
    let given = block.slots.iter().filter(|it| it.role == VariableRole::Given);
    let given = given.map(|it| it.variable.clone()).collect();
    Ok(BlockSource {
        source,
        given,
        names: block.event_names(),
        culprits: block.culprits,
        has_state: block.has_state,
    })
}

/// A block in progress.
struct BlockWriter {
    slots: Vec<BlockVariable>,
    nodes: Vec<BlockNode>,
    /// The slots of the results, in the order in which they are handed out.
    synced: Vec<usize>,
    culprits: Vec<Option<Arc<Apply>>>,
    has_state: bool,
    is_cpp: bool,
    observed: bool,
    released: bool,
}

impl BlockWriter {
    /// Names for variables and nodes.
    fn laid_out<'a>(
        run: &NodeRun,
        members: &mut BlockMembers<'a>,
        host: &'a dyn CHost,
        settings: &BlockSettings<'_>,
    ) -> Result<BlockWriter, BlockError> {
        let mut slots = Vec::new();
        let mut literals: Vec<(Variable, String)> = Vec::new();
        let mut checks = Vec::new();
        for op in &members.ops {
            checks.push(op.checks_input()?);
        }
        let mut enter = |variable: &Variable, role, members: &mut BlockMembers<'a>| {
            let ty = members.ty(variable.ty(), host)?;
            if let Some(value) = variable.as_constant()
                && let Some(text) = members.at(ty).literal(value)?
            {
                literals.push((variable.clone(), format!("({text})")));
                return Ok::<_, BlockError>(());
            }
            let used =
                run.nodes.iter().zip(&checks).filter(|(it, _)| it.inputs().contains(variable));
            let mut used = used.map(|(_, checks)| *checks).peekable();
            let checked = settings.check_input && (used.peek().is_none() || used.any(|it| it));
            let name = format!("V{}", slots.len());
            slots.push(BlockVariable { variable: variable.clone(), role, ty, checked, name });
            Ok(())
        };
        for it in &run.given {
            enter(it, VariableRole::Given, members)?;
        }
        let mut params = Vec::new();
        for at in 0..members.ops.len() {
            let own = members.ops[at].params(&run.nodes[at])?;
            if let Some(it) = &own {
                enter(it, VariableRole::Given, members)?;
            }
            params.push(own);
        }
        for result in run.nodes.iter().flat_map(Apply::results) {
            let role = if run.wanted.contains(&result) {
                VariableRole::Output
            } else {
                VariableRole::Inner
            };
            enter(&result, role, members)?;
        }
        let name = |it: &Variable| {
            let literal = literals.iter().find(|(known, _)| known == it).map(|(_, text)| text);
            let slot = || slots.iter().find(|slot| slot.variable == *it).map(|slot| &slot.name);
            literal.or_else(slot).cloned().unwrap_or_default()
        };
        let nodes =
            run.nodes.iter().zip(&params).enumerate().map(|(at, (node, params))| BlockNode {
                names: NodeNames {
                    name: format!("node_{at}"),
                    inputs: node.inputs().iter().map(name).collect(),
                    outputs: node.results().iter().map(name).collect(),
                },
                params: params.as_ref().map(name),
                node: node.clone(),
            });
        let nodes = nodes.collect();
        let synced =
            run.wanted.iter().filter_map(|it| slots.iter().position(|s| s.variable == *it));
        let synced = synced.collect();
        Ok(BlockWriter {
            synced,
            slots,
            nodes,
            culprits: Vec::new(),
            has_state: false,
            is_cpp: true,
            observed: settings.observed,
            released: members.release()?,
        })
    }

    fn event_names(&self) -> Vec<String> {
        let mut names = names(self.slots.iter().map(|it| &it.variable));
        names.extend(self.nodes.iter().map(|it| it.node.op().base_name()));
        names
    }

    /// A number for what may fail.
    fn failing(&mut self, culprit: Option<&Arc<Apply>>) -> usize {
        self.culprits.push(culprit.cloned());
        self.culprits.len()
    }

    fn text(
        &mut self,
        members: &BlockMembers<'_>,
        compiler: &Compiler,
        settings: &BlockSettings<'_>,
    ) -> Result<String, BlockError> {
        self.is_cpp = !compiler.is_c;
        let mut out = CWriter::new();
        let names: Vec<String> =
            self.nodes.iter().map(|it| quoted(&it.node.op().base_name())).collect();
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
        for at in 0..self.nodes.len() {
            let (whose, text) = self.node_text(members, at, NodeHook::SupportCodeApply, None)?;
            out.snippet(&whose, &text);
        }
        self.state(&mut out, members)?;
        self.run(&mut out, members, settings)?;
        self.begin(&mut out, members, compiler)?;
        self.entry(&mut out);
        Ok(out.into_text())
    }

    /// What a node's hook writes, checked, and whose it is.
    fn node_text(
        &self,
        members: &BlockMembers<'_>,
        at: usize,
        hook: NodeHook,
        sub: Option<Sub>,
    ) -> Result<(String, String), BlockError> {
        let BlockNode { node, names, params } = &self.nodes[at];
        let member = &members.ops[at];
        let mut sub = sub.unwrap_or_default();
        if let Some(params) = params {
            sub = sub.with("params", params.clone());
        }
        let text = member.text(hook, node, names, &sub)?;
        if text.is_none() && hook == NodeHook::Code {
            return Err(BlockError::NoCode(node.clone()));
        }
        let text = text.unwrap_or_default();
        let class = member.class();
        let from = From { class: &class, hook: hook.name() };
        match hook {
            NodeHook::SupportCodeApply | NodeHook::SupportCodeStruct => {
                check::support(&from, &text)?
            }
            _ => drop(check::snippet(&from, &text, sub.get("fail").unwrap_or_default())?),
        }
        Ok((format!("{class}.{} of {}", hook.name(), names.name), text))
    }

    fn slot_text(
        &self,
        members: &BlockMembers<'_>,
        slot: usize,
        hook: TypeHook,
        sub: &Sub,
    ) -> Result<(String, String), BlockError> {
        let BlockVariable { ty, name, checked, .. } = &self.slots[slot];
        let member = members.at(*ty);
        let text = member.text(hook, name, sub, *checked)?;
        let class = member.class();
        if hook != TypeHook::Declare {
            let from = From { class: &class, hook: hook.name() };
            check::snippet(&from, &text, sub.get("fail").unwrap_or_default())?;
        }
        Ok((format!("{class}.{} of {name}", hook.name()), text))
    }

    /// What texts leave their place with, to the label of the number `id`.
    fn fail(&self, id: usize, label: &str, what: &str, released: bool) -> Sub {
        let unexplained = if released {
            String::new()
        } else {
            let what = quoted(what);
            format!(
                "if (!PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, \"{what}: failed \
                 without an exception\"); "
            )
        };
        let fail = format!("{{ opw_failure = {id}; {unexplained}goto {label}; }}");
        let sub = Sub::default().with("fail", fail);
        sub.with("failure_var", "opw_failure").with("id", id.to_string())
    }

    fn node_sub(&mut self, at: usize, label: Option<&str>) -> (Sub, usize) {
        let node = self.nodes[at].node.clone();
        let id = self.failing(Some(&node));
        let what = format!("{} at {}", node.op(), self.nodes[at].names.name);
        let label = label.map_or_else(|| format!("opw_label_{id}"), str::to_owned);
        (self.fail(id, &label, &what, self.released), id)
    }

    fn slot_sub(&mut self, slot: usize, label: Option<&str>) -> (Sub, usize) {
        let id = self.failing(None);
        let BlockVariable { variable, name, .. } = &self.slots[slot];
        let what = format!("{} at {name}", variable.ty());
        let (py, storage) = (format!("py_{name}"), format!("storage_{name}"));
        let label = label.map_or_else(|| format!("opw_label_{id}"), str::to_owned);
        let sub = self.fail(id, &label, &what, false);
        (sub.with("py_ptr", py).with("stor_ptr", storage), id)
    }

    /// What nodes keep from call to call: a structure with its beginning and its end.
    fn state(&mut self, out: &mut CWriter, members: &BlockMembers<'_>) -> Result<(), BlockError> {
        let struct_id = |at: usize| at.to_string();
        let mut members_text = Vec::new();
        for at in 0..self.nodes.len() {
            let sub = Sub::default().with("struct_id", struct_id(at));
            members_text.push(self.node_text(
                members,
                at,
                NodeHook::SupportCodeStruct,
                Some(sub),
            )?);
        }
        out.line("struct opw_state {\n  int opw_entered;");
        for (whose, text) in &members_text {
            out.snippet(whose, text);
        }
        if self.is_cpp {
            out.line("  int opw_begin();\n  void opw_end();");
            out.line(
                "  int opw_block(PyObject** storage, const struct opw_observer* opw_observed);",
            );
        }
        out.line("};");
        let mut has_state = members_text.iter().any(|(_, text)| !text.trim().is_empty());
        self.function(out, "int", "opw_begin", "");
        out.line("  int opw_failure = 0;\n  (void)self;");
        for at in 0..self.nodes.len() {
            let (sub, _) = self.node_sub(at, Some("opw_left"));
            let sub = sub.with("struct_id", struct_id(at));
            let (whose, text) = self.node_text(members, at, NodeHook::InitCodeStruct, Some(sub))?;
            has_state |= !text.trim().is_empty();
            out.enclosed(&whose, &text);
            out.line(format_args!("self->opw_entered = {};", at + 1));
        }
        out.line("goto opw_left;\nopw_left: (void)0;\n  return opw_failure;\n}");
        self.function(out, "void", "opw_end", "");
        out.line("  int opw_failure = 0;\n  (void)self; (void)opw_failure;");
        for at in (0..self.nodes.len()).rev() {
            let (sub, id) = self.node_sub(at, None);
            let sub = sub.with("struct_id", struct_id(at));
            let (whose, text) =
                self.node_text(members, at, NodeHook::CleanupCodeStruct, Some(sub))?;
            has_state |= !text.trim().is_empty();
            out.line(format_args!("if (self->opw_entered > {at}) {{"));
            out.enclosed(&whose, &text);
            out.line(format_args!("}}\ngoto opw_label_{id};\nopw_label_{id}: (void)0;"));
        }
        out.line("}");
        self.has_state = has_state;
        Ok(())
    }

    /// The head of a function of the state: in C++ a member, so that members have their own names.
    fn function(&self, out: &mut CWriter, result: &str, name: &str, parameters: &str) {
        if self.is_cpp {
            out.line(format_args!("{result} opw_state::{name}({parameters}) {{"));
            out.line("  struct opw_state* self = this;");
        } else {
            let comma = if parameters.is_empty() { "" } else { ", " };
            out.line(format_args!(
                "static {result} {name}(struct opw_state* self{comma}{parameters}) {{"
            ));
        }
    }

    fn tell(&self, out: &mut CWriter, event: Event, which: usize, id: usize, label: &str) {
        if self.observed {
            out.line(format_args!(
                "if (opw_tell(opw_observed, {}, {which})) {{ opw_failure = {id}; goto {label}; }}",
                EVENTS.iter().position(|it| *it == event).unwrap_or_default()
            ));
        }
    }

    /// The block itself.
    fn run(
        &mut self,
        out: &mut CWriter,
        members: &BlockMembers<'_>,
        settings: &BlockSettings<'_>,
    ) -> Result<(), BlockError> {
        let parameters = "PyObject** storage, const struct opw_observer* opw_observed";
        self.function(out, "int", "opw_block", parameters);
        out.line("  int opw_failure = 0;\n  (void)self; (void)opw_observed; (void)storage;");
        self.storages(out);
        let mut declarations = Declarations::default();
        let mut entered = Vec::new();
        for slot in 0..self.slots.len() {
            let id = self.enter(out, members, slot, settings, &mut declarations)?;
            entered.push(id);
        }
        self.code(out, members)?;
        let mut labels = Vec::new();
        out.line("if (!opw_failure) {");
        for slot in self.synced.clone() {
            labels.push(self.sync(out, members, slot)?);
        }
        out.line("}");
        for id in labels {
            out.line(format_args!("goto opw_label_{id};\nopw_label_{id}: (void)0;"));
        }
        for slot in (0..self.slots.len()).rev() {
            self.leave(out, members, slot, entered[slot])?;
        }
        for slot in &self.synced {
            out.line(format_args!("Py_XDECREF(py_{});", self.slots[*slot].name));
        }
        out.line("return opw_failure;\n}");
        Ok(())
    }

    /// The object of each variable, and the list that holds it.
    fn storages(&self, out: &mut CWriter) {
        let mut crossing = 0..;
        let mut next = || crossing.next().unwrap_or_default();
        for it in self.slots.iter().filter(|it| it.role == VariableRole::Given) {
            let (name, at) = (&it.name, next());
            out.line(format_args!("  PyObject* storage_{name} = storage[{at}];"));
            out.line(format_args!("  PyObject* py_{name} = PyList_GET_ITEM(storage_{name}, 0);"));
            out.line(format_args!("  (void)storage_{name}; (void)py_{name};"));
        }
        for slot in &self.synced {
            let (name, at) = (&self.slots[*slot].name, next());
            out.line(format_args!("  PyObject* storage_{name} = storage[{at}];"));
            out.line(format_args!("  PyObject* py_{name} = PyList_GET_ITEM(storage_{name}, 0);"));
            out.line(format_args!("  Py_XINCREF(py_{name});"));
        }
        for it in self.slots.iter().filter(|it| it.role == VariableRole::Inner) {
            let name = &it.name;
            out.line(format_args!(
                "  PyObject* storage_{name} = NULL; PyObject* py_{name} = Py_None;"
            ));
            out.line(format_args!("  (void)storage_{name}; (void)py_{name};"));
        }
    }

    /// Opens the scope of a variable: declared, then set.
    fn enter(
        &mut self,
        out: &mut CWriter,
        members: &BlockMembers<'_>,
        slot: usize,
        settings: &BlockSettings<'_>,
        declarations: &mut Declarations,
    ) -> Result<usize, BlockError> {
        let (sub, id) = self.slot_sub(slot, None);
        let label = format!("opw_label_{id}");
        let role = self.slots[slot].role;
        let shown = self.slots[slot].variable.to_string().replace("*/", "").replace('\n', " ");
        out.line(format_args!("{{ /* {shown} */"));
        let (whose, text) = self.slot_text(members, slot, TypeHook::Declare, &sub)?;
        let BlockVariable { ty, name, .. } = &self.slots[slot];
        let class = members.at(*ty).class();
        let from = From { class: &class, hook: TypeHook::Declare.name() };
        let fail = sub.get("fail").unwrap_or_default();
        declarations.add(&from, name, &text, fail, members.at(*ty).is_simple()?)?;
        out.snippet(&whose, &text);
        let (hook, event) = match role {
            VariableRole::Given => (TypeHook::Extract, Event::Extract),
            VariableRole::Output if settings.reuse_outputs => {
                (TypeHook::ExtractOut, Event::Extract)
            }
            VariableRole::Output | VariableRole::Inner => (TypeHook::Init, Event::Init),
        };
        self.tell(out, event, slot, id, &label);
        let (whose, text) = self.slot_text(members, slot, hook, &sub)?;
        out.enclosed(&whose, &text);
        Ok(id)
    }

    /// The code of all nodes, each around what follows it, and what follows each.
    fn code(&mut self, out: &mut CWriter, members: &BlockMembers<'_>) -> Result<(), BlockError> {
        if self.released {
            out.line("{ PyThreadState* opw_released = PyEval_SaveThread();");
        }
        let mut behind = Vec::new();
        let mut around = "opw_uncoded".to_owned();
        for at in 0..self.nodes.len() {
            let (sub, id) = self.node_sub(at, None);
            let name = quoted(&self.nodes[at].node.op().base_name()).replace("*/", "");
            if !self.released {
                // Outside of the node's scope: nobody may jump over what its code declares.
                self.tell(out, Event::Code, self.slots.len() + at, id, &around);
            }
            around = format!("opw_label_{id}");
            out.line(format_args!("{{ /* {name} */"));
            let (whose, text) = self.node_text(members, at, NodeHook::Code, Some(sub))?;
            out.snippet(&whose, &text);
            behind.push((at, id));
        }
        for (at, id) in behind.into_iter().rev() {
            let (sub, end) = self.node_sub(at, None);
            out.line(format_args!("goto opw_label_{id};\nopw_label_{id}: (void)0;"));
            let (whose, text) = self.node_text(members, at, NodeHook::CodeCleanup, Some(sub))?;
            out.snippet(&whose, &text);
            out.line(format_args!("goto opw_label_{end};\nopw_label_{end}: (void)0;"));
            out.line("}");
        }
        out.line("goto opw_uncoded;\nopw_uncoded: (void)0;");
        if self.released {
            out.line("PyEval_RestoreThread(opw_released); }");
            out.line(
                "if (opw_failure && !PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, \"a node \
                 failed without an exception\");",
            );
        }
        Ok(())
    }

    fn sync(
        &mut self,
        out: &mut CWriter,
        members: &BlockMembers<'_>,
        slot: usize,
    ) -> Result<usize, BlockError> {
        let (sub, id) = self.slot_sub(slot, None);
        self.tell(out, Event::Sync, slot, id, &format!("opw_label_{id}"));
        let (whose, text) = self.slot_text(members, slot, TypeHook::Sync, &sub)?;
        out.enclosed(&whose, &text);
        let BlockVariable { variable, ty, name, .. } = &self.slots[slot];
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
        &mut self,
        out: &mut CWriter,
        members: &BlockMembers<'_>,
        slot: usize,
        id: usize,
    ) -> Result<(), BlockError> {
        let (sub, end) = self.slot_sub(slot, None);
        out.line(format_args!("goto opw_label_{id};\nopw_label_{id}: (void)0;"));
        self.tell(out, Event::Cleanup, slot, id, &format!("opw_label_{id}_told"));
        if self.observed {
            out.line(format_args!("goto opw_label_{id}_told;\nopw_label_{id}_told: (void)0;"));
        }
        let (whose, text) = self.slot_text(members, slot, TypeHook::Cleanup, &sub)?;
        out.enclosed(&whose, &text);
        out.line(format_args!("goto opw_label_{end};\nopw_label_{end}: (void)0;"));
        out.line("}");
        Ok(())
    }

    /// What is done once per process.
    fn begin(
        &mut self,
        out: &mut CWriter,
        members: &BlockMembers<'_>,
        compiler: &Compiler,
    ) -> Result<(), BlockError> {
        out.line("static int opw_once(void) {");
        for it in members.asked(ListHook::InitCode, compiler)? {
            out.enclosed(&format!("{}.c_init_code", it.asker), &it.text);
        }
        for at in 0..self.nodes.len() {
            let (whose, text) = self.node_text(members, at, NodeHook::InitCodeApply, None)?;
            out.enclosed(&whose, &text);
        }
        out.line("return PyErr_Occurred() ? -1 : 0;\n}");
        Ok(())
    }

    /// What the host calls.
    fn entry(&self, out: &mut CWriter) {
        out.line(if self.is_cpp { include_str!("entry.cpp") } else { include_str!("entry.c") });
        out.line(include_str!("entry.h"));
    }
}
