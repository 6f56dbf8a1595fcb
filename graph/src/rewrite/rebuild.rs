//! Nodes built anew, with other inputs.

use std::collections::HashMap;
use std::sync::Arc;

use crate::apply::Apply;
use crate::failure::Failure;
use crate::op::Op;
use crate::variable::{Key, Variable};
use crate::{Built, build};

/// The node with what stands for its inputs; itself if that is the same.
pub(crate) fn with(
    node: &Arc<Apply>,
    replaced: &HashMap<Key, Variable>,
) -> Result<Arc<Apply>, Failure> {
    if !node.inputs().iter().any(|it| replaced.contains_key(&it.key())) {
        return Ok(node.clone());
    }
    let now = |it: &Variable| replaced.get(&it.key()).unwrap_or(it).clone();
    let inputs: Vec<Variable> = node.inputs().iter().map(now).collect();
    let same = |(a, b): (&Variable, &Variable)| a.ty().equals(&**b.ty());
    let place = node.place().cloned();
    let made = match node.op() {
        Op::Row(row) if !node.inputs().iter().zip(&inputs).all(same) => {
            let Built { node, .. } = build::row(row, inputs, node.arguments().to_vec(), place)?;
            node
        }
        op => {
            let types = node.outputs().iter().map(|it| it.ty().clone()).collect();
            Apply::new(op.clone(), inputs, node.arguments().to_vec(), types, place)
        }
    };
    for (old, new) in node.outputs().iter().zip(made.outputs()) {
        new.label().rename(old.label().name().as_deref());
    }
    Ok(made)
}
