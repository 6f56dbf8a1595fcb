//! Makes nodes of calls.

use std::sync::Arc;

use opwright_runtime::Error;
use opwright_runtime::op::Operator;
use opwright_runtime::types::TypeRef;

use crate::apply::Apply;
use crate::argument::Argument;
use crate::drawn;
use crate::failure::Failure;
use crate::infer::{self, Inferred};
use crate::op::{Custom, Op};
use crate::place::Place;
use crate::room;
use crate::variable::Variable;

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
    arguments: Vec<Argument>,
    place: Option<Place>,
) -> Result<Built, Failure> {
    if row.results.is_empty() {
        return Err(writes_only(row).into());
    }
    room::check(1)?;
    let Inferred { mut types, lists } = infer::infer(row, &inputs, &arguments)?;
    if drawn::is_noted(row) {
        types.push(drawn::ty());
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

/// A node of something that is no operator, whose results are of these types.
pub fn custom(
    op: Arc<dyn Custom>,
    inputs: Vec<Variable>,
    types: Vec<TypeRef>,
    place: Option<Place>,
) -> Arc<Apply> {
    Apply::new(Op::Custom(op), inputs, Vec::new(), types, place)
}
