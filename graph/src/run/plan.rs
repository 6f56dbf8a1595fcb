//! Execution plans: slots, steps and lifetimes.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::model::apply::Apply;
use crate::model::operator_tables::OperatorTables;
use crate::model::variable::{Variable, VariableKey};
use crate::run::step::NodeStep;

/// The slots of a frame, and the nodes that fill them.
pub(crate) struct ExecutionPlan {
    /// The variables of the slots, in the order in which they are entered: those given, those
    /// shared, those computed.
    pub(crate) slots: Vec<Variable>,
    /// What the slots are called in events.
    pub(crate) names: Vec<String>,
    /// Which slots are shared variables, behind those that are given.
    pub(crate) shared: Range<usize>,
    /// The nodes in order.
    pub(crate) steps: Vec<NodeStep>,
    at: HashMap<VariableKey, usize>,
}

impl ExecutionPlan {
    /// Enters what is given, then what is shared, then the results of the nodes. What is `wanted`
    /// stays until the end.
    pub(crate) fn new(
        given: &[Variable],
        shared: &[Variable],
        nodes: &[Arc<Apply>],
        wanted: &[Variable],
    ) -> ExecutionPlan {
        let mut slots: Vec<Variable> = given.iter().chain(shared).cloned().collect();
        let shared = given.len()..slots.len();
        slots.extend(nodes.iter().flat_map(Apply::results));
        let at: HashMap<VariableKey, usize> =
            slots.iter().enumerate().rev().map(|(at, it)| (it.key(), at)).collect();
        let mut steps = Vec::with_capacity(nodes.len());
        let mut first = shared.end;
        for node in nodes {
            steps.push(NodeStep::new(node, first, &at));
            first += node.outputs().len();
        }
        let mut needed = vec![false; slots.len()];
        wanted.iter().filter_map(|it| at.get(&it.key())).for_each(|it| needed[*it] = true);
        steps.iter_mut().rev().for_each(|it| it.end_lives(&mut needed));
        let names = names(&slots);
        ExecutionPlan { slots, names, shared, steps, at }
    }

    /// Lets nodes write to memory that nobody needs any more, and whether any of them may; those
    /// whose results do not leave also to the values of these slots.
    pub(crate) fn reuse_memory(
        &mut self,
        rows: &OperatorTables,
        mutable: &[usize],
        escaping: &[Variable],
    ) -> bool {
        let found: Vec<bool> = self.steps.iter_mut().map(|it| it.find_forms(rows)).collect();
        let reuses = found.contains(&true);
        for step in &mut self.steps {
            if !step.node.results().iter().any(|it| escaping.contains(it)) {
                step.lend(mutable);
            }
            if reuses {
                step.keep_memory();
            }
        }
        reuses
    }

    /// The slot of a variable.
    pub(crate) fn slot(&self, variable: &Variable) -> Option<usize> {
        self.at.get(&variable.key()).copied()
    }
}

/// What variables are called in events, in the order in which they are entered: those without a name
/// `v0`, `v1`, …
pub(crate) fn names<'a>(entered: impl IntoIterator<Item = &'a Variable>) -> Vec<String> {
    let mut unnamed = 0_usize..;
    let name = |it: &Variable| match it.label().name() {
        Some(name) => name.to_string(),
        None => format!("v{}", unnamed.next().unwrap_or_default()),
    };
    entered.into_iter().map(name).collect()
}
