//! Nodes that do the same are one.

use std::collections::HashMap;
use std::sync::Arc;

use crate::apply::Apply;
use crate::op::Op;
use crate::same;
use crate::variable::{Key, Variable};

/// The nodes so far.
#[derive(Default)]
pub(super) struct Known(HashMap<(String, Vec<Key>), Vec<Arc<Apply>>>);

impl Known {
    /// The node, or one that does the same.
    pub(super) fn joined(&mut self, node: Arc<Apply>) -> Arc<Apply> {
        if !is_repeatable(node.op()) {
            return node;
        }
        let inputs = node.inputs().iter().map(key).collect();
        let alike = self.0.entry((node.op().to_string(), inputs)).or_default();
        if let Some(known) = alike.iter().find(|it| same::nodes(it, &node)) {
            return known.clone();
        }
        alike.push(node.clone());
        node
    }
}

/// Whether two calls give the same.
pub(super) fn is_repeatable(op: &Op) -> bool {
    match op {
        Op::Row(row) => !row.is_random() && !row.mutates(),
        Op::Custom(_) => true,
    }
}

fn key(variable: &Variable) -> Key {
    variable.key()
}
