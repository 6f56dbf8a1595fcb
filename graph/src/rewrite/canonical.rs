//! Canonicalization of the Ops of this crate: nodes that change nothing.

use std::sync::Arc;

use opwright_runtime::op::Value;
use opwright_runtime::types::TensorType;

use crate::build::intrinsic::{DeepCopy, ExtentOp, SpecifyShape, ViewOp};
use crate::model::apply::{Apply, custom};
use crate::model::op::{Custom, Op};
use crate::model::variable::Variable;

/// What a node of one result comes to, if it comes to less.
pub(super) fn simpler(node: &Arc<Apply>) -> Option<Variable> {
    let Op::Custom(op) = node.op() else { return None };
    let input = node.inputs().first()?;
    if op.downcast::<SpecifyShape>().is_some() {
        return node.outputs()[0].ty().is_super(&**input.ty()).then(|| input.clone());
    }
    if let Some(source) = flattened(&**op, input) {
        let types = vec![node.outputs()[0].ty().clone()];
        let node = custom(op.clone(), vec![source], types, node.place().cloned());
        return Some(Variable::output(node, 0));
    }
    let ExtentOp(dim) = op.downcast::<ExtentOp>()?;
    let ty = input.ty().downcast::<TensorType>()?;
    if let Some(known) = ty.shape()[*dim] {
        return Some(Variable::constant(node.outputs()[0].ty().clone(), Value::Int(known), None));
    }
    let source = same_extents(input)?;
    let types = vec![node.outputs()[0].ty().clone()];
    let node = custom(op.clone(), vec![source], types, node.place().cloned());
    Some(Variable::output(node, 0))
}

/// What a view of a view, or a copy of a view or of a copy, may be made of as well.
fn flattened(outer: &dyn Custom, input: &Variable) -> Option<Variable> {
    let (node, _) = input.owner()?;
    let Op::Custom(inner) = node.op() else { return None };
    let inner = &**inner;
    let is_view = |it: &dyn Custom| it.downcast::<ViewOp>().is_some();
    let is_copy = |it: &dyn Custom| it.downcast::<DeepCopy>().is_some();
    let is_one = is_view(outer) || is_copy(outer);
    let is_flat = (is_one && is_view(inner)) || (is_copy(outer) && is_copy(inner));
    if is_flat { node.inputs().first().cloned() } else { None }
}

/// The tensor whose extents are those of the result of an element-wise operator: the only one that
/// it takes.
fn same_extents(variable: &Variable) -> Option<Variable> {
    let (node, _) = variable.owner()?;
    let Op::Row(row) = node.op() else { return None };
    row.inner_loop?;
    let ndim = |it: &Variable| it.ty().downcast::<TensorType>().map(TensorType::ndim);
    let mut tensors = node.inputs().iter().filter(|it| ndim(it).is_some_and(|it| it > 0));
    let only = tensors.next().filter(|_| tensors.next().is_none())?;
    (ndim(only) == ndim(variable)).then(|| only.clone())
}
