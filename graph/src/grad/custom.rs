//! Vector-Jacobian products of nodes that call no operator.

use std::fmt;

use opwright_runtime::Error;

use super::accumulate::Sum;
use super::request::BackwardNode;
use super::sum_to_like::Fitted;
use super::vjp::Vjp;
use crate::build::intrinsic::{DeepCopy, SpecifyShape, ViewOp};
use crate::model::error::GraphError;
use crate::model::op::Custom;
use crate::model::variable::Variable;

/// The gradients for the inputs of a node of `op`.
///
/// # Errors
///
/// `NotImplemented` if they are unknown; what the host reports.
pub(super) fn gradients(
    op: &dyn Custom,
    backward: &BackwardNode<'_>,
) -> Result<Vec<Option<Variable>>, GraphError> {
    let is_identity = op.downcast::<DeepCopy>().is_some()
        || op.downcast::<ViewOp>().is_some()
        || op.downcast::<SpecifyShape>().is_some();
    if is_identity {
        return Ok(vec![backward.gradients[0].clone()]);
    }
    if op.downcast::<Sum>().is_some() {
        return Ok(vec![backward.gradients[0].clone(); 2]);
    }
    if op.downcast::<Fitted>().is_some() || op.downcast::<Vjp>().is_some() {
        return Vjp::gradients_of_own(backward);
    }
    let of_host = backward.calculus.ops.map(|it| it.gradients(op, backward)).transpose()?;
    of_host.flatten().ok_or_else(|| unknown(backward).into())
}

#[cold]
fn unknown(backward: &BackwardNode<'_>) -> Error {
    let node = backward.node;
    let place = node.place().map_or_else(String::new, |it| format!(" (built at {it})"));
    missing_gradient(node, &place)
}

/// That the gradient of something is unknown, with what there is to be added.
#[cold]
pub fn missing_gradient(of: impl fmt::Display, more: &str) -> Error {
    Error::not_implemented(format_args!("the gradient of {of} is unknown{more}"))
}
