//! Checks that functional, in-place and `out=` variants agree.

use crate::op::Value;
use crate::op::{Operator, Type};
use crate::testing::state::TensorState;
use crate::testing::trial::{Done, Trial, call};
use crate::{Device, Result, Tensor, view};

/// `out=` receives what is returned without it, whatever it was before.
pub(super) fn out(trial: &Trial<'_>, table: &[Operator], problems: &mut Vec<String>) -> Done {
    let Some(form) = form(table, trial.operator, trial.operator.out) else { return Ok(()) };
    let expected = trial.outcome()?;
    for make in [fitting, empty, spread] {
        let targets: Vec<Tensor> = expected.iter().map(make).collect::<Result<_>>()?;
        let mut rest = targets.into_iter();
        let mut values = arguments(trial, form, &mut rest)?;
        call(form, &mut values)?;
        let written = form.params.iter().zip(&values).filter(|(param, _)| param.is_out);
        let written: Vec<&Tensor> = written.flat_map(|(_, value)| value.tensors()).collect();
        for (got, expected) in TensorState::of_all(&written)?.iter().zip(&expected) {
            if !got.is_same(expected)? {
                problems.push(format!(
                    "`{}` receives {got}, and without it {expected} is returned, or other elements",
                    form.name
                ));
            }
        }
        if written.len() != expected.len() {
            problems.push(format!("`{}` has {} targets", form.name, written.len()));
        }
    }
    Ok(())
}

/// A target of the right shape, with other elements than it gets.
fn fitting(expected: &TensorState) -> Result<Tensor> {
    Tensor::filled(expected.shape(), 1.into(), expected.dtype(), Device::Cpu)
}

/// A target that has to grow.
fn empty(expected: &TensorState) -> Result<Tensor> {
    Tensor::zeroed(&[0], expected.dtype(), Device::Cpu)
}

/// A target of the right shape that does not lie in row-major order.
fn spread(expected: &TensorState) -> Result<Tensor> {
    let mut tensor = fitting(expected)?;
    for dim in 0..tensor.ndim() {
        tensor = view::flip(&tensor, dim)?;
    }
    Ok(tensor)
}

/// The arguments of the call for another form of the operator, with new tensors.
fn arguments(
    trial: &Trial<'_>,
    form: &Operator,
    targets: &mut dyn Iterator<Item = Tensor>,
) -> Result<Vec<Value>> {
    let values = trial.sample.values()?;
    let names = trial.operator.params.iter().map(|it| it.slot.name);
    let given: Vec<(&str, Value)> = names.zip(values).collect();
    let argument = |name: &str| given.iter().find(|(it, _)| *it == name).map(|it| it.1.clone());
    let mut all = Vec::new();
    for param in form.params {
        all.push(match argument(param.slot.name) {
            Some(value) if !param.is_out => value,
            _ => target(param.slot.ty, targets),
        });
    }
    Ok(all)
}

fn target(ty: Type, targets: &mut dyn Iterator<Item = Tensor>) -> Value {
    match ty {
        Type::List(..) => Value::List(targets.map(Value::Tensor).collect()),
        _ => targets.next().map_or(Value::None, Value::Tensor),
    }
}

/// The in-place form writes what the functional form returns.
pub(super) fn in_place(trial: &Trial<'_>, table: &[Operator], problems: &mut Vec<String>) -> Done {
    let Some(form) = form(table, trial.operator, trial.operator.in_place) else { return Ok(()) };
    let expected = trial.outcome()?;
    let mut values = arguments(trial, form, &mut std::iter::empty())?;
    let before = TensorState::of_all(&written(form, &values))?;
    let fits = before.iter().zip(&expected).all(|(before, after)| before.looks_like(after));
    if let Err(failure) = call(form, &mut values) {
        if fits {
            problems.push(format!("`{}` {failure}", form.name));
        }
        return Ok(());
    }
    let got = TensorState::of_all(&written(form, &values))?;
    for (got, expected) in got.iter().zip(&expected) {
        if got.dtype() == expected.dtype() && !got.is_same(expected)? {
            problems.push(format!(
                "`{}` writes something else than `{}` returns",
                form.name, trial.operator.name
            ));
        }
    }
    Ok(())
}

fn written<'a>(form: &Operator, values: &'a [Value]) -> Vec<&'a Tensor> {
    let written = form.params.iter().zip(values).filter(|(param, _)| param.slot.writes);
    written.flat_map(|(_, value)| value.tensors()).collect()
}

/// The row of another form of an operator that returns new tensors.
fn form<'a>(
    table: &'a [Operator],
    operator: &Operator,
    name: Option<&str>,
) -> Option<&'a Operator> {
    table.iter().find(|it| Some(it.name) == name && !operator.mutates())
}
