//! Reading and writing elements by index tensors and masks.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::tensor::has_internal_overlap;
use opwright_runtime::{DType, Result, Tensor, buffer, ensure, fail, view, warning};

use super::compress;
use super::plan::{IndexPlan, only_mask};
use super::selection::values_for;
use crate::ops;

#[native_op(index.Tensor)]
fn index_tensor(self_: &Tensor, indices: &[Option<&Tensor>]) -> Result<Tensor> {
    warn_of_bytes(indices);
    if let Some((0, mask)) = only_mask(indices)
        && let Some(result) = compress::small(self_, mask)?
    {
        return Ok(result);
    }
    let plan = IndexPlan::new(self_, indices)?;
    let mut result = plan.spec().allocate()?;
    if let Some((base, selection)) = plan.selection()? {
        selection.read(&base, &mut result)?;
    }
    Ok(result)
}

#[native_op(index.Tensor_out)]
fn index_tensor_out(self_: &Tensor, indices: &[Option<&Tensor>], out: &mut Tensor) -> Result<()> {
    warn_of_bytes(indices);
    let plan = IndexPlan::new(self_, indices)?;
    let spec = plan.spec();
    let Some((base, selection)) = plan.selection()? else {
        return spec.target_meta(out, &[]);
    };
    let mut target = spec.target(out, &[self_])?;
    selection.read(&base, target.tensor())?;
    target.finish(out)
}

#[native_op(index_put_)]
fn index_put_(
    self_: &mut Tensor,
    indices: &[Option<&Tensor>],
    values: &Tensor,
    accumulate: bool,
) -> Result<()> {
    ensure!(
        values.dtype() == self_.dtype() || values.is_wrapped_number(),
        Index,
        "Index put requires the source and destination dtypes match, got {} for the destination \
         and {} for the source.",
        self_.dtype().title(),
        values.dtype().title()
    );
    warn_of_bytes(indices);
    if has_internal_overlap(self_) && !self_.device().is_meta() {
        return put_stretched(self_, indices, values, accumulate);
    }
    check_apart(self_)?;
    if !accumulate && values.ndim() == 0 && fill_by_mask(self_, indices, values)? {
        return Ok(());
    }
    let plan = IndexPlan::new(self_, indices)?;
    if self_.device().is_meta() {
        view::expand(values, plan.shape())?;
        return Ok(());
    }
    let values = values_for(self_, values, plan.shape())?;
    let Some((base, selection)) = plan.selection()? else {
        fail!(NotImplemented, "the elements of a cpu tensor cannot be found by meta indices");
    };
    if accumulate { selection.add(&base, &values) } else { selection.write(&base, &values) }
}

/// Warns of indices that are taken for a mask, as upstream does.
fn warn_of_bytes(indices: &[Option<&Tensor>]) {
    if indices.iter().flatten().any(|it| it.dtype() == DType::UInt8) {
        warning::warn(
            "an index of uint8 is taken for a mask; use bool for masks, and int64 for the numbers \
             of elements",
        );
    }
}

/// Writes to a tensor that reaches elements again by stretched dimensions: to each element what is
/// written there last, or all that is added.
fn put_stretched(
    self_: &Tensor,
    indices: &[Option<&Tensor>],
    values: &Tensor,
    accumulate: bool,
) -> Result<()> {
    let mut once = view::unstretched(self_)?;
    check_apart(&once)?;
    let count = once.numel() as i64;
    let numbers = Tensor::from_vec(&[count], buffer::collected(0..count)?)?;
    let numbers = view::expand(&view::reshape(&numbers, once.shape())?, self_.shape())?;
    let places = ops::index::Tensor::call(&numbers, indices)?;
    let values = view::expand(values, places.shape())?;
    let mut all = view::reshape(&once.copy()?, &[count])?;
    index_put_(&mut all, &[Some(&places)], &values, accumulate)?;
    once.copy_from(&view::reshape(&all, once.shape())?)
}

/// One value for all places of a mask needs no list of them.
fn fill_by_mask(tensor: &mut Tensor, indices: &[Option<&Tensor>], value: &Tensor) -> Result<bool> {
    let Some((0, mask)) = only_mask(indices) else { return Ok(false) };
    let fits = mask.ndim() <= tensor.ndim() && mask.shape() == &tensor.shape()[..mask.ndim()];
    if !fits || tensor.device().is_meta() || value.device().is_meta() {
        return Ok(false);
    }
    let mut mask = mask.to_dtype(DType::Bool)?;
    while mask.ndim() < tensor.ndim() {
        mask = view::unsqueeze(&mask, mask.ndim())?;
    }
    crate::ops::masked_fill_::Tensor::call(tensor, &mask, value)?;
    Ok(true)
}

/// Fails if the tensor reaches an element twice.
pub(super) fn check_apart(tensor: &Tensor) -> Result<()> {
    ensure!(
        !has_internal_overlap(tensor),
        Runtime,
        "unsupported operation: more than one element of the written-to tensor refers to a single \
         memory location. Please clone() the tensor before performing the operation."
    );
    Ok(())
}

#[native_op(index_put)]
fn index_put(
    self_: &Tensor,
    indices: &[Option<&Tensor>],
    values: &Tensor,
    accumulate: bool,
) -> Result<Tensor> {
    let mut result = self_.copy()?;
    index_put_(&mut result, indices, values, accumulate)?;
    Ok(result)
}

/// `zeros` with the sums of `grad` at the places that were read.
#[gradient_helper]
pub(crate) fn index_backward(
    zeros: &Tensor,
    indices: &[Option<&Tensor>],
    grad: &Tensor,
) -> Result<Tensor> {
    ops::index_put::Default_::call(zeros, indices, grad, true)
}
