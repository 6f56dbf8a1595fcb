//! Graphs with other variables in the places of some.

use std::collections::HashMap;

use crate::failure::Failure;
use crate::rewrite::{filtered, rebuilt};
use crate::traverse::nodes;
use crate::variable::{Key, Variable};

/// What `wanted` becomes where each of `pairs` stands for the variable beside it, all at once.
///
/// # Errors
///
/// A variable whose type has no value in common with that of the one that it stands for; what an
/// operator reports of other types.
pub fn substituted(
    wanted: &[Variable],
    pairs: &[(Variable, Variable)],
) -> Result<Vec<Variable>, Failure> {
    let olds: Vec<Variable> = pairs.iter().map(|(old, _)| old.clone()).collect();
    let mut replaced: HashMap<Key, Variable> = HashMap::new();
    for (old, new) in pairs {
        replaced.insert(old.key(), filtered(old, new.clone())?);
    }
    for node in nodes(&olds, wanted) {
        let now = rebuilt(&node, &replaced)?;
        for (old, new) in node.results().into_iter().zip(now.results()) {
            if old != new {
                replaced.entry(old.key()).or_insert(new);
            }
        }
    }
    Ok(wanted.iter().map(|it| replaced.get(&it.key()).unwrap_or(it).clone()).collect())
}
