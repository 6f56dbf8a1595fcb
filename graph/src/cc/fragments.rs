//! Code fragments: what hooks of nodes and types write, checked, and the labels that it leaves by.

use std::sync::Arc;

use super::check::{self, From};
use super::error::BlockError;
use super::hooks::{NodeHook, Sub, TypeHook};
use super::layout::{BlockLayout, BlockNode, BlockVariable};
use super::members::BlockMembers;
use super::writer::{CWriter, quoted};
use crate::Event;
use crate::model::apply::Apply;

/// What blocks tell, by number.
pub(super) const EVENTS: [Event; 5] =
    [Event::Extract, Event::Init, Event::Code, Event::Sync, Event::Cleanup];

/// What the parts of a block are written from.
pub(super) struct Fragments {
    pub(super) layout: BlockLayout,
    /// For each failure from 1 on the node, if it is one of a node.
    pub(super) culprits: Vec<Option<Arc<Apply>>>,
    pub(super) is_cpp: bool,
    pub(super) observed: bool,
    /// Whether the code of nodes runs without the lock of the interpreter.
    pub(super) released: bool,
}

impl Fragments {
    /// A number for what may fail.
    fn failing(&mut self, culprit: Option<&Arc<Apply>>) -> usize {
        self.culprits.push(culprit.cloned());
        self.culprits.len()
    }

    /// What a node's hook writes, checked, and whose it is.
    pub(super) fn node_text(
        &self,
        members: &BlockMembers<'_>,
        at: usize,
        hook: NodeHook,
        sub: Option<Sub>,
    ) -> Result<(String, String), BlockError> {
        let BlockNode { node, names, params } = &self.layout.nodes[at];
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

    /// What a variable's hook writes, checked, and whose it is.
    pub(super) fn slot_text(
        &self,
        members: &BlockMembers<'_>,
        slot: usize,
        hook: TypeHook,
        sub: &Sub,
    ) -> Result<(String, String), BlockError> {
        let BlockVariable { ty, name, checked, .. } = &self.layout.slots[slot];
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

    /// What a node's texts are given, and the number of their failure, by default that of the label.
    pub(super) fn node_sub(&mut self, at: usize, label: Option<&str>) -> (Sub, usize) {
        let node = self.layout.nodes[at].node.clone();
        let id = self.failing(Some(&node));
        let what = format!("{} at {}", node.op(), self.layout.nodes[at].names.name);
        let label = label.map_or_else(|| format!("opw_label_{id}"), str::to_owned);
        (self.fail(id, &label, &what, self.released), id)
    }

    /// The same of a variable's texts.
    pub(super) fn slot_sub(&mut self, slot: usize, label: Option<&str>) -> (Sub, usize) {
        let id = self.failing(None);
        let BlockVariable { variable, name, .. } = &self.layout.slots[slot];
        let what = format!("{} at {name}", variable.ty());
        let (py, storage) = (format!("py_{name}"), format!("storage_{name}"));
        let label = label.map_or_else(|| format!("opw_label_{id}"), str::to_owned);
        let sub = self.fail(id, &label, &what, false);
        (sub.with("py_ptr", py).with("stor_ptr", storage), id)
    }

    /// The head of a function of the state: in C++ a member, so that members have their own names.
    pub(super) fn function(&self, out: &mut CWriter, result: &str, name: &str, parameters: &str) {
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

    /// Tells the observer, who may end the block.
    pub(super) fn tell(
        &self,
        out: &mut CWriter,
        event: Event,
        which: usize,
        id: usize,
        label: &str,
    ) {
        if self.observed {
            out.line(format_args!(
                "if (opw_tell(opw_observed, {}, {which})) {{ opw_failure = {id}; goto {label}; }}",
                EVENTS.iter().position(|it| *it == event).unwrap_or_default()
            ));
        }
    }
}
