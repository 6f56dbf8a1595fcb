//! Chains of element-wise operators as one node each, which runs them block by block.

mod fused;
mod group;

use std::collections::HashMap;
use std::sync::Arc;

pub use self::fused::Fused;
use self::group::Group;
use crate::apply::Apply;
use crate::op::Op;
use crate::traverse::nodes;
use crate::variable::{Key, Variable};

/// A graph with its chains as nodes.
pub fn fuse(inputs: &[Variable], outputs: Vec<Variable>) -> Vec<Variable> {
    let nodes = nodes(inputs, &outputs);
    let groups = group::groups(&nodes, &outputs);
    let mut replaced: HashMap<Key, Variable> = HashMap::new();
    for node in &nodes {
        match groups.get(&node.id()) {
            Some(group) if group.last() == node.id() => {
                let fused = joined(group, &replaced);
                let old = Variable::output(node.clone(), 0);
                fused.label().rename(old.label().name().as_deref());
                replaced.insert(old.key(), fused);
            }
            // It is computed where the last of the group is.
            Some(_) => {}
            None => follow(node, &mut replaced),
        }
    }
    outputs.into_iter().map(|it| replaced.get(&it.key()).cloned().unwrap_or(it)).collect()
}

/// A node that uses what was replaced, with what took its place.
fn follow(node: &Arc<Apply>, replaced: &mut HashMap<Key, Variable>) {
    if !node.inputs().iter().any(|it| replaced.contains_key(&it.key())) {
        return;
    }
    let now = |it: &Variable| replaced.get(&it.key()).unwrap_or(it).clone();
    let inputs: Vec<Variable> = node.inputs().iter().map(now).collect();
    let types = node.outputs().iter().map(|it| it.ty().clone()).collect();
    let (arguments, place) = (node.arguments().to_vec(), node.place().cloned());
    let made = Apply::new(node.op().clone(), inputs, arguments, types, place);
    for (at, output) in node.outputs().iter().enumerate() {
        let new = Variable::output(made.clone(), at);
        new.label().rename(output.label().name().as_deref());
        replaced.insert(Variable::output(node.clone(), at).key(), new);
    }
}

/// The result of a group as one node.
fn joined(group: &Group, replaced: &HashMap<Key, Variable>) -> Variable {
    let now = |it: &Variable| replaced.get(&it.key()).unwrap_or(it).clone();
    let inputs: Vec<Variable> = group.inputs().iter().map(now).collect();
    let last = group.nodes().last().map_or_else(Vec::new, |it| it.results());
    let types = last.iter().map(|it| it.ty().clone()).collect();
    let place = group.nodes().last().and_then(|it| it.place().cloned());
    let op = Op::Custom(Arc::new(Fused::new(group)));
    Variable::output(Apply::new(op, inputs, Vec::new(), types, place), 0)
}
