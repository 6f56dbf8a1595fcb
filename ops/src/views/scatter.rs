//! Copies of a tensor with other elements where a view of it would be.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::autograd::Geometry;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::{Result, Tensor, ensure, fail, view, warning};

use crate::gradient::laid_as;
use crate::ops;

#[native_op(slice_scatter)]
fn slice_scatter(
    self_: &Tensor,
    src: &Tensor,
    dim: i64,
    start: Option<i64>,
    end: Option<i64>,
    step: i64,
) -> Result<Tensor> {
    ensure!(self_.ndim() > 0, Runtime, "cannot be applied to a 0-dim tensor.");
    ensure!(step > 0, Runtime, "slice step must be positive");
    let dim = wrap_dim(dim, self_.ndim())?;
    let copy = self_.copy_in_layout()?;
    let (start, end) = (start.unwrap_or(0), end.unwrap_or(i64::MAX));
    let slice = view::slice(&copy, dim, start, end, step)?;
    overwrite(slice, src, "slice")?;
    Ok(copy)
}

#[native_op(select_scatter)]
fn select_scatter(self_: &Tensor, src: &Tensor, dim: i64, index: i64) -> Result<Tensor> {
    ensure!(self_.ndim() > 0, Index, "cannot be applied to a 0-dim tensor.");
    let dim = wrap_dim(dim, self_.ndim())?;
    let copy = self_.copy_in_layout()?;
    let slice = view::select(&copy, dim, index)?;
    overwrite(slice, src, "slice")?;
    Ok(copy)
}

#[native_op(diagonal_scatter)]
fn diagonal_scatter(
    self_: &Tensor,
    src: &Tensor,
    offset: i64,
    dim1: i64,
    dim2: i64,
) -> Result<Tensor> {
    let (first, second) = (wrap_dim(dim1, self_.ndim())?, wrap_dim(dim2, self_.ndim())?);
    if first == second {
        fail!(Runtime, "diagonal dimensions cannot be identical {dim1}, {dim2}");
    }
    let copy = self_.copy_in_layout()?;
    let diagonal = view::diagonal(&copy, first, second, offset)?;
    overwrite(diagonal, src, "diagonal")?;
    Ok(copy)
}

#[native_op(as_strided_scatter)]
fn as_strided_scatter(
    self_: &Tensor,
    src: &Tensor,
    size: &[i64],
    stride: &[i64],
    storage_offset: Option<i64>,
) -> Result<Tensor> {
    let offset = storage_offset.unwrap_or(self_.offset());
    // Places count from the start of the storage, of which there is a copy.
    let bytes = self_.storage().map(|it| it.bytes() / self_.dtype().size());
    let Some(length) = bytes else {
        let place = view::as_strided(self_, size, stride, offset)?;
        check_shape(&place, src, "slice")?;
        return self_.copy_in_layout();
    };
    let storage = view::as_strided(self_, &[length as i64], &[1], 0)?.copy()?;
    let place = view::as_strided(&storage, size, stride, offset)?;
    overwrite(place, src, "slice")?;
    view::as_strided(&storage, self_.shape(), self_.strides(), self_.offset())
}

/// Writes to a part of a copy.
fn overwrite(mut part: Tensor, src: &Tensor, what: &str) -> Result<()> {
    check_shape(&part, src, what)?;
    warning::check_cast(src.dtype(), part.dtype());
    part.copy_from(src)
}

fn check_shape(part: &Tensor, src: &Tensor, what: &str) -> Result<()> {
    ensure!(
        part.shape() == src.shape(),
        Runtime,
        "expected src to have a size equal to the {what} of the input. src size = {:?}, {what} size = \
         {:?}",
        src.shape(),
        part.shape()
    );
    Ok(())
}

/// Of the tensor: `grad`, and zeros at the places that were overwritten.
#[gradient_helper]
pub(crate) fn as_strided_scatter_backward(
    grad: &Tensor,
    input: &Geometry,
    size: &[i64],
    stride: &[i64],
    offset: Option<i64>,
) -> Result<Tensor> {
    let laid = laid_as(grad, input)?;
    let offset = offset.map_or(0, |it| it - input.offset);
    let mut place = ops::as_strided::Default_::call(&laid, size, stride, Some(offset))?;
    ops::zero_::Default_::call(&mut place)?;
    Ok(laid)
}

/// Of what was written: `grad` at its places.
#[gradient_helper]
pub(crate) fn as_strided_scattered_backward(
    grad: &Tensor,
    input: &Geometry,
    size: &[i64],
    stride: &[i64],
    offset: Option<i64>,
) -> Result<Tensor> {
    let laid = laid_as(grad, input)?;
    let offset = offset.map_or(0, |it| it - input.offset);
    let place = ops::as_strided::Default_::call(&laid, size, stride, Some(offset))?;
    ops::clone::Default_::call(&place, None)
}
