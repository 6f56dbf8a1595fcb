//! Bringing numbers into a range.

use opwright_macros::native_op;
use opwright_runtime::dtype::{Element, Real};
use opwright_runtime::iterate::Each;
use opwright_runtime::promote::ResultType;
use opwright_runtime::structured::rule;
use opwright_runtime::{Error, Result, Scalar, Spec, Tensor, dispatch, ensure, iterate};

use super::comparison::{maximum_out as greater, minimum_out as lesser};

#[native_op(clamp.out, rule)]
fn clamp_rule(self_: &Tensor, min: Option<Scalar>, max: Option<Scalar>) -> Result<Spec> {
    check_any(min.is_some() || max.is_some())?;
    let with_ends = [min, max]
        .into_iter()
        .flatten()
        .fold(ResultType::EMPTY.with_tensor(self_), ResultType::with_scalar);
    let spec = rule::elementwise(&[self_])?;
    check_order(spec.with_dtype(with_ends.dtype().unwrap_or(self_.dtype())))
}

#[native_op(clamp.out, elementwise, dtypes = real)]
fn clamp_out<T: Element + Real>(
    each: Each<'_, T, T>,
    min: Option<Scalar>,
    max: Option<Scalar>,
) -> Result<()> {
    let min: Option<T> = min.map(Scalar::checked).transpose()?;
    let max: Option<T> = max.map(Scalar::checked).transpose()?;
    // Which of the two is the bound and which the element matters only for NaN.
    match (min, max) {
        (Some(min), Some(max)) => each.run(|x| lesser(max, greater(min, x))),
        (Some(min), None) => each.run(|x| greater(min, x)),
        (None, Some(max)) => each.run(|x| lesser(max, x)),
        (None, None) => Err(no_end()),
    }
}

#[native_op(clamp.Tensor_out, rule)]
fn clamp_tensor_rule(self_: &Tensor, min: Option<&Tensor>, max: Option<&Tensor>) -> Result<Spec> {
    check_any(min.is_some() || max.is_some())?;
    check_order(match (min, max) {
        (Some(min), Some(max)) => rule::elementwise(&[self_, min, max])?,
        (Some(end), None) | (None, Some(end)) => rule::elementwise(&[self_, end])?,
        (None, None) => return Err(no_end()),
    })
}

#[native_op(clamp.Tensor_out)]
fn clamp_tensor_out(
    self_: &Tensor,
    min: Option<&Tensor>,
    max: Option<&Tensor>,
    out: &mut Tensor,
) -> Result<()> {
    dispatch!(out.dtype(), "clamp", calculated ordered, |T| match (min, max) {
        (Some(min), Some(max)) => {
            iterate::ternary(self_, min, max, out, |x: T, min: T, max: T| {
                lesser(greater(x, min), max)
            })
        }
        (Some(min), None) => iterate::binary(self_, min, out, greater::<T>),
        (None, Some(max)) => iterate::binary(self_, max, out, lesser::<T>),
        (None, None) => Err(no_end()),
    })
}

fn check_any(has_end: bool) -> Result<()> {
    if has_end { Ok(()) } else { Err(no_end()) }
}

#[cold]
fn no_end() -> Error {
    Error::runtime("At least one of 'min' or 'max' must not be None")
}

fn check_order(spec: Spec) -> Result<Spec> {
    ensure!(!spec.dtype().is_complex_number(), Runtime, "clamp is not supported for complex types");
    Ok(spec)
}
