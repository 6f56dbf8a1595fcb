//! Elements by indices and masks.

use opwright_macros::gradient_helper;
use opwright_runtime::geometry::broadcast_shapes;
use opwright_runtime::{Result, Scalar, Tensor, ensure};

use super::copies::to;
use super::shapes::{added_at, zeros};
use crate::ops::{self, TensorOps};

/// `zeros` with the sums of `grad` at the places that were read.
#[gradient_helper]
pub(crate) fn index_backward(
    zeros: &Tensor,
    indices: &[Option<&Tensor>],
    grad: &Tensor,
) -> Result<Tensor> {
    ops::index_put::Default_::call(zeros, indices, grad, true)
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

/// Zeros with the sums of `grad` at the places that were read.
#[gradient_helper]
pub(crate) fn gather_backward(
    grad: &Tensor,
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    sparse_grad: bool,
) -> Result<Tensor> {
    ensure!(!sparse_grad, NotImplemented, "gather: there are no sparse gradients here");
    zeros(grad, self_.shape())?.scatter_add(dim, index, grad)
}

/// Of what was written or added to places: `grad` there, and zeros for what the index leaves out.
#[gradient_helper]
pub(crate) fn scattered_backward(
    grad: &Tensor,
    dim: i64,
    index: &Tensor,
    sizes: &[i64],
) -> Result<Tensor> {
    if index.numel() == 0 {
        return zeros(grad, sizes);
    }
    padded(&grad.gather(dim, index)?, sizes)
}

/// A tensor with zeros behind it along each dimension, up to these sizes.
fn padded(tensor: &Tensor, sizes: &[i64]) -> Result<Tensor> {
    if tensor.shape() == sizes {
        return Ok(tensor.clone());
    }
    if tensor.ndim() != sizes.len() {
        // One element has no dimensions or one.
        let shape = vec![1; sizes.len()];
        return padded(&tensor.reshape(&shape)?, sizes);
    }
    let missing = tensor.shape().iter().zip(sizes).rev();
    let pad: Vec<i64> = missing.flat_map(|(&size, &wanted)| [0, wanted - size]).collect();
    ops::constant_pad_nd::Default_::call(tensor, &pad, Scalar::Int(0))
}

/// The part of a tensor that an index of this shape reads.
fn part_within(tensor: &Tensor, shape: &[i64]) -> Result<Tensor> {
    let dims = 0..tensor.ndim().min(shape.len());
    dims.filter(|&dim| tensor.shape()[dim] != shape[dim]).try_fold(tensor.clone(), |part, dim| {
        ops::narrow::Default_::call(&part, dim as i64, 0, shape[dim])
    })
}

/// Of what stood at places, and of what was added to them or multiplied with them.
#[gradient_helper]
pub(crate) fn scatter_reduced_backward(
    grad: &Tensor,
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    src: &Tensor,
    reduce: &str,
    grad_input_mask: &[bool],
) -> Result<(Option<Tensor>, Option<Tensor>)> {
    let is_product = reduce == MULTIPLY;
    let before = || match is_product {
        true => ops::scatter::reduce::call(grad, dim, index, &src.conj()?, reduce),
        false => Ok(grad.clone()),
    };
    let scattered = || match is_product {
        true if index.numel() == 0 => zeros(grad, src.shape()),
        true => {
            let read = part_within(src, index.shape())?;
            padded(&factors_backward(grad, self_, dim, index, &read)?, src.shape())
        }
        false => scattered_backward(grad, dim, index, src.shape()),
    };
    let [is_before_wanted, is_scattered_wanted] = [grad_input_mask[0], grad_input_mask[1]];
    let before = is_before_wanted.then(before).transpose()?;
    Ok((before, is_scattered_wanted.then(scattered).transpose()?))
}

/// Of what stood at places that a number was added to or multiplied with.
#[gradient_helper]
pub(crate) fn scatter_value_reduced_backward(
    grad: &Tensor,
    dim: i64,
    index: &Tensor,
    value: Scalar,
    reduce: &str,
) -> Result<Tensor> {
    match reduce == MULTIPLY {
        true => ops::scatter::value_reduce::call(grad, dim, index, value.conj(), reduce),
        false => Ok(grad.clone()),
    }
}

const MULTIPLY: &str = "multiply";

/// Of each factor of the products at places: `grad` times the others. Zeros are left out of the
/// products, which are zero unless the factor itself is the only one.
fn factors_backward(
    grad: &Tensor,
    self_: &Tensor,
    dim: i64,
    index: &Tensor,
    src: &Tensor,
) -> Result<Tensor> {
    let is_zero = ops::eq::Scalar::call(src, 0.into())?;
    let factors = src.masked_fill(&is_zero, Scalar::Int(1))?;
    let products = ops::scatter::reduce::call(self_, dim, index, &factors, MULTIPLY)?;
    let others = ops::mul::Tensor::call(grad, &products.conj()?)?.gather(dim, index)?;
    let others = ops::div::Tensor::call(&others, &factors.conj()?)?;
    let own_zeros = to(&is_zero, self_.dtype())?;
    let zeros = zeros(&own_zeros, self_.shape())?.scatter_add(dim, index, &own_zeros)?;
    let has_other_zeros = ops::ne::Tensor::call(&zeros.gather(dim, index)?, &own_zeros)?;
    others.masked_fill(&has_other_zeros, Scalar::Int(0))
}

/// Zeros with the sums of `grad` at the places that were read, counted through all dimensions.
#[gradient_helper]
pub(crate) fn take_backward(grad: &Tensor, self_: &Tensor, index: &Tensor) -> Result<Tensor> {
    let line = zeros(grad, &[self_.numel() as i64])?;
    let sums = ops::index_put::Default_::call(&line, &[Some(index)], grad, true)?;
    sums.reshape(self_.shape())
}

/// Each index once.
#[gradient_helper]
pub(crate) fn distinct(index: &Tensor) -> Result<Tensor> {
    let line = index.reshape(&[index.numel() as i64])?;
    let (sorted, _) = ops::sort::Default_::call(&line, 0, false)?;
    let (distinct, ..) = ops::unique_consecutive::Default_::call(&sorted, false, false, None)?;
    Ok(distinct)
}

/// Of the value with which places were filled: the sum of `grad` there.
#[gradient_helper]
pub(crate) fn masked_fill_backward(grad: &Tensor, mask: &Tensor) -> Result<Tensor> {
    let others = mask.logical_not()?;
    let filled = grad.masked_fill(&others, Scalar::Int(0))?;
    filled.sum()
}

/// Zeros with `grad` at the places that were read.
#[gradient_helper]
pub(crate) fn masked_select_backward(
    grad: &Tensor,
    self_: &Tensor,
    mask: &Tensor,
) -> Result<Tensor> {
    let shape = broadcast_shapes(&[self_.shape(), mask.shape()])?;
    zeros(grad, &shape)?.masked_scatter(mask, grad)
}

/// Of what was written to places: `grad` there, and zeros for what was left over.
#[gradient_helper]
pub(crate) fn masked_scatter_backward(
    grad: &Tensor,
    mask: &Tensor,
    sizes: &[i64],
) -> Result<Tensor> {
    let written = grad.masked_select(mask)?;
    let left_over = sizes.iter().product::<i64>() - written.numel() as i64;
    let all = ops::constant_pad_nd::Default_::call(&written, &[0, left_over], Scalar::Int(0))?;
    all.reshape(sizes)
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
