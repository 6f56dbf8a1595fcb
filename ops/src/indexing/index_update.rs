//! Slices added, copied or filled at a list of indices.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::dtype::Number;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::structured::{Access, common_device};
use opwright_runtime::tensor::{Overlap, overlaps};
use opwright_runtime::{Result, Scalar, Spec, Tensor, dispatch, ensure, warning};

use super::index::check_apart;
use super::places::{Axis, NegativeIndices, along, check_dtype};
use super::selection::{Selection, selected_shape, values_for};
use crate::ops::{self, TensorOps};

#[native_op(index_add.out, rule)]
fn index_add_rule(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    source: &Tensor,
    alpha: Scalar,
) -> Result<Spec> {
    ensure!(
        !alpha.is_floating() || self_.dtype().is_floating() || self_.dtype().is_complex_number(),
        Runtime,
        "For integral input tensors, argument alpha must not be a floating point number."
    );
    rule(self_, dim, index, source)
}

#[native_op(index_copy.out, rule)]
fn index_copy_rule(self_: &Tensor, dim: i64, index: &Tensor, source: &Tensor) -> Result<Spec> {
    rule(self_, dim, index, source)
}

/// The result looks like `self`, and may be `self`.
fn rule(tensor: &Tensor, dim: i64, index: &Tensor, source: &Tensor) -> Result<Spec> {
    check_index(index)?;
    ensure!(
        tensor.dtype() == source.dtype(),
        Runtime,
        "self ({}) and source ({}) must have the same dtype",
        tensor.dtype(),
        source.dtype()
    );
    let dim = wrap_dim(dim, tensor.ndim())?;
    let expected = selected_shape(tensor.shape(), dim, dim + 1, &[index.numel() as i64])?;
    let fits =
        source.shape() == &expected[..] || (source.ndim() == 0 && source_is_single(&expected));
    ensure!(
        fits,
        Runtime,
        "source of shape {:?} does not fit: with {} indices along dimension {dim} its shape must \
         be {expected:?}",
        source.shape(),
        index.numel()
    );
    let device = common_device(&[tensor, index, source])?;
    Ok(Spec::like(tensor).on(device).with_access(Access::Updates))
}

fn source_is_single(shape: &[i64]) -> bool {
    shape.iter().all(|&size| size == 1)
}

fn check_index(index: &Tensor) -> Result<()> {
    check_dtype(index, "index")?;
    ensure!(
        index.ndim() <= 1,
        Index,
        "Index is supposed to be a vector, but has {} dimensions",
        index.ndim()
    );
    Ok(())
}

/// Where the indices point to in a tensor, and the shape of what is there.
fn slices(tensor: &Tensor, dim: i64, index: &Tensor) -> Result<Selection> {
    let dim = wrap_dim(dim, tensor.ndim())?;
    let places = along(index, Axis::of(tensor, dim), NegativeIndices::Positive)?;
    Selection::new(tensor.shape(), tensor.strides(), dim, dim + 1, places)
}

/// Makes `out` equal to `tensor`, finds the slices in it, and the source apart
/// from it.
fn prepare(
    tensor: &Tensor,
    dim: i64,
    index: &Tensor,
    source: &Tensor,
    out: &mut Tensor,
) -> Result<(Selection, Tensor)> {
    let selection = slices(out, dim, index)?;
    let source = values_for(out, source, source.shape())?;
    if overlaps(tensor, out) == Overlap::No {
        out.copy_from(tensor)?;
    }
    Ok((selection, source))
}

#[native_op(index_add.out)]
fn index_add_out(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    source: &Tensor,
    alpha: Scalar,
    out: &mut Tensor,
) -> Result<()> {
    let (selection, source) = prepare(self_, dim, index, source, out)?;
    if alpha.is_one() {
        return selection.add(out, &source);
    }
    if out.dtype().is_boolean() {
        // Truth values add up as `or`, so that no value is added but by a factor.
        return if alpha.to_bool() { selection.add(out, &source) } else { Ok(()) };
    }
    dispatch!(out.dtype(), "index_add", number, |T| {
        let alpha: T = alpha.operand()?;
        selection.update::<T>(out, &source, |old, new| old.plus(new.times(alpha)))
    })
}

#[native_op(index_copy.out)]
fn index_copy_out(
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    source: &Tensor,
    out: &mut Tensor,
) -> Result<()> {
    let (selection, source) = prepare(self_, dim, index, source, out)?;
    selection.write(out, &source)
}

#[native_op(index_fill_.int_Scalar)]
fn index_fill_inplace_scalar(
    self_: &mut Tensor,
    dim: i64,
    index: &Tensor,
    value: Scalar,
) -> Result<()> {
    let value = Tensor::from_scalar(value, self_.dtype())?;
    index_fill_inplace_tensor(self_, dim, index, &value)
}

#[native_op(index_fill_.int_Tensor)]
fn index_fill_inplace_tensor(
    self_: &mut Tensor,
    dim: i64,
    index: &Tensor,
    value: &Tensor,
) -> Result<()> {
    check_index(index)?;
    check_apart(self_)?;
    ensure!(
        value.ndim() == 0,
        Runtime,
        "only supports a 0-dimensional value tensor, but got tensor with {} dimension(s).",
        value.ndim()
    );
    let at = wrap_dim(dim, self_.ndim())?;
    if self_.device().is_meta() {
        return Ok(());
    }
    warning::check_cast(value.dtype(), self_.dtype());
    let shape = selected_shape(self_.shape(), at, at + 1, &[index.numel() as i64])?;
    let values = values_for(self_, value, &shape)?;
    slices(self_, dim, index)?.write(self_, &values)
}

#[native_op(index_fill.int_Scalar)]
fn index_fill_scalar(self_: &Tensor, dim: i64, index: &Tensor, value: Scalar) -> Result<Tensor> {
    let mut result = self_.copy()?;
    index_fill_inplace_scalar(&mut result, dim, index, value)?;
    Ok(result)
}

#[native_op(index_fill.int_Tensor)]
fn index_fill_tensor(self_: &Tensor, dim: i64, index: &Tensor, value: &Tensor) -> Result<Tensor> {
    let mut result = self_.copy()?;
    index_fill_inplace_tensor(&mut result, dim, index, value)?;
    Ok(result)
}

/// Each index once.
#[gradient_helper]
pub(crate) fn distinct(index: &Tensor) -> Result<Tensor> {
    let line = index.reshape(&[index.numel() as i64])?;
    let (sorted, _) = ops::sort::Default_::call(&line, 0, false)?;
    let (distinct, ..) = ops::unique_consecutive::Default_::call(&sorted, false, false, None)?;
    Ok(distinct)
}
