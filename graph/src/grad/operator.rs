//! Vector-Jacobian products of nodes that call an operator.

use opwright_runtime::Error;
use opwright_runtime::op::{Gradient, Operator};

use super::path::uses;
use super::request::BackwardNode;
use super::vjp::{Vjp, recorded};
use super::{formula, rewritten};
use crate::model::error::GraphError;
use crate::model::rng_replay;
use crate::model::variable::Variable;

/// The gradients for the inputs of a node of a row.
pub(super) fn gradients(
    row: &'static Operator,
    backward: &BackwardNode<'_>,
) -> Result<Vec<Option<Variable>>, GraphError> {
    if row.gradient == Gradient::NotImplemented {
        return Err(not_implemented(row, backward).into());
    }
    for input in (0..backward.wanted.len()).filter(|it| backward.wanted[*it]) {
        if let Some(param) = uses(backward.node, input).as_number {
            return Err(as_number(row, backward, input, param).into());
        }
    }
    if let Some(found) = row.formulas.and_then(|it| formula::gradients(row, it(), backward)) {
        return Ok(found);
    }
    if let Some(found) = rewritten::gradients(backward)? {
        return Ok(found);
    }
    if row.is_random() && !rng_replay::is_noted(row) {
        return Err(random(row, backward).into());
    }
    recorded(Vjp::of_row(row, backward), backward)
}

#[cold]
fn not_implemented(row: &Operator, backward: &BackwardNode<'_>) -> Error {
    let node = backward.node;
    Error::not_implemented(format_args!(
        "the gradient of `{}` is not implemented, which {} needs{}",
        row.name,
        node,
        built_at(backward)
    ))
}

#[cold]
fn as_number(row: &Operator, backward: &BackwardNode<'_>, input: usize, param: usize) -> Error {
    let variable = &backward.node.inputs()[input];
    Error::not_implemented(format_args!(
        "`{}` takes {variable} for `{}` as a number, which has no gradient{}; let it be a tensor, or \
         name it in consider_constant",
        row.name,
        row.params[param].slot.name,
        built_at(backward)
    ))
}

#[cold]
fn random(row: &Operator, backward: &BackwardNode<'_>) -> Error {
    Error::not_implemented(format_args!(
        "`{}` draws random numbers, which its gradient would have to draw again{}; draw a mask, and \
         multiply by it",
        row.name,
        built_at(backward)
    ))
}

fn built_at(backward: &BackwardNode<'_>) -> String {
    backward.node.place().map_or_else(String::new, |it| format!(" (built at {it})"))
}
