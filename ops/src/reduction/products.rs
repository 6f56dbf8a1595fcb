//! Products of elements.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::Number;
use opwright_runtime::geometry::{DimSet, wrap_dim};
use opwright_runtime::reduce::{Fold, Source, reduce};
use opwright_runtime::structured::Spec;
use opwright_runtime::{DType, Element, Result, Scalar, Tensor, dispatch};

use super::space::{reduced, reduced_exactly};
use super::sums::{summable, total_dtype};
use crate::gradient::{product_of_others, restored};
use crate::ops::TensorOps;

#[native_op(prod)]
fn prod(self_: &Tensor, dtype: Option<DType>) -> Result<Tensor> {
    let dims = DimSet::full(self_.ndim())?;
    let mut out = product_spec(self_, dims, false, dtype).allocate()?;
    if !out.device().is_meta() {
        product_into(self_.into(), dims, &mut out)?;
    }
    Ok(out)
}

#[native_op(prod.int_out, rule)]
fn prod_rule(self_: &Tensor, dim: i64, keepdim: bool, dtype: Option<DType>) -> Result<Spec> {
    Ok(product_spec(self_, DimSet::new(&[dim], self_.ndim())?, keepdim, dtype))
}

#[native_op(prod.int_out)]
fn prod_out(
    self_: Source<'_>,
    dim: i64,
    _keepdim: bool,
    _dtype: Option<DType>,
    out: &mut Tensor,
) -> Result<()> {
    let dims = DimSet::new(&[dim], self_.ndim())?;
    product_into(self_, dims, out)
}

fn product_spec(input: &Tensor, dims: DimSet, keepdim: bool, dtype: Option<DType>) -> Spec {
    match dtype {
        Some(dtype) => reduced_exactly(input, dims, keepdim, dtype),
        None => reduced(input, dims, keepdim, total_dtype(input.dtype())),
    }
}

fn product_into(input: Source<'_>, dims: DimSet, out: &mut Tensor) -> Result<()> {
    let input = summable(input, out.dtype())?;
    if input.dtype().is_boolean() {
        return multiply_up::<bool, i64, i64>(input, dims, out);
    }
    if input.dtype().is_floating() {
        // In `f32` partial products would soon be too small, and processors are slow at such.
        return dispatch!(input.dtype(), "prod", calculated floating, |T| {
            multiply_up::<T, f64, T>(input, dims, out)
        });
    }
    if input.dtype().is_complex_number() {
        return dispatch!(input.dtype(), "prod", complex_number, |T| {
            multiply_up::<T, <T as Number>::Wide, <T as Number>::Wide>(input, dims, out)
        });
    }
    dispatch!(input.dtype(), "prod", integral, |T| multiply_up::<T, i64, i64>(input, dims, out))
}

fn multiply_up<T: Element, W: Element + Number, O: Element>(
    input: Source<'_>,
    dims: DimSet,
    out: &mut Tensor,
) -> Result<()> {
    let fold = Fold {
        start: W::ONE,
        fold: |all: W, it: T| all.times(it.cast()),
        combine: W::times,
        finish: |all: W| all.cast::<O>(),
    };
    reduce(input, dims, out, fold)
}

/// Of the product of all elements: `grad` times the product of all others, at each place.
#[gradient_helper]
pub(crate) fn prod_backward(grad: &Tensor, self_: &Tensor, result: &Tensor) -> Result<Tensor> {
    if self_.ndim() == 0 {
        return Ok(grad.clone());
    }
    if !may_be_extreme(result)? {
        return of_ordinary_product(grad, self_, result);
    }
    let line = self_.reshape(&[self_.numel() as i64])?;
    let others = product_of_others(&line.conj()?, 0)?;
    let others = others.reshape(self_.shape())?;
    grad.mul(&others)
}

/// Of products along a dimension: `grad` times the product of all others, at each place.
#[gradient_helper]
pub(crate) fn prod_dim_backward(
    grad: &Tensor,
    self_: &Tensor,
    result: &Tensor,
    dim: i64,
    keepdim: bool,
) -> Result<Tensor> {
    if self_.ndim() == 0 {
        return Ok(grad.clone());
    }
    let ndim = self_.ndim();
    let dims = DimSet::new(&[dim], ndim)?;
    let grad = restored(grad, dims, ndim, keepdim)?;
    if !may_be_extreme(result)? {
        let result = restored(result, dims, ndim, keepdim)?;
        return of_ordinary_product(&grad, self_, &result);
    }
    let others = product_of_others(&self_.conj()?, wrap_dim(dim, ndim)?)?;
    grad.mul(&others)
}

/// Whether a product is so small or so large that it does not tell its factors; who cannot see
/// them says yes.
fn may_be_extreme(products: &Tensor) -> Result<bool> {
    if products.device().is_meta() {
        return Ok(true);
    }
    let size = products.abs()?;
    // Half types have fewer digits below this.
    let is_small = size.lt_scalar(Scalar::Float(1e-4))?;
    let is_ordinary = is_small.logical_not()?.logical_and(&products.isfinite()?)?;
    is_ordinary.logical_not()?.any()?.is_nonzero()
}

/// `grad * conj(result / self)`
fn of_ordinary_product(grad: &Tensor, self_: &Tensor, result: &Tensor) -> Result<Tensor> {
    let others = result.div(self_)?;
    grad.mul(&others.conj()?)
}
