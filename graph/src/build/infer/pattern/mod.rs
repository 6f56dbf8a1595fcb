//! Declared types of results, as patterns: `[T; n, m] , [T; m, k] -> [T; n, k]`.
//!
//! That is for operators whose Meta kernels cannot answer, as results depend on elements.

mod unify;

use opwright_formula::types::parse;
use opwright_runtime::op::Operator;
use opwright_runtime::{Error, Result};

use self::unify::Unifier;
use super::inferred::Inferred;
use crate::model::argument::NodeArgument;
use crate::model::variable::Variable;

/// What the entry of an operator says of a call, if it says something.
pub(super) fn inferred(
    row: &'static Operator,
    types: &str,
    inputs: &[Variable],
    arguments: &[NodeArgument],
) -> Result<Inferred> {
    let patterns = parse(types).map_err(|it| {
        Error::runtime(format_args!("the pattern `{types}` of its types is wrong: {it}"))
    })?;
    let mut refused = None;
    for pattern in &patterns {
        match Unifier::new(row, inputs, arguments).inferred(pattern) {
            Ok(inferred) => return Ok(inferred),
            Err(error) => refused = Some(error),
        }
    }
    Err(refused.unwrap_or_else(|| Error::runtime("there is no pattern of its types")))
}

#[cfg(test)]
mod tests;
