//! Type inference: what the Meta kernels of an operator report, asked several times where
//! extents are unknown.
//!
//! Each unknown extent gets numbers that have nothing in common, and what all answers agree on is
//! the type. Where nothing is unknown, one call says it, or fails as the call itself would.

mod assignments;
mod cache;
mod element_reads;
mod inferred;
mod masks;
mod pattern;
mod probe;
mod refusal;
mod symbols;

use opwright_runtime::Result;
use opwright_runtime::op::{Operator, Type, Value};
use opwright_runtime::types::Plain;

use self::cache::CacheKey;
pub use self::inferred::Inferred;
use self::probe::{Probe, reads};
use self::symbols::{ConstantElements, Symbols};
use crate::model::argument::NodeArgument;
use crate::model::fit::NumberPolicy;
use crate::model::variable::Variable;

/// The types of the results of an overload.
///
/// # Errors
///
/// What the call would report; a rank or a number of results that depends on what is unknown.
pub fn infer(
    row: &'static Operator,
    inputs: &[Variable],
    arguments: &[NodeArgument],
) -> Result<Inferred> {
    let asked = CacheKey::of(row, inputs, arguments);
    if let Some(known) = asked.as_ref().and_then(cache::find) {
        return Ok(known);
    }
    let inferred = uncached(row, inputs, arguments).map_err(|it| it.in_op(row.base_name()))?;
    if let Some(asked) = asked {
        cache::keep(asked, &inferred);
    }
    Ok(inferred)
}

/// The strides of a result, in elements, of a call of inputs in row-major order; nothing if an extent
/// is unknown.
pub(crate) fn strides(
    row: &'static Operator,
    inputs: &[Variable],
    arguments: &[NodeArgument],
    result: usize,
) -> Option<Vec<i64>> {
    let symbols = Symbols::of(row, inputs, arguments, ConstantElements::Unread).ok()?;
    if !symbols.is_empty() {
        return None;
    }
    let mut values = symbols.values(row, arguments, NumberPolicy::GiveWay, &[]).ok()?;
    match (row.call)(&mut values).ok()?.get(result)? {
        Value::Tensor(it) => Some(it.strides().to_vec()),
        _ => None,
    }
}

fn uncached(
    row: &'static Operator,
    inputs: &[Variable],
    arguments: &[NodeArgument],
) -> Result<Inferred> {
    if let Some((inputs, arguments)) = masks::as_places(row, inputs, arguments) {
        return uncached(row, &inputs, &arguments);
    }
    let symbols = Symbols::of(row, inputs, arguments, ConstantElements::Unread)?;
    if is_of_numbers(row, inputs, arguments) {
        let probe =
            Probe { row, inputs, arguments, symbols: &symbols, numbers: NumberPolicy::Count };
        let found = probe.ask(&vec![1; symbols.len()])?;
        if let Some(inferred) = found.numbers() {
            return Ok(inferred);
        }
    }
    let probe = Probe { row, inputs, arguments, symbols: &symbols, numbers: NumberPolicy::GiveWay };
    match (probe.all(), row.types) {
        (Ok(found), _) => Ok(found.inferred()),
        (Err(_), Some(types)) => pattern::inferred(row, types, inputs, arguments),
        (Err(error), None) if reads(&error) => {
            element_reads::inferred(row, inputs, arguments, error)
        }
        (Err(error), None) => Err(error),
    }
}

/// Whether no tensor is among the arguments, but numbers stand for all that is wanted, at least one
/// of which is a variable.
fn is_of_numbers(row: &Operator, inputs: &[Variable], arguments: &[NodeArgument]) -> bool {
    let is_number = |it: &Variable| it.ty().downcast::<Plain>().is_some_and(|it| it.is_number());
    let mut found = false;
    for (param, argument) in row.params.iter().zip(arguments) {
        match (param.slot.ty, argument) {
            (Type::Tensor | Type::Optional(Type::Tensor), NodeArgument::Input(at)) => {
                if !is_number(&inputs[*at]) {
                    return false;
                }
                found |= inputs[*at].as_constant().is_none();
            }
            (Type::List(Type::Tensor, _), _) => return false,
            _ => {}
        }
    }
    found
}
