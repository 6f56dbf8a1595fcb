//! Rows that are written by hand, for several tests.

use opwright_runtime::iterate::inner_loop;
use opwright_runtime::op::{
    Calculates, ElementLoop, Gradient, Operator, Param, Results, Slot, Type, Value,
};
use opwright_runtime::{Result, Spec, iterate};
use smallvec::smallvec;

pub(crate) const TENSOR: Param = Param::new(Slot::new("self", Type::Tensor));
pub(crate) const OTHER: Param = Param::new(Slot::new("other", Type::Tensor));
const RESULT: Slot = Slot::new("", Type::Tensor);

/// What the others begin with.
pub(crate) const PLAIN: Operator = Operator {
    name: "",
    schema: "",
    params: &[],
    results: &[RESULT],
    tags: &[],
    functional: None,
    in_place: None,
    out: None,
    call: |_| Ok(Results::new()),
    types: None,
    inner_loop: None,
    reduction: None,
    gradient: Gradient::None,
    formulas: None,
};

/// What a function of two numbers makes of two tensors.
pub(crate) fn binary(values: &mut [Value], f: impl Fn(f64, f64) -> f64 + Sync) -> Result<Results> {
    let (a, b) = (values[0].tensor()?, values[1].tensor()?);
    let mut out = Spec::elementwise(&[a, b])?.allocate()?;
    if !out.device().is_meta() {
        iterate::binary(a, b, &mut out, f)?;
    }
    Ok(smallvec![Value::Tensor(out)])
}

pub(crate) const ADD: Operator = Operator {
    name: "add.Tensor",
    schema: "add.Tensor(Tensor self, Tensor other) -> Tensor",
    params: &[TENSOR, OTHER],
    call: |values| binary(values, |a, b| a + b),
    inner_loop: Some(&ElementLoop {
        calculates: Calculates::InResult,
        make: |_, _, then| inner_loop::binary(|a: f64, b: f64| a + b, then),
    }),
    ..PLAIN
};
