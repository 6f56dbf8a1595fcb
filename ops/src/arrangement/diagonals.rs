//! Vectors as diagonals of matrices, diagonals as vectors, and blocks along a diagonal.

use opwright_macros::native_op;
use opwright_runtime::geometry::{Dims, wrap_dim};
use opwright_runtime::{Result, Scalar, Tensor, buffer, fail, view};

use crate::ops::{self, TensorOps};

#[native_op(diag_embed)]
fn diag_embed(self_: &Tensor, offset: i64, dim1: i64, dim2: i64) -> Result<Tensor> {
    let ndim = self_.ndim() + 1;
    let (first, second) = (wrap_dim(dim1, ndim)?, wrap_dim(dim2, ndim)?);
    if first == second {
        fail!(Runtime, "diagonal dimensions cannot be identical {dim1}, {dim2}");
    }
    let Some((&length, others)) = self_.shape().split_last() else {
        fail!(Index, "Dimension specified as -1 but tensor has no dimensions")
    };
    let Some(side) = offset.checked_abs().and_then(|it| length.checked_add(it)) else {
        fail!(Overflow, "a diagonal of offset {offset} is out of range")
    };
    let mut shape = Dims::from_slice(others);
    shape.insert(first.min(second), side);
    shape.insert(first.max(second), side);
    let result = Tensor::zeroed(&shape, self_.dtype(), self_.device())?;
    view::diagonal(&result, first, second, offset)?.copy_from(self_)?;
    Ok(result)
}

#[native_op(diag)]
fn diag(self_: &Tensor, diagonal: i64) -> Result<Tensor> {
    match self_.ndim() {
        1 => ops::diag_embed::Default_::call(self_, diagonal, 0, 1),
        2 => ops::diagonal_copy::Default_::call(self_, diagonal, 0, 1),
        ndim => fail!(Runtime, "Supports 1D or 2D tensors. Got {ndim}D"),
    }
}

#[native_op(diagflat)]
fn diagflat(self_: &Tensor, offset: i64) -> Result<Tensor> {
    let line = self_.reshape(&[-1])?;
    ops::diag_embed::Default_::call(&line, offset, 0, 1)
}

#[native_op(block_diag)]
fn block_diag(tensors: &[&Tensor]) -> Result<Tensor> {
    let mut blocks = buffer::with_capacity(tensors.len())?;
    for (at, tensor) in tensors.iter().enumerate() {
        blocks.push(match tensor.ndim() {
            0 => tensor.reshape(&[1, 1])?,
            1 => tensor.unsqueeze(0)?,
            2 => Tensor::clone(tensor),
            ndim => fail!(
                Runtime,
                "Input tensors must have 2 or fewer dimensions. Input {at} has {ndim} dimensions"
            ),
        });
    }
    if blocks.is_empty() {
        return ops::zeros::Default_::call(&[1, 0], None, None, None, None);
    }
    // Each block in rows of the whole width, one below the other.
    let width: i64 = blocks.iter().map(|it| it.shape()[1]).sum();
    let mut before = 0;
    let rows = blocks.iter().map(|block| {
        let after = width - before - block.shape()[1];
        let pad = [before, after];
        before += block.shape()[1];
        ops::constant_pad_nd::Default_::call(block, &pad, Scalar::Int(0))
    });
    let rows = buffer::try_collected(rows)?;
    ops::cat::Default_::call(&buffer::collected(rows.iter())?, 0)
}
