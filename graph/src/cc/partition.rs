//! Graph partitioning: which nodes become one block.

use std::collections::HashSet;
use std::sync::Arc;

use crate::model::apply::Apply;
use crate::model::variable::{Variable, VariableKey};

/// Nodes that run together, in order.
pub(super) struct NodeRun {
    pub(super) nodes: Vec<Arc<Apply>>,
    /// What they are given: in the order of the function's inputs, then shared variables, then what
    /// other nodes computed, then constants.
    pub(super) given: Vec<Variable>,
    /// What others use of their results.
    pub(super) wanted: Vec<Variable>,
}

/// Nodes of a graph that have code, in as few runs as there can be without a circle, and those that
/// have none, each behind what it uses.
pub(super) enum Segment {
    Alone(Arc<Apply>),
    Coded(NodeRun),
}

/// Splits a graph; `alike` says which nodes have code.
pub(super) fn parts(
    inputs: &[Variable],
    outputs: &[Variable],
    alike: &[bool],
    order: &[Arc<Apply>],
    per_op: bool,
) -> Vec<Segment> {
    let mut done: HashSet<VariableKey> = HashSet::new();
    let own: HashSet<VariableKey> =
        order.iter().flat_map(Apply::results).map(|it| it.key()).collect();
    let given: HashSet<VariableKey> = inputs.iter().map(Variable::key).collect();
    let mut left: Vec<(usize, Arc<Apply>)> = order.iter().cloned().enumerate().collect();
    let mut groups: Vec<(bool, Vec<Arc<Apply>>)> = Vec::new();
    // First what has no code, so that runs begin as late as they can.
    let mut coded = false;
    while !left.is_empty() {
        let mut group = Vec::new();
        left.retain(|(at, node)| {
            let ready = node.inputs().iter().all(|it| {
                done.contains(&it.key()) || given.contains(&it.key()) || !own.contains(&it.key())
            });
            let takes = alike[*at] == coded && ready;
            if takes {
                done.extend(node.results().iter().map(Variable::key));
                group.push(node.clone());
            }
            !takes
        });
        groups.push((coded, group));
        coded = !coded;
    }
    let mut parts = Vec::new();
    for (coded, group) in groups {
        if !coded {
            parts.extend(group.into_iter().map(Segment::Alone));
        } else if per_op {
            parts.extend(group.into_iter().map(|it| run(inputs, outputs, order, vec![it], per_op)));
        } else if !group.is_empty() {
            parts.push(run(inputs, outputs, order, group, per_op));
        }
    }
    parts
}

fn run(
    inputs: &[Variable],
    outputs: &[Variable],
    order: &[Arc<Apply>],
    nodes: Vec<Arc<Apply>>,
    per_op: bool,
) -> Segment {
    let computed: HashSet<VariableKey> =
        nodes.iter().flat_map(Apply::results).map(|it| it.key()).collect();
    let is_input = |it: &Variable| inputs.contains(it);
    let mut used: Vec<Variable> = Vec::new();
    for input in nodes.iter().flat_map(|it| it.inputs()) {
        let own = computed.contains(&input.key()) && !is_input(input);
        if !own && !used.contains(input) {
            used.push(input.clone());
        }
    }
    let rank = |it: &Variable| match inputs.iter().position(|input| input == it) {
        Some(at) => (0, at),
        None if it.as_shared().is_some() => (1, 0),
        None if it.as_constant().is_none() => (2, 0),
        None => (3, 0),
    };
    // A block of one node takes its inputs as the node does.
    if !per_op {
        used.sort_by_key(rank);
    }
    let members: HashSet<u64> = nodes.iter().map(|it| it.id()).collect();
    let elsewhere: HashSet<VariableKey> = order
        .iter()
        .filter(|it| !members.contains(&it.id()))
        .flat_map(|it| it.inputs())
        .map(Variable::key)
        .collect();
    let mut wanted: Vec<Variable> = Vec::new();
    let results: Vec<Variable> = nodes.iter().flat_map(Apply::results).collect();
    // In the order of the function's outputs, since they are handed out in it.
    for output in outputs.iter().chain(&results) {
        let is_wanted = results.contains(output)
            && !is_input(output)
            && (outputs.contains(output) || elsewhere.contains(&output.key()));
        if is_wanted && !wanted.contains(output) {
            wanted.push(output.clone());
        }
    }
    Segment::Coded(NodeRun { nodes, given: used, wanted })
}
