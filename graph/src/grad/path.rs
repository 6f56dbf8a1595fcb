//! Reachability: the variables between a cost and what is differentiated.

use std::collections::HashSet;
use std::sync::Arc;

use opwright_runtime::op::{Gradient, Type};

use super::accumulate::Zeros;
use super::request::{Request, dtype_of_gradients};
use super::sum_to_like::Fitted;
use crate::build::intrinsic::{ExtentOp, ShapeOp};
use crate::model::apply::Apply;
use crate::model::argument::NodeArgument;
use crate::model::op::Op;
use crate::model::variable::{Variable, VariableKey};

/// The variables that depend on those that gradients are wanted of, and these themselves.
pub(super) struct GradientPath(HashSet<VariableKey>);

impl GradientPath {
    /// Along nodes, each behind those that it uses.
    pub(super) fn new(request: &Request<'_>, nodes: &[Arc<Apply>]) -> GradientPath {
        let mut way = GradientPath(request.wrt.iter().map(Variable::key).collect());
        for it in request.constant {
            way.0.remove(&it.key());
        }
        for node in nodes {
            if !way.wanted(node).contains(&true) {
                continue;
            }
            for result in node.results() {
                let goes = dtype_of_gradients(result.ty()).is_some();
                if goes && !request.constant.contains(&result) {
                    way.0.insert(result.key());
                }
            }
        }
        way
    }

    /// For which inputs of a node gradients are wanted.
    pub(super) fn wanted(&self, node: &Apply) -> Vec<bool> {
        let inputs = node.inputs().iter().enumerate();
        inputs.map(|(at, it)| self.0.contains(&it.key()) && connects(node, at)).collect()
    }
}

/// Whether the results of a node depend on an input so that gradients could go there.
fn connects(node: &Apply, input: usize) -> bool {
    match node.op() {
        Op::Row(row) => row.gradient != Gradient::None,
        Op::Custom(op) if op.downcast::<Fitted>().is_some() => input == 0,
        Op::Custom(op) => {
            op.downcast::<ShapeOp>().is_none()
                && op.downcast::<ExtentOp>().is_none()
                && op.downcast::<Zeros>().is_none()
        }
    }
}

/// What kinds of parameters an input of a row stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct InputUses {
    /// As a tensor, which can have a gradient.
    pub(super) as_tensor: bool,
    /// The parameter, by its number, that takes it as a number.
    pub(super) as_number: Option<usize>,
}

/// Those of an input of a node of a row.
pub(super) fn uses(node: &Apply, input: usize) -> InputUses {
    let Op::Row(row) = node.op() else { return InputUses::default() };
    let mut found = InputUses::default();
    for (at, (argument, param)) in node.arguments().iter().zip(row.params).enumerate() {
        if !names(argument, input) {
            continue;
        }
        match element(param.slot.ty) {
            Type::Tensor => found.as_tensor = true,
            _ => found.as_number = Some(at),
        }
    }
    found
}

fn names(argument: &NodeArgument, input: usize) -> bool {
    match argument {
        NodeArgument::Input(at) => *at == input,
        NodeArgument::Value(_) => false,
        NodeArgument::List(items) => items.iter().any(|it| names(it, input)),
    }
}

fn element(ty: Type) -> Type {
    match ty {
        Type::Optional(inner) | Type::List(inner, _) => element(*inner),
        ty => ty,
    }
}
