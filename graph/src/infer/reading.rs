//! Calls that read elements, so that no Meta kernel can answer.

use std::sync::Arc;

use opwright_runtime::op::{Operator, Type, Value};
use opwright_runtime::types::{Plain, TensorType, TypeRef};
use opwright_runtime::{Error, Result, Tensor, view};

use super::symbols::{Elements, Symbols};
use super::{Inferred, Probe, reads};
use crate::argument::Argument;
use crate::fit::Numbers;
use crate::variable::Variable;

/// The types of the results: plain values whatever the elements are, or what follows from those of
/// constants.
///
/// # Errors
///
/// What the call reports of such constants, and `Type` for a variable whose elements it reads.
pub(super) fn inferred(
    row: &'static Operator,
    inputs: &[Variable],
    arguments: &[Argument],
    error: Error,
) -> Result<Inferred> {
    if let Some(types) = row.results.iter().map(|it| plain(&it.ty)).collect::<Option<Vec<_>>>() {
        return Ok(Inferred { lists: vec![None; types.len()], types });
    }
    match with_elements(row, inputs, arguments) {
        Err(again) if reads(&again) => Err(match culprit(row, inputs, arguments) {
            Some(param) => hangs_on(param),
            None => error,
        }),
        known => known,
    }
}

fn plain(ty: &Type) -> Option<TypeRef> {
    let plain = match ty {
        Type::Bool => Plain::Boolean,
        Type::Int => Plain::Int64,
        Type::Float => Plain::Double,
        _ => return None,
    };
    Some(Arc::new(plain))
}

/// Asks with constants as they are.
fn with_elements(
    row: &'static Operator,
    inputs: &[Variable],
    arguments: &[Argument],
) -> Result<Inferred> {
    let symbols = Symbols::of(row, inputs, arguments, Elements::Read)?;
    let probe = Probe { row, inputs, arguments, symbols: &symbols, numbers: Numbers::GiveWay };
    probe.all().map(super::answer::Answer::inferred)
}

/// The parameter whose elements are read: a call with zeros in its place reads none that are not
/// there.
fn culprit(
    row: &'static Operator,
    inputs: &[Variable],
    arguments: &[Argument],
) -> Option<&'static str> {
    let mut params = row.params.iter().zip(arguments);
    let read = params.find(|(_, argument)| {
        let Argument::Input(at) = argument else { return false };
        zeros(&inputs[*at]).is_some_and(|zeros| {
            let mut inputs = inputs.to_vec();
            inputs[*at] = zeros;
            !matches!(with_elements(row, &inputs, arguments), Err(error) if reads(&error))
        })
    });
    read.map(|(param, _)| param.slot.name)
}

/// A constant of the type of a variable.
fn zeros(variable: &Variable) -> Option<Variable> {
    if variable.as_constant().is_some() {
        return None;
    }
    let ty = variable.ty().downcast::<TensorType>()?;
    let shape: Vec<i64> = ty.shape().iter().map(|it| it.unwrap_or(1)).collect();
    // Of the first element alone, however many there are.
    let one = Tensor::from_scalar(0.into(), ty.dtype()).ok()?;
    let zeros = view::expand(&one, &shape).ok()?;
    Some(Variable::constant(TensorType::of(&zeros).shared(), Value::Tensor(zeros), None))
}

#[cold]
fn hangs_on(param: &str) -> Error {
    Error::wrong_type(format_args!(
        "the types of the results hang on the elements of '{param}', which is a variable; give a \
         tensor"
    ))
}
