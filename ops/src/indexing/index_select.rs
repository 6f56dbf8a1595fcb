//! Whole slices, by a list of indices.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::structured::common_device;
use opwright_runtime::{Result, Scalar, Spec, Tensor, ensure};

use super::places::{Axis, NegativeIndices, along, check_dtype};
use super::selection::{Selection, selected_shape};
use crate::gradient::{added_at, zeros};
use crate::ops::{self, TensorOps};

#[native_op(index_select.out, rule)]
fn index_select_rule(self_: &Tensor, dim: i64, index: &Tensor) -> Result<Spec> {
    let device = common_device(&[self_, index])?;
    let dim = wrap_dim(dim, self_.ndim())?;
    check_dtype(index, "index")?;
    ensure!(
        index.ndim() <= 1,
        Index,
        "Index is supposed to be a vector, but has {} dimensions",
        index.ndim()
    );
    if self_.ndim() == 0 {
        ensure!(index.numel() == 1, Runtime, "a tensor without dimensions has one index");
        return Ok(Spec::new(&[], self_.dtype(), device));
    }
    let shape = selected_shape(self_.shape(), dim, dim + 1, &[index.numel() as i64])?;
    Ok(Spec::new(&shape, self_.dtype(), device))
}

#[native_op(index_select.out)]
fn index_select_out(self_: &Tensor, dim: i64, index: &Tensor, out: &mut Tensor) -> Result<()> {
    let dim = wrap_dim(dim, self_.ndim())?;
    let places = along(index, Axis::of(self_, dim), NegativeIndices::Positive)?;
    Selection::new(self_.shape(), self_.strides(), dim, dim + 1, places)?.read(self_, out)
}

#[native_op(embedding)]
fn embedding(
    weight: &Tensor,
    indices: &Tensor,
    _padding_idx: i64,
    _scale_grad_by_freq: bool,
    _sparse: bool,
) -> Result<Tensor> {
    ensure!(
        weight.ndim() == 2,
        Runtime,
        "'weight' must be 2-D, but has {} dimensions",
        weight.ndim()
    );
    check_dtype(indices, "indices")?;
    let device = common_device(&[weight, indices])?;
    let shape = selected_shape(weight.shape(), 0, 1, indices.shape())?;
    let mut result = Tensor::allocate(&shape, weight.dtype(), device)?;
    if !device.is_meta() {
        let places = along(indices, Axis::of(weight, 0), NegativeIndices::Positive)?;
        let selection = Selection::new(weight.shape(), weight.strides(), 0, 1, places)?;
        selection.read(weight, &mut result)?;
    }
    Ok(result)
}

/// Zeros with the sums of `grad` at the slices that were read.
#[gradient_helper]
pub(crate) fn index_select_backward(
    grad: &Tensor,
    sizes: &[i64],
    dim: i64,
    index: &Tensor,
) -> Result<Tensor> {
    let zeros = zeros(grad, sizes)?;
    zeros.index_add(dim, index, grad)
}

#[native_op(embedding_dense_backward)]
fn embedding_dense_backward(
    grad_output: &Tensor,
    indices: &Tensor,
    num_weights: i64,
    padding_idx: i64,
    scale_grad_by_freq: bool,
) -> Result<Tensor> {
    ensure!(
        indices.dtype().is_integral() && grad_output.shape().starts_with(indices.shape()),
        Runtime,
        "grad_output must have a row for each of the integers in indices, but they have the shapes \
         {:?} and {:?}",
        grad_output.shape(),
        indices.shape()
    );
    embedding_backward(grad_output, indices, num_weights, padding_idx, scale_grad_by_freq, false)
}

/// Zeros with the sums of `grad` at the rows that were read, but for that of the padding; by
/// frequency, these are means.
#[gradient_helper]
pub(crate) fn embedding_backward(
    grad: &Tensor,
    indices: &Tensor,
    num_weights: i64,
    padding_idx: i64,
    scale_grad_by_freq: bool,
    sparse: bool,
) -> Result<Tensor> {
    ensure!(!sparse, NotImplemented, "embedding: there are no sparse gradients here");
    let count = indices.numel() as i64;
    let width = grad.shape().last().copied().unwrap_or(1);
    let index = indices.reshape(&[count])?;
    let rows = grad.reshape(&[count, width])?;
    let is_padding = index.eq_scalar(Scalar::Int(padding_idx))?;
    let is_padding = is_padding.unsqueeze(1)?;
    let mut rows = rows.masked_fill(&is_padding, Scalar::Int(0))?;
    if scale_grad_by_freq {
        let counts = ops::bincount::Default_::call(&index, None, num_weights)?;
        let counts = counts.index_select(0, &index)?;
        rows = rows.div(&counts.unsqueeze(1)?)?;
    }
    added_at(&zeros(grad, &[num_weights, width])?, 0, &index, &rows)
}
