//! Gradients of calls of operators.

use std::sync::Arc;

use opwright_runtime::Error;
use opwright_runtime::op::{Gradient, Operator};

use super::vjp::Vjp;
use super::way::uses;
use super::{Backward, rewritten, tree};
use crate::build::call::custom;
use crate::model::failure::Failure;
use crate::model::rng_replay;
use crate::model::variable::Variable;

/// The gradients for the inputs of a node of a row.
pub(super) fn gradients(
    row: &'static Operator,
    backward: &Backward<'_>,
) -> Result<Vec<Option<Variable>>, Failure> {
    if row.gradient == Gradient::NotImplemented {
        return Err(not_implemented(row, backward).into());
    }
    for input in (0..backward.wanted.len()).filter(|it| backward.wanted[*it]) {
        if let Some(param) = uses(backward.node, input).as_number {
            return Err(as_number(row, backward, input, param).into());
        }
    }
    if let Some(found) = row.formulas.and_then(|it| tree::gradients(row, it(), backward)) {
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

/// The results of a node of `vjp` in the places of the inputs.
pub(super) fn recorded(
    vjp: Vjp,
    backward: &Backward<'_>,
) -> Result<Vec<Option<Variable>>, Failure> {
    let node = backward.node;
    let wanted = vjp.wanted().to_vec();
    let given = backward.gradients.iter().flatten();
    let drawn = rng_replay::result(node);
    let inputs = node.inputs().iter().chain(&drawn).chain(given).cloned().collect();
    let types = wanted.iter().map(|it| node.inputs()[*it].ty().clone()).collect();
    let place = backward.place.clone().or_else(|| node.place().cloned());
    let made = custom(Arc::new(vjp), inputs, types, place);
    let mut gradients = vec![None; node.inputs().len()];
    for (result, input) in made.results().into_iter().zip(wanted) {
        gradients[input] = Some(result);
    }
    Ok(gradients)
}

#[cold]
fn not_implemented(row: &Operator, backward: &Backward<'_>) -> Error {
    let node = backward.node;
    Error::not_implemented(format_args!(
        "the gradient of `{}` is not implemented, which {} needs{}",
        row.name,
        node,
        built_at(backward)
    ))
}

#[cold]
fn as_number(row: &Operator, backward: &Backward<'_>, input: usize, param: usize) -> Error {
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
fn random(row: &Operator, backward: &Backward<'_>) -> Error {
    Error::not_implemented(format_args!(
        "`{}` draws random numbers, which its gradient would have to draw again{}; draw a mask, and \
         multiply by it",
        row.name,
        built_at(backward)
    ))
}

fn built_at(backward: &Backward<'_>) -> String {
    backward.node.place().map_or_else(String::new, |it| format!(" (built at {it})"))
}
