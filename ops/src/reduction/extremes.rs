//! The greatest and the least elements.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::Ordered;
use opwright_runtime::geometry::DimSet;
use opwright_runtime::reduce::{Fold, Source, reduce};
use opwright_runtime::structured::Spec;
use opwright_runtime::tensor::{Overlap, overlaps};
use opwright_runtime::{Result, Tensor, dispatch};

use super::argmax::{as_runs, search};
use super::argreduce::Extreme;
use super::space::{check_choice, check_ordered, one_or_all, reduced_exactly};
use crate::gradient::{restored, scale_grad_by_count, sum};
use crate::ops::TensorOps;

/// The greater of two, or one that is not a number.
#[inline(always)]
pub(crate) fn greater<T: Ordered>(a: T, b: T) -> T {
    if a >= b || Ordered::is_nan(a) { a } else { b }
}

/// The lesser of two, or one that is not a number.
#[inline(always)]
pub(crate) fn lesser<T: Ordered>(a: T, b: T) -> T {
    if a <= b || Ordered::is_nan(a) { a } else { b }
}

/// Writes the greatest elements along `dims`.
pub(super) fn greatest_into(input: Source<'_>, dims: DimSet, out: &mut Tensor) -> Result<()> {
    if let Some((input, dim)) = runs(&input, dims, out)? {
        return search(&input, dim, (Some(out), None), Extreme::Greatest);
    }
    dispatch!(input.dtype(), "max", calculated ordered, |T| {
        let fold = Fold {
            start: T::LOWEST,
            fold: greater::<T>,
            combine: greater::<T>,
            finish: |it: T| it,
        };
        reduce(input, dims, out, fold)
    })
}

/// Writes the least elements along `dims`.
pub(super) fn least_into(input: Source<'_>, dims: DimSet, out: &mut Tensor) -> Result<()> {
    if let Some((input, dim)) = runs(&input, dims, out)? {
        return search(&input, dim, (Some(out), None), Extreme::Least);
    }
    dispatch!(input.dtype(), "min", calculated ordered, |T| {
        let fold =
            Fold { start: T::HIGHEST, fold: lesser::<T>, combine: lesser::<T>, finish: |it: T| it };
        reduce(input, dims, out, fold)
    })
}

/// The input as runs, one for each element of the output, which is other memory.
fn runs(input: &Source<'_>, dims: DimSet, out: &Tensor) -> Result<Option<(Tensor, usize)>> {
    match input.tensor() {
        Some(input) if input.dtype() == out.dtype() && overlaps(input, out) == Overlap::No => {
            as_runs(input, dims)
        }
        _ => Ok(None),
    }
}

#[native_op(amax.out, rule)]
fn list_rule(self_: &Tensor, dim: &[i64], keepdim: bool) -> Result<Spec> {
    let dims = DimSet::new_or_full(Some(dim), self_.ndim())?;
    check_ordered(self_)?;
    check_choice(self_, dims, !dim.is_empty())?;
    Ok(reduced_exactly(self_, dims, keepdim, self_.dtype()))
}

#[native_op(amax.out)]
fn amax_out(self_: Source<'_>, dim: &[i64], _keepdim: bool, out: &mut Tensor) -> Result<()> {
    let dims = DimSet::new_or_full(Some(dim), self_.ndim())?;
    greatest_into(self_, dims, out)
}

#[native_op(amin.out)]
fn amin_out(self_: Source<'_>, dim: &[i64], _keepdim: bool, out: &mut Tensor) -> Result<()> {
    let dims = DimSet::new_or_full(Some(dim), self_.ndim())?;
    least_into(self_, dims, out)
}

#[native_op(aminmax.out, rule)]
fn aminmax_rule(self_: &Tensor, dim: Option<i64>, keepdim: bool) -> Result<(Spec, Spec)> {
    let dims = one_or_all(dim, self_.ndim())?;
    check_ordered(self_)?;
    check_choice(self_, dims, dim.is_some())?;
    let spec = reduced_exactly(self_, dims, keepdim, self_.dtype());
    Ok((spec.clone(), spec))
}

#[native_op(aminmax.out)]
fn aminmax_out(
    self_: &Tensor,
    dim: Option<i64>,
    _keepdim: bool,
    min: &mut Tensor,
    max: &mut Tensor,
) -> Result<()> {
    let dims = one_or_all(dim, self_.ndim())?;
    least_into(self_.into(), dims, min)?;
    greatest_into(self_.into(), dims, max)
}

#[native_op(max.unary_out, rule)]
fn whole_rule(self_: &Tensor) -> Result<Spec> {
    let dims = DimSet::full(self_.ndim())?;
    check_ordered(self_)?;
    check_choice(self_, dims, false)?;
    Ok(reduced_exactly(self_, dims, false, self_.dtype()))
}

#[native_op(max.unary_out)]
fn max_unary_out(self_: Source<'_>, out: &mut Tensor) -> Result<()> {
    let dims = DimSet::full(self_.ndim())?;
    greatest_into(self_, dims, out)
}

#[native_op(min.unary_out)]
fn min_unary_out(self_: Source<'_>, out: &mut Tensor) -> Result<()> {
    let dims = DimSet::full(self_.ndim())?;
    least_into(self_, dims, out)
}

/// Of the least and the greatest elements: equal shares for all that are as little, or as great.
#[gradient_helper]
pub(crate) fn aminmax_backward(
    grad_min: Option<&Tensor>,
    grad_max: Option<&Tensor>,
    self_: &Tensor,
    dim: Option<i64>,
    keepdim: bool,
    least: &Tensor,
    greatest: &Tensor,
) -> Result<Option<Tensor>> {
    let dims: Vec<i64> = match dim {
        Some(dim) => vec![dim],
        None => (0..self_.ndim() as i64).collect(),
    };
    let part = |grad: &Tensor, chosen: &Tensor| {
        let grad = restore_reduced_dims(grad, &dims, keepdim)?;
        let chosen = restore_reduced_dims(chosen, &dims, keepdim)?;
        scale_grad_by_count(&grad, &chosen.eq(self_)?, &dims)
    };
    let of_least = grad_min.map(|it| part(it, least)).transpose()?;
    let of_greatest = grad_max.map(|it| part(it, greatest)).transpose()?;
    sum(of_least, of_greatest)
}

/// `value` with dimensions of size 1 put back where it was reduced; without a list all were.
#[gradient_helper]
pub(crate) fn restore_reduced_dims(value: &Tensor, dims: &[i64], keepdim: bool) -> Result<Tensor> {
    if keepdim || dims.is_empty() {
        return Ok(value.clone());
    }
    let ndim = value.ndim() + dims.len();
    restored(value, DimSet::new(dims, ndim)?, ndim, false)
}
