//! Constant folding: what depends on constants alone is computed once.

use std::sync::Arc;

use opwright_runtime::op::Value;
use opwright_runtime::types::{TensorType, TypeRef};

use super::cse::is_repeatable;
use crate::model::apply::Apply;
use crate::model::op::Op;
use crate::model::variable::Variable;
use crate::run::step::evaluate;

/// Larger results are computed when they are wanted.
const MOST_BYTES: usize = 1 << 20;

/// A result as a constant, if the node uses nothing but constants.
pub(super) fn constant(node: &Arc<Apply>, at: usize) -> Option<Variable> {
    let all = node.inputs().iter().all(|it| it.as_constant().is_some());
    if !all || node.inputs().is_empty() || !is_repeatable(node.op()) || depends_on_data(node.op()) {
        return None;
    }
    let output = Variable::output(node.clone(), at);
    // What fails here fails again when it runs, with its place.
    let value = evaluate(node)?.swap_remove(at);
    if output.ty().bytes(&value).is_some_and(|it| it > MOST_BYTES) {
        return None;
    }
    Some(Variable::constant(exact(output.ty(), &value), value, None))
}

fn depends_on_data(op: &Op) -> bool {
    matches!(op, Op::Row(row) if row.tags.contains(&"data_dependent_output"))
}

/// The type with the extents of the value.
fn exact(ty: &TypeRef, value: &Value) -> TypeRef {
    match value {
        Value::Tensor(it) => TensorType::of(it).shared(),
        _ => ty.clone(),
    }
}
