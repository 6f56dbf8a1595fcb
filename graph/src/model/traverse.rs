//! Graph traversal: depth-first and topological order.

use std::collections::HashSet;
use std::sync::Arc;

use crate::model::apply::Apply;
use crate::model::variable::{Variable, VariableKey};

/// All that these depend on, and they themselves: depth first, each once, a variable before what it
/// is made of.
pub fn ancestors(variables: &[Variable]) -> Vec<Variable> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut pending: Vec<Variable> = variables.iter().rev().cloned().collect();
    while let Some(variable) = pending.pop() {
        if !seen.insert(variable.key()) {
            continue;
        }
        if let Some((node, _)) = variable.owner() {
            pending.extend(node.inputs().iter().rev().cloned());
        }
        found.push(variable);
    }
    found
}

/// What has to be given to compute these, in the order of their first use.
pub fn inputs(variables: &[Variable]) -> Vec<Variable> {
    ancestors(variables).into_iter().filter(Variable::is_input).collect()
}

/// The nodes between: each behind those that it uses.
///
/// What `inputs` has is not looked behind.
pub fn nodes(inputs: &[Variable], outputs: &[Variable]) -> Vec<Arc<Apply>> {
    enum Visit {
        Enter(Arc<Apply>),
        Leave(Arc<Apply>),
    }
    let given: HashSet<VariableKey> = inputs.iter().map(Variable::key).collect();
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let enter = |it: &Variable| {
        let owner = it.owner().filter(|_| !given.contains(&it.key()));
        owner.map(|(node, _)| Visit::Enter(node.clone()))
    };
    let mut pending: Vec<Visit> = outputs.iter().rev().filter_map(enter).collect();
    while let Some(step) = pending.pop() {
        match step {
            Visit::Leave(node) => found.push(node),
            Visit::Enter(node) => {
                if seen.insert(node.id()) {
                    let before: Vec<Visit> = node.inputs().iter().rev().filter_map(enter).collect();
                    pending.push(Visit::Leave(node));
                    pending.extend(before);
                }
            }
        }
    }
    found
}
