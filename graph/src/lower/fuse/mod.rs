//! Operator fusion: chains of element-wise operators, and reductions at their ends, become one node
//! each, which runs them block by block.

mod fused;
mod group;
mod reduced;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::Arc;

pub use self::fused::Fused;
use self::group::FusionGroup;
use crate::build::substitution::Substitution;
use crate::model::apply::Apply;
use crate::model::op::Op;
use crate::model::traverse::nodes;
use crate::model::variable::Variable;

/// A graph with its chains as nodes.
pub fn fuse(inputs: &[Variable], outputs: Vec<Variable>) -> Vec<Variable> {
    let nodes = nodes(inputs, &outputs);
    let (groups, of) = group::groups(&nodes, &outputs);
    if groups.is_empty() {
        return outputs;
    }
    let mut replaced = Substitution::default();
    for first in in_order(&nodes, &of) {
        if let Some(group) = of[first].map(|it| &groups[it]) {
            replaced.put_results(group.outputs(), &joined(group, &replaced));
            continue;
        }
        let node = &nodes[first];
        let now = replaced.alike(node);
        if !Arc::ptr_eq(&now, node) {
            replaced.put_results(&node.results(), &now);
        }
    }
    replaced.of_all(&outputs)
}

/// The chains of a graph, each as a node of the same inputs, with what its results stand for.
pub(crate) fn chains(
    inputs: &[Variable],
    outputs: &[Variable],
) -> Vec<(Arc<Apply>, Vec<Variable>)> {
    let nodes = nodes(inputs, outputs);
    let (groups, _) = group::groups(&nodes, outputs);
    let apart = Substitution::default();
    groups.iter().map(|it| (joined(it, &apart), it.outputs().to_vec())).collect()
}

/// The first node of each group, and the nodes in none, behind all that they use.
fn in_order(nodes: &[Arc<Apply>], of: &[Option<usize>]) -> Vec<usize> {
    let mut first: HashMap<usize, usize> = HashMap::new();
    let unit: Vec<usize> = of
        .iter()
        .enumerate()
        .map(|(at, group)| group.map_or(at, |it| *first.entry(it).or_insert(at)))
        .collect();
    let places: HashMap<u64, usize> =
        nodes.iter().enumerate().map(|(at, it)| (it.id(), at)).collect();
    let mut waits = vec![0_usize; nodes.len()];
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        for (owner, _) in node.inputs().iter().filter_map(Variable::owner) {
            let Some(&used) = places.get(&owner.id()) else { continue };
            if unit[used] != unit[at] {
                waits[unit[at]] += 1;
                users[unit[used]].push(unit[at]);
            }
        }
    }
    let is_ready = |it: &usize| unit[*it] == *it && waits[*it] == 0;
    let mut ready: BinaryHeap<Reverse<usize>> =
        (0..nodes.len()).filter(is_ready).map(Reverse).collect();
    let mut order = Vec::with_capacity(nodes.len());
    while let Some(Reverse(at)) = ready.pop() {
        order.push(at);
        for &user in &users[at] {
            waits[user] -= 1;
            if waits[user] == 0 {
                ready.push(Reverse(user));
            }
        }
    }
    order
}

/// A group as one node.
fn joined(group: &FusionGroup, replaced: &Substitution) -> Arc<Apply> {
    let types = group.outputs().iter().map(|it| it.ty().clone()).collect();
    let op = Op::Custom(Arc::new(Fused::new(group)));
    let place = group.nodes().last().and_then(|it| it.place().cloned());
    Apply::new(op, replaced.of_all(group.inputs()), Vec::new(), types, place)
}
