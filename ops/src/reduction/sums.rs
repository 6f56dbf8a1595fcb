//! Sums and means.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::{Float, FloatOrComplex, Number, Ordered};
use opwright_runtime::geometry::DimSet;
use opwright_runtime::reduce::{Fold, Source, reduce};
use opwright_runtime::structured::Spec;
use opwright_runtime::{DType, Element, Error, Result, Scalar, Tensor, dispatch, ensure, view};

use super::space::{reduced, reduced_exactly};
use crate::ops::{self, TensorOps};
use crate::reduction::gradient::sum_backward;

#[native_op(sum.IntList_out, rule)]
fn sum_rule(
    self_: &Tensor,
    dim: Option<&[i64]>,
    keepdim: bool,
    dtype: Option<DType>,
) -> Result<Spec> {
    let dims = DimSet::new_or_full(dim, self_.ndim())?;
    Ok(match dtype {
        Some(dtype) => reduced_exactly(self_, dims, keepdim, dtype),
        None => reduced(self_, dims, keepdim, total_dtype(self_.dtype())),
    })
}

#[native_op(sum.IntList_out)]
fn sum_out(
    self_: Source<'_>,
    dim: Option<&[i64]>,
    _keepdim: bool,
    _dtype: Option<DType>,
    out: &mut Tensor,
) -> Result<()> {
    let dims = DimSet::new_or_full(dim, self_.ndim())?;
    let input = summable(self_, out.dtype())?;
    if input.dtype().is_boolean() {
        return add_up::<bool, i64>(input, dims, out);
    }
    dispatch!(input.dtype(), "sum", calculated number, |T| {
        add_up::<T, <T as Number>::Wide>(input, dims, out)
    })
}

/// What sums and means do with an element.
#[inline(always)]
fn plus<T: Element, W: Element + Number>(all: W, it: T) -> W {
    all.plus(it.cast())
}

fn add_up<T: Element, W: Element + Number>(
    input: Source<'_>,
    dims: DimSet,
    out: &mut Tensor,
) -> Result<()> {
    let fold = Fold { start: W::ZERO, fold: plus::<T, W>, combine: W::plus, finish: |all| all };
    reduce(input, dims, out, fold)
}

/// The dtype of sums and products that nobody decided: integers get room.
pub(crate) fn total_dtype(dtype: DType) -> DType {
    if dtype.is_boolean() || dtype.is_integral() { DType::Int64 } else { dtype }
}

/// The elements as something whose sum or product, cast to `dtype`, is as if
/// they had been cast before.
pub(crate) fn summable(input: Source<'_>, dtype: DType) -> Result<Source<'_>> {
    if total_dtype(input.dtype()) == dtype { Ok(input) } else { input.into_dtype(dtype) }
}

#[native_op(nanmean)]
fn nanmean(
    self_: &Tensor,
    dim: Option<&[i64]>,
    keepdim: bool,
    dtype: Option<DType>,
) -> Result<Tensor> {
    ensure!(
        self_.dtype().is_floating() || self_.dtype().is_complex_number(),
        Runtime,
        "expected input to have floating point or complex dtype but got {}",
        self_.dtype().title()
    );
    let numbers = ops::detach::Default_::call(self_)?.isnan()?.logical_not()?;
    let count = ops::sum::dim_IntList::call(&numbers, dim, keepdim, None)?;
    ops::nansum::Default_::call(self_, dim, keepdim, dtype)?.div(&count)
}

#[native_op(nansum)]
fn nansum(
    self_: &Tensor,
    dim: Option<&[i64]>,
    keepdim: bool,
    dtype: Option<DType>,
) -> Result<Tensor> {
    ensure!(
        !self_.dtype().is_complex_number(),
        Runtime,
        "nansum on CPU does not support complex inputs"
    );
    if !self_.dtype().is_floating() {
        return ops::sum::dim_IntList::call(self_, dim, keepdim, dtype);
    }
    let dtype = dtype.unwrap_or(self_.dtype());
    let dims = DimSet::new_or_full(dim, self_.ndim())?;
    let mut out = reduced(self_, dims, keepdim, dtype).allocate()?;
    if !out.device().is_meta() {
        dispatch!(self_.dtype(), "nansum", calculated floating, |T| add_up_numbers::<T>(
            self_, dims, &mut out
        ))?;
    }
    Ok(out)
}

fn add_up_numbers<T: Element + Float<Wide: Element>>(
    input: &Tensor,
    dims: DimSet,
    out: &mut Tensor,
) -> Result<()> {
    let fold = Fold {
        start: T::Wide::ZERO,
        fold: |all: T::Wide, it: T| {
            all.plus(if Ordered::is_nan(it) { T::Wide::ZERO } else { it.cast() })
        },
        combine: T::Wide::plus,
        finish: |all| all,
    };
    reduce(input, dims, out, fold)
}

#[native_op(mean.out, rule)]
fn mean_rule(
    self_: &Tensor,
    dim: Option<&[i64]>,
    keepdim: bool,
    dtype: Option<DType>,
) -> Result<Spec> {
    let dims = DimSet::new_or_full(dim, self_.ndim())?;
    let result = dtype.unwrap_or(self_.dtype());
    if !(result.is_floating() || result.is_complex_number()) {
        return Err(no_mean(if dtype.is_some() { "Optional" } else { "Input" }, result));
    }
    Ok(match dtype {
        Some(dtype) => reduced_exactly(self_, dims, keepdim, dtype),
        None => reduced(self_, dims, keepdim, result),
    })
}

#[cold]
fn no_mean(which: &str, dtype: DType) -> Error {
    Error::runtime(format_args!(
        "could not infer output dtype. {which} dtype must be either a floating point or complex \
         dtype. Got: {}",
        dtype.title()
    ))
}

#[native_op(mean.out)]
fn mean_out(
    self_: Source<'_>,
    dim: Option<&[i64]>,
    _keepdim: bool,
    _dtype: Option<DType>,
    out: &mut Tensor,
) -> Result<()> {
    let dims = DimSet::new_or_full(dim, self_.ndim())?;
    let input = self_.into_dtype(out.dtype())?;
    let sizes = input.shape().iter().enumerate().filter(|&(dim, _)| dims.contains(dim));
    let count = sizes.map(|(_, &size)| size as f64).product();
    let tensor = input.tensor().cloned();
    dispatch!(input.dtype(), "mean", calculated floating_or_complex, |T| {
        average::<T, <T as Number>::Wide>(input, dims, count, out)
    })?;
    match tensor {
        Some(input) if input.numel() > 0 && may_have_overflowed(out)? => {
            write_wide_means(&input, dims, count, out)
        }
        _ => Ok(()),
    }
}

/// Whether sums may have overflowed on the way to these means.
pub(super) fn may_have_overflowed(out: &Tensor) -> Result<bool> {
    if out.numel() == 0 {
        return Ok(false);
    }
    match out.dtype() {
        DType::Float32 if out.is_contiguous() => return has_infinity::<f32>(out),
        DType::Float64 if out.is_contiguous() => return has_infinity::<f64>(out),
        _ => {}
    }
    let is_finite = ops::isfinite::Default_::call(out)?;
    Ok(ops::all::Default_::call(&is_finite)?.first::<bool>()? == Some(false))
}

fn has_infinity<T: Element + Float>(out: &Tensor) -> Result<bool> {
    // SAFETY: nobody else writes to the output while the operator runs.
    Ok(unsafe { out.as_slice::<T>()? }.iter().any(|it| !it.is_finite()))
}

/// Writes finite means in place of those whose sums are not finite.
fn write_wide_means(input: &Tensor, dims: DimSet, count: f64, out: &mut Tensor) -> Result<()> {
    let dims: Vec<i64> =
        (0..input.ndim()).filter(|&it| dims.contains(it)).map(|it| it as i64).collect();
    let means = match input.dtype() {
        DType::Float64 | DType::Complex128 => means_of_parts(input, &dims, count)?,
        dtype => {
            let is_complex = dtype.is_complex_number();
            let wide = if is_complex { DType::Complex128 } else { DType::Float64 };
            let means = ops::mean::dim::call(&input.to_dtype(wide)?, Some(&dims), true, None)?;
            means.to_dtype(dtype)?
        }
    };
    let means = view::reshape(&means, out.shape())?;
    let is_kept = ops::logical_or::Default_::call(
        &ops::isfinite::Default_::call(out)?,
        &ops::logical_not::Default_::call(&ops::isfinite::Default_::call(&means)?)?,
    )?;
    out.copy_from(&ops::r#where::self_::call(&is_kept, out, &means)?)
}

/// The means of numbers whose sums are infinite, of a small part of each. What is lost of others
/// is nothing beside them.
fn means_of_parts(input: &Tensor, dims: &[i64], count: f64) -> Result<Tensor> {
    let part = 2_f64.powi(-64);
    let parts = ops::mul::Scalar::call(input, part.into())?;
    let sums = ops::sum::dim_IntList::call(&parts, Some(dims), true, None)?;
    let means = ops::div::Scalar::call(&sums, count.into())?;
    ops::mul::Scalar::call(&means, part.recip().into())
}

fn average<T, W>(input: Source<'_>, dims: DimSet, count: f64, out: &mut Tensor) -> Result<()>
where
    T: Element + Number<Wide = W>,
    W: Element + FloatOrComplex,
{
    let count: W = W::cast_from(count);
    let fold =
        Fold { start: W::ZERO, fold: plus::<T, W>, combine: W::plus, finish: |all| all / count };
    reduce(input, dims, out, fold)
}

/// `grad` for each of the elements that are numbers, 0 for the others.
#[gradient_helper]
pub(crate) fn nansum_backward(
    grad: &Tensor,
    self_: &Tensor,
    dim: Option<&[i64]>,
    keepdim: bool,
) -> Result<Tensor> {
    let grad = sum_backward(grad, self_.shape(), dim, keepdim)?;
    grad.masked_fill(&self_.isnan()?, Scalar::Int(0))
}
