//! Common subexpression elimination: equal nodes become one.

use std::collections::HashMap;
use std::sync::Arc;

use opwright_runtime::op::Value;

use crate::model::apply::Apply;
use crate::model::op::Op;
use crate::model::structural_equality;
use crate::model::variable::{Variable, VariableKey};

/// The nodes and the constants so far.
#[derive(Default)]
pub(super) struct AvailableNodes {
    nodes: HashMap<(String, Vec<VariableKey>), Vec<Arc<Apply>>>,
    /// By type and number.
    constants: HashMap<(String, String), VariableKey>,
}

impl AvailableNodes {
    /// The node, or one that does the same.
    pub(super) fn joined(&mut self, node: Arc<Apply>) -> Arc<Apply> {
        if !is_repeatable(node.op()) {
            return node;
        }
        let inputs = node.inputs().iter().map(|it| self.key(it)).collect();
        let alike = self.nodes.entry((node.op().to_string(), inputs)).or_default();
        if let Some(known) = alike.iter().find(|it| structural_equality::nodes(it, &node)) {
            return known.clone();
        }
        alike.push(node.clone());
        node
    }

    /// What variables have in common that are the same: a constant is what its number is.
    fn key(&mut self, variable: &Variable) -> VariableKey {
        let number = variable.as_constant().and_then(number);
        match number {
            Some(number) => {
                let key = (variable.ty().to_string(), number);
                *self.constants.entry(key).or_insert_with(|| variable.key())
            }
            None => variable.key(),
        }
    }
}

/// The number that a constant is, if it is one, so that others have another text.
fn number(value: &Value) -> Option<String> {
    match value {
        Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Complex(_) => {
            Some(format!("{value:?}"))
        }
        Value::Tensor(it) if it.numel() == 1 && !it.device().is_meta() => {
            it.to_scalar().ok().map(|number| format!("{number:?} in {:?}", it.shape()))
        }
        _ => None,
    }
}

/// Whether two calls give the same.
pub(super) fn is_repeatable(op: &Op) -> bool {
    match op {
        Op::Row(row) => !row.is_random() && !row.mutates(),
        Op::Custom(_) => true,
    }
}
