//! Gradient masking: branches that `where` does not take.
//!
//! Where an element was not selected, its gradient is exactly 0, but 0 times the infinite slope of a
//! function outside of its domain is no number. So behind a `where`, what an element-wise call makes
//! of a gradient is 0 wherever that is.

use std::collections::HashSet;

use opwright_runtime::op::{Operator, Value};
use opwright_runtime::types::TensorType;

use super::formula::keeps_shape;
use super::request::BackwardNode;
use super::sum_to_like::fitted;
use crate::build::call;
use crate::model::argument::NodeArgument;
use crate::model::error::GraphError;
use crate::model::op::Op;
use crate::model::variable::{Variable, VariableKey};

/// The variables on the way to a branch of a `where`.
#[derive(Default)]
pub(super) struct Branches(HashSet<VariableKey>);

impl Branches {
    /// Notes that a gradient came for an input of the node of `backward`, and puts zeros into it
    /// where none came to the node, if a `where` may have left it out.
    pub(super) fn cleared(
        &mut self,
        backward: &BackwardNode<'_>,
        input: usize,
        gradient: Variable,
    ) -> Result<Variable, GraphError> {
        let node = backward.node;
        let (row, key) = (row_of(node.op()), node.inputs()[input].key());
        let chooses = row.is_some_and(|it| it.name.starts_with("where."));
        let is_behind = node.results().iter().any(|it| self.0.contains(&it.key()));
        if chooses || is_behind {
            self.0.insert(key);
        }
        match (backward.gradients, row) {
            ([Some(arrived)], Some(row))
                if is_behind && !chooses && is_elementwise(row) && gradient != *arrived =>
            {
                cleared(backward, input, arrived, gradient)
            }
            _ => Ok(gradient),
        }
    }
}

fn row_of(op: &Op) -> Option<&'static Operator> {
    match op {
        Op::Row(row) => Some(row),
        Op::Custom(_) => None,
    }
}

fn is_elementwise(row: &Operator) -> bool {
    row.inner_loop.is_some() || row.tags.contains(&"pointwise")
}

/// 0 where all that arrived for an element is, and the gradient elsewhere.
fn cleared(
    backward: &BackwardNode<'_>,
    input: usize,
    arrived: &Variable,
    gradient: Variable,
) -> Result<Variable, GraphError> {
    let rows = backward.calculus.rows;
    let found = [rows.find("ne.Scalar"), rows.find("logical_not"), rows.find("where.ScalarSelf")];
    let [Some(ne), Some(not), Some(choose)] = found else { return Ok(gradient) };
    if gradient.ty().downcast::<TensorType>().is_none() {
        return Ok(gradient);
    }
    let zero = || NodeArgument::Value(Value::Int(0));
    let call = |row, inputs, arguments| -> Result<Variable, GraphError> {
        let built = call::row(row, inputs, arguments, backward.place.clone())?;
        Ok(Variable::output(built.node, 0))
    };
    let mut counts = call(ne, vec![arrived.clone()], vec![NodeArgument::Input(0), zero()])?;
    if !keeps_shape(backward, input) {
        let like = &backward.node.inputs()[input];
        match fitted(counts, like, false, backward) {
            Some(fitted) => counts = fitted,
            None => return Ok(gradient),
        }
    }
    let is_left_out = call(not, vec![counts], vec![NodeArgument::Input(0)])?;
    let arguments = vec![NodeArgument::Input(0), zero(), NodeArgument::Input(1)];
    call(choose, vec![is_left_out, gradient], arguments)
}
