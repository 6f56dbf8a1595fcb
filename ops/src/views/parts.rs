//! Parts of a tensor: one index, a range, a diagonal, all slices.

use opwright_macros::native_op;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::{Result, Tensor, ensure, fail, view};

use super::split::parts;
use crate::ops;

#[native_op(select.int)]
fn select(self_: &Tensor, dim: i64, index: i64) -> Result<Tensor> {
    ensure!(self_.ndim() > 0, Index, "cannot be applied to a 0-dim tensor.");
    let dim = wrap_dim(dim, self_.ndim())?;
    let size = self_.shape()[dim];
    ensure!(
        -size <= index && index < size,
        Index,
        "index {index} out of range for tensor of size {:?} at dimension {dim}",
        self_.shape()
    );
    view::select(self_, dim, index)
}

#[native_op(narrow)]
fn narrow(self_: &Tensor, dim: i64, start: i64, length: i64) -> Result<Tensor> {
    ensure!(self_.ndim() > 0, Runtime, "cannot be applied to a 0-dim tensor.");
    ensure!(length >= 0, Runtime, "length must be non-negative.");
    let size = self_.size_of(dim)?;
    ensure!(
        -size <= start && start <= size,
        Index,
        "start out of range (expected to be in range of [{}, {size}], but got {start})",
        -size
    );
    let start = if start < 0 { start + size } else { start };
    ensure!(
        length <= size - start,
        Runtime,
        "start ({start}) + length ({length}) exceeds dimension size ({size})."
    );
    ops::slice::Tensor::call(self_, dim, Some(start), Some(start + length), 1)
}

#[native_op(narrow.Tensor)]
fn narrow_tensor(self_: &Tensor, dim: i64, start: &Tensor, length: i64) -> Result<Tensor> {
    ensure!(
        start.ndim() == 0 && start.dtype().is_integral(),
        Runtime,
        "start must be an 0-dim integral Tensor."
    );
    let start = ops::_local_scalar_dense::Default_::call(start)?.to_i64()?;
    ops::narrow::Default_::call(self_, dim, start, length)
}

#[native_op(slice.Tensor)]
fn slice(
    self_: &Tensor,
    dim: i64,
    start: Option<i64>,
    end: Option<i64>,
    step: i64,
) -> Result<Tensor> {
    ensure!(self_.ndim() > 0, Runtime, "cannot be applied to a 0-dim tensor.");
    let dim = wrap_dim(dim, self_.ndim())?;
    // From the end that the step comes from, to the one that it goes to.
    let (first, last) = if step < 0 { (i64::MAX, i64::MIN) } else { (0, i64::MAX) };
    view::slice(self_, dim, start.unwrap_or(first), end.unwrap_or(last), step)
}

#[native_op(unbind.int)]
fn unbind(self_: &Tensor, dim: i64) -> Result<Vec<Tensor>> {
    let size = self_.size_of(dim)?;
    let dim = wrap_dim(dim, self_.ndim())?;
    parts(size, |index| view::select(self_, dim, index))
}

#[native_op(diagonal)]
fn diagonal(self_: &Tensor, offset: i64, dim1: i64, dim2: i64) -> Result<Tensor> {
    let ndim = self_.ndim();
    let (first, second) = (wrap_dim(dim1, ndim)?, wrap_dim(dim2, ndim)?);
    if first == second {
        fail!(Runtime, "diagonal dimensions cannot be identical {dim1}, {dim2}");
    }
    view::diagonal(self_, first, second, offset)
}

#[native_op(unfold)]
fn unfold(self_: &Tensor, dimension: i64, size: i64, step: i64) -> Result<Tensor> {
    let dim = wrap_dim(dimension, self_.ndim())?;
    // A tensor without dimensions is one window of one element.
    let length = self_.shape().get(dim).copied().unwrap_or(1);
    ensure!(size >= 0, Runtime, "size is {size} but must be >= 0");
    ensure!(
        size <= length,
        Runtime,
        "maximum size for tensor at dimension {dim} is {length} but size is {size}"
    );
    ensure!(step > 0, Runtime, "step is {step} but must be > 0");
    let (mut shape, mut strides) = (self_.shape().to_vec(), self_.strides().to_vec());
    shape.push(size);
    strides.push(strides.get(dim).copied().unwrap_or(1));
    if self_.ndim() > 0 {
        shape[dim] = (length - size) / step + 1;
        strides[dim] = strides[dim].saturating_mul(step);
    }
    view::as_strided(self_, &shape, &strides, self_.offset())
}
