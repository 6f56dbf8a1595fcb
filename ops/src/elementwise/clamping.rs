//! Bringing numbers into a range.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::{Element, Real};
use opwright_runtime::iterate::{self, Each};
use opwright_runtime::promote::ResultType;
use opwright_runtime::structured::rule;
use opwright_runtime::{Error, Result, Scalar, Spec, Tensor, dispatch, ensure};

use super::comparison::{maximum_out as greater, minimum_out as lesser};
use crate::gradient::{kept_where, wanted};
use crate::ops::TensorOps;

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

/// Whether both conditions hold, of which each may be absent.
fn both(first: Option<Tensor>, second: Option<Tensor>) -> Result<Option<Tensor>> {
    match (first, second) {
        (Some(first), Some(second)) => first.logical_and(&second).map(Some),
        (condition, None) | (None, condition) => Ok(condition),
    }
}

fn kept_if(grad: &Tensor, condition: Option<Tensor>) -> Result<Tensor> {
    condition.map_or_else(|| Ok(grad.clone()), |it| kept_where(grad, &it))
}

/// `grad` where `min <= self <= max`, and 0 elsewhere.
#[gradient_helper]
pub(crate) fn clamp_backward(
    grad: &Tensor,
    self_: &Tensor,
    min: Option<Scalar>,
    max: Option<Scalar>,
) -> Result<Tensor> {
    let is_above = min.map(|it| self_.ge_scalar(it)).transpose()?;
    let is_below = max.map(|it| self_.le_scalar(it)).transpose()?;
    kept_if(grad, both(is_above, is_below)?)
}

/// The same of bounds that are tensors.
#[gradient_helper]
pub(crate) fn clamp_tensor_backward(
    grad: &Tensor,
    self_: &Tensor,
    min: Option<&Tensor>,
    max: Option<&Tensor>,
) -> Result<Tensor> {
    let is_above = min.map(|it| self_.ge(it)).transpose()?;
    let is_below = max.map(|it| self_.le(it)).transpose()?;
    kept_if(grad, both(is_above, is_below)?)
}

/// Of the bounds: `grad` where the result is the lower one, and where it is the upper one, which
/// wins if they cross.
#[gradient_helper]
pub(crate) fn clamp_backward_min_max(
    grad: &Tensor,
    self_: &Tensor,
    min: Option<&Tensor>,
    max: Option<&Tensor>,
    mask: &[bool],
) -> Result<(Option<Tensor>, Option<Tensor>)> {
    let is_min = || {
        let is_below = min.map(|it| self_.lt(it)).transpose()?;
        let is_lower = min.zip(max).map(|(min, max)| min.lt(max)).transpose()?;
        kept_if(grad, both(is_below, is_lower)?)
    };
    let is_max = || {
        let is_above = max.map(|it| self_.gt(it)).transpose()?;
        let is_crossed = min.zip(max).map(|(min, max)| max.lt(min)).transpose()?;
        let either = match (is_above, is_crossed) {
            (Some(above), Some(crossed)) => Some(above.logical_or(&crossed)?),
            (above, _) => above,
        };
        kept_if(grad, either)
    };
    let of_min = if min.is_some() { wanted(mask, 0, is_min)? } else { None };
    let of_max = if max.is_some() { wanted(mask, 1, is_max)? } else { None };
    Ok((of_min, of_max))
}
