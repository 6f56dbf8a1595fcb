//! Inference for calls that read elements, which no Meta kernel can answer.

use std::sync::Arc;

use opwright_runtime::op::{Operator, Type, Value};
use opwright_runtime::types::{Plain, TensorType, TypeRef};
use opwright_runtime::{Error, Result, Tensor, view};

use super::inferred::{Inferred, ResultTypes};
use super::probe::{Probe, reads};
use super::symbols::{ConstantElements, Symbols};
use crate::model::argument::NodeArgument;
use crate::model::fit::NumberPolicy;
use crate::model::variable::Variable;

/// The types of the results: plain values whatever the elements are, or what follows from those of
/// constants.
///
/// # Errors
///
/// What the call reports of such constants, and `Type` for a variable whose elements it reads.
pub(super) fn inferred(
    row: &'static Operator,
    inputs: &[Variable],
    arguments: &[NodeArgument],
    error: Error,
) -> Result<Inferred> {
    if let Some(types) = row.results.iter().map(|it| plain(&it.ty)).collect::<Option<Vec<_>>>() {
        return Ok(Inferred { lists: vec![None; types.len()], types });
    }
    match with_elements(row, inputs, arguments) {
        // It does not read elements: what comes out without them is unknown.
        Err(again) if lacks_meta(&again) => Err(no_meta(row, &again)),
        Err(again) if reads(&again) => Err(match culprit(row, inputs, arguments) {
            Some(param) => depends_on(param),
            None => error,
        }),
        known => known,
    }
}

/// Whether a call failed because an operator has no Meta kernel.
fn lacks_meta(error: &Error) -> bool {
    reads(error) && error.to_string().contains(NO_META)
}

/// What [`opwright_runtime::dispatch`] says of operators without one.
const NO_META: &str = "has no kernel for Meta tensors";

#[cold]
fn no_meta(row: &Operator, error: &Error) -> Error {
    let text = error.to_string();
    let before = text.split(NO_META).next().unwrap_or_default();
    let inner = before.rsplit(": ").next().unwrap_or_default().trim();
    let called = if inner.is_empty() || inner == row.name || inner == row.base_name() {
        String::new()
    } else {
        format!("{inner}, which it calls, ")
    };
    Error::wrong_type(format_args!(
        "{called}has no Meta kernel, so that the types of the results are unknown; write one with \
         `key = Meta`, or say the types in {} with `types`",
        if called.is_empty() {
            "its entry or attribute"
        } else {
            "the entry or attribute of either"
        }
    ))
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
    arguments: &[NodeArgument],
) -> Result<Inferred> {
    let symbols = Symbols::of(row, inputs, arguments, ConstantElements::Read)?;
    let probe = Probe { row, inputs, arguments, symbols: &symbols, numbers: NumberPolicy::GiveWay };
    probe.all().map(ResultTypes::inferred)
}

/// The parameter whose elements are read: a call with zeros in its place reads none that are not
/// there.
fn culprit(
    row: &'static Operator,
    inputs: &[Variable],
    arguments: &[NodeArgument],
) -> Option<&'static str> {
    let mut params = row.params.iter().zip(arguments);
    let read = params.find(|(_, argument)| {
        let NodeArgument::Input(at) = argument else { return false };
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
fn depends_on(param: &str) -> Error {
    Error::wrong_type(format_args!(
        "the types of the results depend on the elements of '{param}', which is a variable; give a \
         tensor"
    ))
}

#[cfg(test)]
mod tests {
    use opwright_runtime::Error;
    use opwright_runtime::op::{Gradient, Operator, Param, Results, Slot, Type, Value};
    use opwright_runtime::types::TensorType;

    use crate::build::infer::infer;
    use crate::model::argument::NodeArgument;
    use crate::model::variable::Variable;

    fn refused(text: &str) -> opwright_runtime::Result<Results> {
        Err(Error::not_implemented(text))
    }

    const WAIT: Operator = Operator {
        name: "wait",
        schema: "wait(Tensor self) -> Tensor",
        params: &[Param::new(Slot::new("self", Type::Tensor))],
        results: &[Slot::new("", Type::Tensor)],
        tags: &[],
        functional: None,
        in_place: None,
        out: None,
        call: |values: &mut [Value]| match values[0].tensor()?.device().is_meta() {
            true => refused("wait has no kernel for Meta tensors; there are kernels for: CPU"),
            false => Err(Error::runtime("it is not called")),
        },
        types: None,
        inner_loop: None,
        reduction: None,
        gradient: Gradient::None,
        formulas: None,
    };

    static OWN: Operator = WAIT;
    static CALLER: Operator =
        Operator { name: "caller", schema: "caller(Tensor self) -> Tensor", ..WAIT };

    fn message(row: &'static Operator) -> String {
        let ty = TensorType::new(opwright_runtime::DType::Float32, vec![Some(2)]).shared();
        let inferred = infer(row, &[Variable::new(ty, None)], &[NodeArgument::Input(0)]);
        inferred.map_or_else(|it| it.to_string(), |_| String::new())
    }

    #[test]
    fn without_a_meta_kernel_the_way_out_is_named() {
        assert_eq!(
            message(&OWN),
            "wait(): has no Meta kernel, so that the types of the results are unknown; write one \
             with `key = Meta`, or say the types in its entry or attribute with `types`"
        );
        assert_eq!(
            message(&CALLER),
            "caller(): wait, which it calls, has no Meta kernel, so that the types of the results \
             are unknown; write one with `key = Meta`, or say the types in the entry or attribute \
             of either with `types`"
        );
    }
}
