//! Gradients by decomposition: those of what a rewrite replaces a call by.

use std::sync::Arc;

use super::grad;
use super::request::{BackwardNode, Request};
use crate::build::substitution::{copied, replaced};
use crate::model::error::GraphError;
use crate::model::variable::Variable;
use crate::rewrite::RewriteRule;

/// The gradients for the inputs of a node; none if no rewrite is for it.
pub(super) fn gradients(
    backward: &BackwardNode<'_>,
) -> Result<Option<Vec<Option<Variable>>>, GraphError> {
    let (node, calculus) = (backward.node, backward.calculus);
    let [Some(gradient)] = backward.gradients else { return Ok(None) };
    // Of leaves of its own, since an input may depend on another one.
    let (leaves, calls) = copied(node.inputs(), &node.results());
    let Some(call) = calls.first() else { return Ok(None) };
    let replaced_by = |rule: &Arc<RewriteRule>| rule.apply(call, &calculus.rows).transpose();
    let Some(new) = calculus.rules.iter().find_map(replaced_by).transpose()? else {
        return Ok(None);
    };
    let wanted: Vec<usize> = (0..leaves.len()).filter(|it| backward.wanted[*it]).collect();
    let wrt: Vec<Variable> = wanted.iter().map(|it| leaves[*it].clone()).collect();
    let known = [(new, gradient.clone())];
    let place = backward.place.clone().or_else(|| node.place().cloned());
    let request = Request { cost: None, wrt: &wrt, known: &known, constant: &[], place };
    let found = grad(&request, calculus)?;
    let inputs: Vec<(Variable, Variable)> =
        leaves.into_iter().zip(node.inputs().iter().cloned()).collect();
    let mut gradients = vec![None; node.inputs().len()];
    for (at, gradient) in wanted.into_iter().zip(replaced(&found.gradients, &inputs)?) {
        gradients[at] = Some(gradient);
    }
    Ok(Some(gradients))
}
