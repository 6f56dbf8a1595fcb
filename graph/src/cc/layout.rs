//! Variables and nodes of a block, with their names in its code, before any of it is written.

use std::sync::Arc;

use super::error::BlockError;
use super::hooks::{CHost, NodeNames};
use super::members::BlockMembers;
use super::partition::NodeRun;
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

/// Where a variable comes from, and whether it leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum VariableRole {
    Given,
    Inner,
    Output,
}

/// A variable that the block declares.
pub(super) struct BlockVariable {
    pub(super) variable: Variable,
    pub(super) role: VariableRole,
    /// Its place among the types of the block.
    pub(super) ty: usize,
    pub(super) checked: bool,
    /// What the writers of code call it.
    pub(super) name: String,
}

/// A node, and what its code calls its variables.
pub(super) struct BlockNode {
    pub(super) node: Arc<Apply>,
    pub(super) names: NodeNames,
    pub(super) params: Option<String>,
}

/// The variables and nodes of a block.
pub(super) struct BlockLayout {
    pub(super) slots: Vec<BlockVariable>,
    pub(super) nodes: Vec<BlockNode>,
    /// The slots of the results, in the order in which they are handed out.
    pub(super) synced: Vec<usize>,
}

impl BlockLayout {
    pub(super) fn of<'a>(
        run: &NodeRun,
        members: &mut BlockMembers<'a>,
        host: &'a dyn CHost,
        settings: &BlockSettings<'_>,
    ) -> Result<BlockLayout, BlockError> {
        let mut checks = Vec::new();
        for op in &members.ops {
            checks.push(op.checks_input()?);
        }
        let mut named =
            NamedVariables { run, host, checks, settings, slots: Vec::new(), literals: Vec::new() };
        for it in &run.given {
            named.enter(it, VariableRole::Given, members)?;
        }
        let mut params = Vec::new();
        for at in 0..members.ops.len() {
            let own = members.ops[at].params(&run.nodes[at])?;
            if let Some(it) = &own {
                named.enter(it, VariableRole::Given, members)?;
            }
            params.push(own);
        }
        for result in run.nodes.iter().flat_map(Apply::results) {
            let role = if run.wanted.contains(&result) {
                VariableRole::Output
            } else {
                VariableRole::Inner
            };
            named.enter(&result, role, members)?;
        }
        let name = |it: &Variable| named.name(it);
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
        let slots = named.slots;
        let synced =
            run.wanted.iter().filter_map(|it| slots.iter().position(|s| s.variable == *it));
        let synced = synced.collect();
        Ok(BlockLayout { synced, slots, nodes })
    }

    /// The names of variables and of nodes in the order of their numbers.
    pub(super) fn event_names(&self) -> Vec<String> {
        let mut names = names(self.slots.iter().map(|it| &it.variable));
        names.extend(self.nodes.iter().map(|it| it.node.op().base_name()));
        names
    }
}

/// Variables that have a name so far: one that is declared, or the literal of a constant.
struct NamedVariables<'r, 'a> {
    run: &'r NodeRun,
    host: &'a dyn CHost,
    /// For each node whether it asks for its inputs to be checked.
    checks: Vec<bool>,
    settings: &'r BlockSettings<'r>,
    slots: Vec<BlockVariable>,
    literals: Vec<(Variable, String)>,
}

impl<'a> NamedVariables<'_, 'a> {
    fn enter(
        &mut self,
        variable: &Variable,
        role: VariableRole,
        members: &mut BlockMembers<'a>,
    ) -> Result<(), BlockError> {
        let ty = members.ty(variable.ty(), self.host)?;
        if let Some(value) = variable.as_constant()
            && let Some(text) = members.at(ty).literal(value)?
        {
            self.literals.push((variable.clone(), format!("({text})")));
            return Ok(());
        }
        let nodes = self.run.nodes.iter().zip(&self.checks);
        let used = nodes.filter(|(it, _)| it.inputs().contains(variable));
        let mut used = used.map(|(_, checks)| *checks).peekable();
        let checked = self.settings.check_input && (used.peek().is_none() || used.any(|it| it));
        let name = format!("V{}", self.slots.len());
        self.slots.push(BlockVariable { variable: variable.clone(), role, ty, checked, name });
        Ok(())
    }

    fn name(&self, variable: &Variable) -> String {
        let literal = self.literals.iter().find(|(known, _)| known == variable);
        let literal = literal.map(|(_, text)| text);
        let slot =
            || self.slots.iter().find(|slot| slot.variable == *variable).map(|slot| &slot.name);
        literal.or_else(slot).cloned().unwrap_or_default()
    }
}
