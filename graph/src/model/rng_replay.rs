//! RNG replay: nodes of rows that gradients run once more have one result more, which tells what was
//! drawn.

use std::sync::Arc;

use opwright_runtime::op::{Gradient, Operator, Type, Value};
use opwright_runtime::types::{ListType, Plain, TypeRef};
use opwright_runtime::{Result, RngReplay};

use crate::model::apply::Apply;
use crate::model::op::{Op, Results};
use crate::model::variable::Variable;

/// Whether nodes of a row say what they draw.
pub(crate) fn is_noted(row: &Operator) -> bool {
    let takes_tensors = || row.params.iter().any(|it| it.slot.ty == Type::Tensor);
    let has_gradient = matches!(row.gradient, Gradient::Formula(_) | Gradient::Composed);
    has_gradient && row.formulas.is_none() && row.is_random() && takes_tensors()
}

/// The type of what says so.
pub(crate) fn ty() -> TypeRef {
    Arc::new(ListType::new(Arc::new(Plain::Int64), None))
}

/// The result of a node that says what it draws.
pub(crate) fn result(node: &Arc<Apply>) -> Option<Variable> {
    let last = node.outputs().len().checked_sub(1)?;
    is_result(node, last).then(|| Variable::output(node.clone(), last))
}

/// Whether a result says what the node draws.
pub(crate) fn is_result(node: &Apply, at: usize) -> bool {
    matches!(node.op(), Op::Row(row) if is_noted(row)) && at + 1 == node.outputs().len()
}

/// The results of a call, and what it draws.
pub(crate) fn noted(call: impl FnOnce() -> Result<Results>) -> Result<Results> {
    let (results, drawn) = RngReplay::record(call);
    let mut results = results?;
    results.push(Value::List(drawn.words().into_iter().map(Value::Int).collect()));
    Ok(results)
}

/// The results of a call that draws what is said.
pub(crate) fn again(said: &Value, call: impl FnOnce() -> Result<Results>) -> Result<Results> {
    let words = match said {
        Value::List(items) => items.iter().map(Value::int).collect::<Result<Vec<_>>>()?,
        _ => Vec::new(),
    };
    RngReplay::of_words(&words).replay(call)
}
