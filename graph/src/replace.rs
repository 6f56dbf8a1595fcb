//! Graphs with other variables in them, copies of graphs, and graphs that compute the same.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use opwright_runtime::Error;

use crate::apply::Apply;
use crate::build;
use crate::failure::Failure;
use crate::intrinsic::specified;
use crate::op::Op;
use crate::same;
use crate::traverse::nodes;
use crate::variable::{Key, Variable};

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
) -> Result<Vec<Variable>, Failure> {
    let mut now: HashMap<Key, Variable> = HashMap::new();
    for (old, new) in replacements {
        now.insert(old.key(), in_place_of(old, new)?);
    }
    let given: Vec<Variable> = replacements.iter().map(|(old, _)| old.clone()).collect();
    for node in nodes(&given, outputs) {
        if !node.inputs().iter().any(|it| now.contains_key(&it.key())) {
            continue;
        }
        let made = anew(&node, &now)?;
        for (at, old) in node.results().into_iter().enumerate() {
            now.entry(old.key()).or_insert_with(|| made[at].clone());
        }
    }
    Ok(outputs.iter().map(|it| now.get(&it.key()).unwrap_or(it).clone()).collect())
}

/// A replacement with what is known of the old variable.
fn in_place_of(old: &Variable, new: &Variable) -> Result<Variable, Failure> {
    if old.ty().is_super(&**new.ty()) {
        return Ok(new.clone());
    }
    if old.ty().meet(new.ty()).is_err() {
        return Err(other_type(old, new).into());
    }
    specified(new, old.ty(), None)
}

#[cold]
fn other_type(old: &Variable, new: &Variable) -> Error {
    Error::wrong_type(format_args!(
        "{old} cannot be replaced by {new}: it is {}, and the other {}",
        old.ty(),
        new.ty()
    ))
}

/// The results of a node with what stands for its inputs.
fn anew(node: &Arc<Apply>, now: &HashMap<Key, Variable>) -> Result<Vec<Variable>, Failure> {
    let input = |it: &Variable| now.get(&it.key()).unwrap_or(it).clone();
    let inputs: Vec<Variable> = node.inputs().iter().map(input).collect();
    let (arguments, place) = (node.arguments().to_vec(), node.place().cloned());
    let made = match node.op() {
        Op::Row(row) => build::row(row, inputs, arguments, place)?.node,
        Op::Custom(op) => match op.types(&inputs)? {
            Some(types) => build::custom(op.clone(), inputs, types, place),
            None => {
                let types = node.outputs().iter().map(|it| it.ty().clone()).collect();
                build::custom(op.clone(), inputs, types, place)
            }
        },
    };
    if made.outputs().len() != node.outputs().len() {
        return Err(other_count(node, &made).into());
    }
    let pairs = node.results().into_iter().zip(made.results());
    pairs
        .map(|(old, new)| {
            new.label().rename(old.label().name().as_deref());
            in_place_of(&old, &new)
        })
        .collect()
}

#[cold]
fn other_count(node: &Apply, made: &Apply) -> Error {
    Error::wrong_type(format_args!(
        "{node} has {} results, and {} with the replacements",
        node.outputs().len(),
        made.outputs().len()
    ))
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
    let pairs = inputs.iter().zip(&leaves);
    let mut now: HashMap<Key, Variable> = pairs.map(|(a, b)| (a.key(), b.clone())).collect();
    for node in nodes(inputs, outputs) {
        let input = |it: &Variable| now.get(&it.key()).unwrap_or(it).clone();
        let made = Apply::new(
            node.op().clone(),
            node.inputs().iter().map(input).collect(),
            node.arguments().to_vec(),
            node.outputs().iter().map(|it| it.ty().clone()).collect(),
            node.place().cloned(),
        );
        for (old, new) in node.results().into_iter().zip(made.results()) {
            new.label().rename(old.label().name().as_deref());
            now.entry(old.key()).or_insert(new);
        }
    }
    let outputs = outputs.iter().map(|it| now.get(&it.key()).unwrap_or(it).clone()).collect();
    (leaves, outputs)
}

/// Whether both compute the same of the same leaves, by the same calls: nothing is known of
/// algebra.
pub fn equal_computations(xs: &[Variable], ys: &[Variable]) -> bool {
    if xs.len() != ys.len() {
        return false;
    }
    let mut compared: HashSet<(Key, Key)> = HashSet::new();
    let mut pending: Vec<(Variable, Variable)> =
        xs.iter().cloned().zip(ys.iter().cloned()).collect();
    while let Some((a, b)) = pending.pop() {
        if a == b || !compared.insert((a.key(), b.key())) {
            continue;
        }
        match (a.owner(), b.owner()) {
            (Some((one, at)), Some((other, place))) if at == place && same::nodes(one, other) => {
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
