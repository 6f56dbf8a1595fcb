//! Checks that an operator's inner loop does what the operator does.

use crate::iterate::InnerLoop;
use crate::iterate::inner_loop::Then;
use crate::op::{Calculates, ElementLoop, Type, Value};
use crate::promote::{compared_type, result_type};
use crate::testing::state::TensorState;
use crate::testing::trial::{Done, Trial};
use crate::{DType, Device, Result, Tensor, view};

pub(super) fn inner_loop(trial: &Trial<'_>, problems: &mut Vec<String>) -> Done {
    let Some(of) = trial.operator.inner_loop.filter(|_| !trial.operator.mutates()) else {
        return Ok(());
    };
    let values = trial.sample.values()?;
    let tensors: Vec<&Tensor> = values.iter().flat_map(Value::tensors).collect();
    let expected: Vec<&Tensor> = trial.results.iter().flat_map(Value::tensors).collect();
    let (Some(first), false) = (expected.first(), tensors.is_empty()) else { return Ok(()) };
    let dtype = dtype(of.calculates, first, &values)?;
    let mut filled = Vec::new();
    make(of, dtype, trial, &mut |it| {
        filled = run(&it, dtype, &tensors, first.shape())?;
        Ok(())
    })?;
    for (expected, filled) in expected.iter().zip(&filled) {
        let filled = TensorState::of(&filled.to_dtype(expected.dtype())?)?;
        if !TensorState::of(expected)?.is_close(&filled)? {
            problems.push(format!("its inner loop gives something else for {dtype}"));
        }
    }
    if expected.len() != filled.len() {
        problems.push(format!("its inner loop has {} results", filled.len()));
    }
    Ok(())
}

fn dtype(calculates: Calculates, result: &Tensor, values: &[Value]) -> Result<DType> {
    let tensors =
        |params: &[usize]| params.iter().map(|&it| values[it].tensor()).collect::<Result<Vec<_>>>();
    let common = |params: &[usize]| result_type(&tensors(params)?);
    match calculates {
        Calculates::InResult => Ok(result.dtype()),
        Calculates::InCommon(params) => common(params),
        Calculates::InFloating(params) => Ok(common(params)?.to_floating()),
        Calculates::Compared(params) => compared_type(&tensors(params)?),
    }
}

fn make(of: &ElementLoop, dtype: DType, trial: &Trial<'_>, then: Then<'_>) -> Result<()> {
    let params = trial.operator.params.iter().zip(trial.sample.values()?);
    let others = params.filter(|(param, _)| !param.is_out && param.slot.ty != Type::Tensor);
    let mut others: Vec<Value> = others.map(|(_, value)| value).collect();
    (of.make)(dtype, &mut others, then)
}

/// What the loop makes of the elements of tensors, stretched to a shape.
fn run(
    it: &InnerLoop<'_>,
    dtype: DType,
    tensors: &[&Tensor],
    shape: &[i64],
) -> Result<Vec<Tensor>> {
    let mut inputs = Vec::new();
    for (tensor, &read) in tensors.iter().zip(it.inputs()) {
        let tensor = if dtype.is_integral() { tensor.to_dtype(dtype)? } else { (*tensor).clone() };
        inputs.push(view::expand(&tensor.to_dtype(read)?, shape)?.copy()?.to_contiguous()?);
    }
    let outputs = it.outputs().iter().map(|&dtype| Tensor::allocate(shape, dtype, Device::Cpu));
    let outputs = outputs.collect::<Result<Vec<_>>>()?;
    let pointer = |it: &Tensor| it.data_ptr();
    let sources: Vec<*const u8> = inputs.iter().map(|it| pointer(it).cast_const()).collect();
    let targets: Vec<*mut u8> = outputs.iter().map(pointer).collect();
    let count = outputs.first().map_or(0, Tensor::numel);
    // SAFETY: the tensors are contiguous, of the dtypes that the loop names and of one shape, and
    // nobody else has them.
    unsafe { it.over_block(&sources, &targets, count) };
    Ok(outputs)
}
