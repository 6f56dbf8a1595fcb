//! Substitution of variables, and copies of graphs.

use std::collections::HashMap;
use std::sync::Arc;

use opwright_runtime::Error;
use opwright_runtime::types::TypeRef;

use crate::build::call;
use crate::build::intrinsic::specified;
use crate::model::apply::Apply;
use crate::model::error::GraphError;
use crate::model::op::Op;
use crate::model::traverse::nodes;
use crate::model::variable::{Variable, VariableKey};

/// What stands for variables of a graph, which lives at least as long.
#[derive(Default)]
pub(crate) struct Substitution(HashMap<VariableKey, Variable>);

impl Substitution {
    /// Whether nothing stands for anything.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Lets a variable stand for another one.
    pub(crate) fn put(&mut self, old: &Variable, new: Variable) {
        self.0.insert(old.key(), new);
    }

    /// Lets nothing stand for a variable.
    pub(crate) fn forget(&mut self, old: &Variable) {
        self.0.remove(&old.key());
    }

    /// Lets the results of a node stand for variables for which nothing does.
    pub(crate) fn put_results(&mut self, old: &[Variable], node: &Arc<Apply>) {
        for (old, new) in old.iter().zip(node.results()) {
            new.label().rename(old.label().name().as_deref());
            self.0.entry(old.key()).or_insert(new);
        }
    }

    /// What stands for a variable: itself if nothing does.
    pub(crate) fn of(&self, variable: &Variable) -> Variable {
        self.0.get(&variable.key()).unwrap_or(variable).clone()
    }

    /// The same for each of several.
    pub(crate) fn of_all(&self, variables: &[Variable]) -> Vec<Variable> {
        variables.iter().map(|it| self.of(it)).collect()
    }

    /// A node that does the same with what stands for its inputs, and has results of the same types.
    pub(crate) fn copy(&self, node: &Apply) -> Arc<Apply> {
        let types = node.outputs().iter().map(|it| it.ty().clone()).collect();
        self.made(node, types)
    }

    /// The same, or the node itself if nothing stands for an input.
    pub(crate) fn alike(&self, node: &Arc<Apply>) -> Arc<Apply> {
        if self.concerns(node) { self.copy(node) } else { node.clone() }
    }

    /// The same with results of the types that follow from those of the inputs.
    ///
    /// # Errors
    ///
    /// What the call reports of inputs of these types.
    pub(crate) fn anew(&self, node: &Arc<Apply>) -> Result<Arc<Apply>, GraphError> {
        let inputs = self.of_all(node.inputs());
        let is_same = |(a, b): (&Variable, &Variable)| a.ty().equals(&**b.ty());
        if node.inputs().iter().zip(&inputs).all(is_same) {
            return Ok(self.alike(node));
        }
        let made = match node.op() {
            Op::Row(row) => {
                let (arguments, place) = (node.arguments().to_vec(), node.place().cloned());
                call::row(row, inputs, arguments, place)?.node
            }
            Op::Custom(op) => match op.types(&inputs)? {
                Some(types) => self.made(node, types),
                None => self.copy(node),
            },
        };
        if made.outputs().len() != node.outputs().len() {
            return Err(other_count(node, &made).into());
        }
        name(node, &made);
        Ok(made)
    }

    fn concerns(&self, node: &Apply) -> bool {
        node.inputs().iter().any(|it| self.0.contains_key(&it.key()))
    }

    fn made(&self, node: &Apply, types: Vec<TypeRef>) -> Arc<Apply> {
        let (op, place) = (node.op().clone(), node.place().cloned());
        let inputs = self.of_all(node.inputs());
        let made = Apply::new(op, inputs, node.arguments().to_vec(), types, place);
        name(node, &made);
        made
    }
}

/// Results are called as they were.
fn name(old: &Apply, new: &Apply) {
    for (old, new) in old.outputs().iter().zip(new.outputs()) {
        new.label().rename(old.label().name().as_deref());
    }
}

#[cold]
fn other_count(node: &Apply, made: &Apply) -> Error {
    Error::wrong_type(format_args!(
        "{node} has {} results, and {} with the replacements",
        node.outputs().len(),
        made.outputs().len()
    ))
}

/// A variable in the place of another one: of its type, or found to be when it runs.
///
/// # Errors
///
/// `Type` if their types have no value in common.
pub(crate) fn filtered(old: &Variable, new: Variable) -> Result<Variable, GraphError> {
    if old.ty().is_super(&**new.ty()) {
        return Ok(new);
    }
    if old.ty().meet(new.ty()).is_err() {
        return Err(other_type(old, &new).into());
    }
    specified(&new, old.ty(), None)
}

#[cold]
fn other_type(old: &Variable, new: &Variable) -> Error {
    Error::wrong_type(format_args!(
        "{old} cannot be replaced by {new}: it is {}, and the other {}",
        old.ty(),
        new.ty()
    ))
}

/// The outputs with other variables in the place of some: what depends on nothing that was replaced
/// is the same as before.
///
/// A replacement is of the type of what it replaces, or is found to be when it runs; the types of
/// what depends on it are inferred anew.
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
