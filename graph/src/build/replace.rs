//! Graphs with other variables in them, copies of graphs, and graphs that compute the same.

use std::collections::HashSet;
use std::sync::Arc;

use crate::build::substitution::{Substitution, filtered};
use crate::model::failure::GraphError;
use crate::model::structural_equality;
use crate::model::traverse::nodes;
use crate::model::variable::{Variable, VariableKey};

/// The outputs with other variables in the place of some: what hangs on nothing that was replaced
/// is the same as before.
///
/// A replacement is of the type of what it replaces, or is found to be when it runs; the types of
/// what hangs on it are inferred anew.
///
/// # Errors
///
/// A replacement of another dtype or rank, and what calls report of the new types.
pub fn replaced(
    outputs: &[Variable],
    replacements: &[(Variable, Variable)],
) -> Result<Vec<Variable>, GraphError> {
    let mut replaced = Substitution::default();
    for (old, new) in replacements {
        replaced.put(old, filtered(old, new.clone())?);
    }
    let given: Vec<Variable> = replacements.iter().map(|(old, _)| old.clone()).collect();
    for node in nodes(&given, outputs) {
        let now = replaced.anew(&node)?;
        if Arc::ptr_eq(&now, &node) {
            continue;
        }
        for (old, new) in node.results().iter().zip(now.results()) {
            if replaced.of(old) == *old {
                replaced.put(old, filtered(old, new)?);
            }
        }
    }
    Ok(replaced.of_all(outputs))
}

/// A copy of a graph, all of whose nodes are new: its inputs, and its outputs.
///
/// Constants, and variables that functions update, are not copied; neither are inputs that are not
/// in `inputs`.
pub fn copied(inputs: &[Variable], outputs: &[Variable]) -> (Vec<Variable>, Vec<Variable>) {
    let leaf = |it: &Variable| match (it.as_constant(), it.as_shared()) {
        (None, None) => Variable::new(it.ty().clone(), it.label().name().as_deref()),
        _ => it.clone(),
    };
    let leaves: Vec<Variable> = inputs.iter().map(leaf).collect();
    let mut replaced = Substitution::default();
    inputs.iter().zip(&leaves).for_each(|(old, new)| replaced.put(old, new.clone()));
    for node in nodes(inputs, outputs) {
        replaced.put_results(&node.results(), &replaced.copy(&node));
    }
    (leaves, replaced.of_all(outputs))
}

/// Whether both compute the same of the same leaves, by the same calls: nothing is known of
/// algebra.
pub fn equal_computations(xs: &[Variable], ys: &[Variable]) -> bool {
    if xs.len() != ys.len() {
        return false;
    }
    let mut compared: HashSet<(VariableKey, VariableKey)> = HashSet::new();
    let mut pending: Vec<(Variable, Variable)> =
        xs.iter().cloned().zip(ys.iter().cloned()).collect();
    while let Some((a, b)) = pending.pop() {
        if a == b || !compared.insert((a.key(), b.key())) {
            continue;
        }
        match (a.owner(), b.owner()) {
            (Some((one, at)), Some((other, place)))
                if at == place && structural_equality::nodes(one, other) =>
            {
                if one.inputs().len() != other.inputs().len() {
                    return false;
                }
                pending.extend(one.inputs().iter().cloned().zip(other.inputs().iter().cloned()));
            }
            (None, None) if same_constants(&a, &b) => {}
            _ => return false,
        }
    }
    true
}

fn same_constants(a: &Variable, b: &Variable) -> bool {
    match (a.as_constant(), b.as_constant()) {
        (Some(one), Some(other)) => a.ty().equals(&**b.ty()) && a.ty().same(one, other),
        _ => false,
    }
}
