//! Chains of element-wise operators as one node each, which runs them block by block.

mod fused;
mod group;

use std::sync::Arc;

pub use self::fused::Fused;
use self::group::Group;
use crate::apply::Apply;
use crate::op::Op;
use crate::replaced::Replaced;
use crate::traverse::nodes;
use crate::variable::Variable;

/// A graph with its chains as nodes.
pub fn fuse(inputs: &[Variable], outputs: Vec<Variable>) -> Vec<Variable> {
    let nodes = nodes(inputs, &outputs);
    let groups = group::groups(&nodes, &outputs);
    let mut replaced = Replaced::default();
    for node in &nodes {
        match groups.get(&node.id()) {
            Some(group) if group.last() == node.id() => {
                replaced.put_results(&node.results(), &joined(group, &replaced));
            }
            // It is computed where the last of the group is.
            Some(_) => {}
            None => {
                let now = replaced.alike(node);
                if !Arc::ptr_eq(&now, node) {
                    replaced.put_results(&node.results(), &now);
                }
            }
        }
    }
    replaced.of_all(&outputs)
}

/// A group as one node.
fn joined(group: &Group, replaced: &Replaced) -> Arc<Apply> {
    let last = group.nodes().last();
    let types =
        last.map_or_else(Vec::new, |it| it.outputs().iter().map(|it| it.ty().clone()).collect());
    let op = Op::Custom(Arc::new(Fused::new(group)));
    let place = last.and_then(|it| it.place().cloned());
    Apply::new(op, replaced.of_all(group.inputs()), Vec::new(), types, place)
}
