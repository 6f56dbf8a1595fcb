//! Construction of nodes for calls of overloads.

use std::sync::Arc;

use opwright_runtime::Error;
use opwright_runtime::op::Operator;

use crate::build::infer::{self, Inferred};
use crate::model::apply::{Apply, check_memory};
use crate::model::argument::NodeArgument;
use crate::model::error::GraphError;
use crate::model::label::CallSite;
use crate::model::op::Op;
use crate::model::rng_replay;
use crate::model::variable::Variable;

/// A node, and how its results are handed out.
pub struct Built {
    /// The node.
    pub node: Arc<Apply>,
    /// For each result of the operator how many results of the node it is, if it is a list.
    pub lists: Vec<Option<usize>>,
}

/// A call of an overload: `arguments` has one for each parameter, which name `inputs`.
///
/// # Errors
///
/// What the call itself would report of such values; an operator that returns nothing.
pub fn row(
    row: &'static Operator,
    inputs: Vec<Variable>,
    arguments: Vec<NodeArgument>,
    place: Option<CallSite>,
) -> Result<Built, GraphError> {
    if row.results.is_empty() {
        return Err(writes_only(row).into());
    }
    check_memory(1)?;
    let Inferred { mut types, lists } = infer::infer(row, &inputs, &arguments)?;
    if rng_replay::is_noted(row) {
        types.push(rng_replay::ty());
    }
    Ok(Built { node: Apply::new(Op::Row(row), inputs, arguments, types, place), lists })
}

#[cold]
fn writes_only(row: &Operator) -> Error {
    let instead = row.functional.map_or_else(String::new, |it| format!("; call {it}"));
    Error::wrong_type(format_args!(
        "{} returns nothing, and variables are not written to{instead}",
        row.name
    ))
}
