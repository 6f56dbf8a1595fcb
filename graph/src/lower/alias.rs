//! Alias analysis: what a function hands out is the caller's alone.
//!
//! A result that may be a part of an argument, of a constant, of a shared variable or of another
//! result is copied, unless both sides say that they lend. So is a new value of a shared variable
//! that somebody else has.

use std::collections::HashMap;
use std::sync::Arc;

use opwright_runtime::op::{Operator, Sets};
use opwright_runtime::types::Plain;

use crate::build::intrinsic::DeepCopy;
use crate::lower::spec::{InputSpec, OutputSpec};
use crate::model::apply::{Apply, custom};
use crate::model::argument::NodeArgument;
use crate::model::op::Op;
use crate::model::traverse::nodes;
use crate::model::variable::{Variable, VariableKey};

/// Puts copies where memory would be shared.
pub(crate) fn settle(
    given: &[InputSpec],
    wanted: &mut [OutputSpec],
    updates: &mut [(Variable, Variable)],
) {
    let roots = AliasRoots::of(given, wanted, updates);
    let mut kept: Vec<Variable> = Vec::new();
    for at in 0..updates.len() {
        let own = roots.get(&updates[at].1);
        let is_taken = |it: &Variable| {
            let is_given = given.iter().any(|given| given.variable == *it);
            let stays = it.as_shared().is_some() && !updates.iter().any(|(key, _)| key == it);
            is_given || stays || it.as_constant().is_some() || kept.contains(it)
        };
        if own.iter().any(is_taken) {
            updates[at].1 = copied(&updates[at].1);
        } else {
            kept.extend(own);
        }
    }
    let mut handed: Vec<(Variable, bool)> = Vec::new();
    for output in wanted {
        let own = roots.get(&output.variable);
        let is_lent = output.is_lent;
        let meets = |root: &Variable| {
            let is_others = given.iter().any(|it| it.variable == *root && !(it.is_lent && is_lent))
                || handed.iter().any(|(it, lent)| it == root && !(*lent && is_lent));
            let is_ours = root.as_shared().is_some() || root.as_constant().is_some();
            is_others || (!is_lent && (is_ours || kept.contains(root)))
        };
        if own.iter().any(meets) {
            output.variable = copied(&output.variable);
        } else {
            handed.extend(own.into_iter().map(|it| (it, is_lent)));
        }
    }
}

/// The variables whose memory leaves the function with what is wanted.
pub(crate) fn escaping(inputs: &[Variable], wanted: &[Variable]) -> Vec<Variable> {
    let roots = AliasRoots::among(inputs, wanted);
    wanted.iter().flat_map(|it| roots.get(it)).collect()
}

fn copied(variable: &Variable) -> Variable {
    let ty = variable.ty().clone();
    Variable::output(custom(Arc::new(DeepCopy), vec![variable.clone()], vec![ty], None), 0)
}

/// For each variable those whose memory it may have.
struct AliasRoots(HashMap<VariableKey, Vec<Variable>>);

impl AliasRoots {
    fn of(
        given: &[InputSpec],
        wanted: &[OutputSpec],
        updates: &[(Variable, Variable)],
    ) -> AliasRoots {
        let inputs: Vec<Variable> = given.iter().map(|it| it.variable.clone()).collect();
        let wanted = wanted.iter().map(|it| &it.variable).chain(updates.iter().map(|(_, it)| it));
        AliasRoots::among(&inputs, &wanted.cloned().collect::<Vec<Variable>>())
    }

    fn among(inputs: &[Variable], wanted: &[Variable]) -> AliasRoots {
        let mut roots = AliasRoots(HashMap::new());
        for node in nodes(inputs, wanted) {
            for (at, result) in node.results().into_iter().enumerate() {
                if inputs.contains(&result) {
                    continue;
                }
                let mut found: Vec<Variable> = Vec::new();
                for input in viewed(&node, at) {
                    found.extend(roots.get(&node.inputs()[input]));
                }
                if !found.is_empty() {
                    roots.0.insert(result.key(), found);
                }
            }
        }
        roots
    }

    /// Itself, unless it is a view. Plain values share nothing.
    fn get(&self, variable: &Variable) -> Vec<Variable> {
        if variable.ty().downcast::<Plain>().is_some() {
            return Vec::new();
        }
        self.0.get(&variable.key()).cloned().unwrap_or_else(|| vec![variable.clone()])
    }
}

/// The inputs of whose memory a result may be a part.
pub(crate) fn viewed(node: &Apply, output: usize) -> Vec<usize> {
    let row = match node.op() {
        Op::Custom(it) => return it.views(output).to_vec(),
        Op::Row(row) => row,
    };
    let mut found = Vec::new();
    for (param, argument) in row.params.iter().zip(node.arguments()) {
        if sets(row, node, output).any(|it| it.meet(param.slot.sets)) {
            named(argument, &mut found);
        }
    }
    found
}

/// The alias sets of a result: those of all results where some are lists.
fn sets(row: &'static Operator, node: &Apply, output: usize) -> impl Iterator<Item = Sets> {
    let is_each = row.results.len() == node.outputs().len();
    let results = row.results.iter().enumerate();
    results.filter(move |(at, _)| !is_each || *at == output).map(|(_, it)| it.sets)
}

fn named(argument: &NodeArgument, found: &mut Vec<usize>) {
    match argument {
        NodeArgument::Input(at) => found.push(*at),
        NodeArgument::Value(_) => {}
        NodeArgument::List(items) => items.iter().for_each(|it| named(it, found)),
    }
}
