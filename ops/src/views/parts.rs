//! Parts of a tensor: one index, a range, a diagonal, all slices.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::{MemoryFormat, Result, Scalar, Tensor, ensure, fail, view};

use super::split::parts;
use crate::gradient::{added_at, numbers, zeros};
use crate::ops::{self, TensorOps};

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

#[native_op(narrow_copy)]
fn narrow_copy(self_: &Tensor, dim: i64, start: i64, length: i64) -> Result<Tensor> {
    let part = ops::narrow::Default_::call(self_, dim, start, length)?;
    ops::clone::Default_::call(&part, Some(MemoryFormat::Contiguous))
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

/// Zeros of this size along a dimension, but for `grad` at `start`, `start + step` and so on.
fn placed(grad: &Tensor, dim: usize, size: i64, start: i64, step: i64) -> Result<Tensor> {
    let count = grad.shape()[dim];
    if step == 1 && count > 0 {
        let mut pad = vec![0; 2 * (grad.ndim() - 1 - dim)];
        pad.extend([start, size - start - count]);
        return ops::constant_pad_nd::Default_::call(grad, &pad, Scalar::Int(0));
    }
    let mut shape = grad.shape().to_vec();
    shape[dim] = size;
    let zeros = zeros(grad, &shape)?;
    if count == 0 {
        return Ok(zeros);
    }
    let places = numbers(grad, start, count, step)?;
    zeros.index_copy(dim as i64, &places, grad)
}

/// Zeros with `grad` at an index.
#[gradient_helper]
pub(crate) fn select_backward(
    grad: &Tensor,
    sizes: &[i64],
    dim: i64,
    index: i64,
) -> Result<Tensor> {
    let dim = wrap_dim(dim, sizes.len())?;
    let start = if index < 0 { index + sizes[dim] } else { index };
    placed(&grad.unsqueeze(dim as i64)?, dim, sizes[dim], start, 1)
}

/// Zeros with `grad` at what was cut out.
#[gradient_helper]
pub(crate) fn slice_backward_wrapper(
    grad: &Tensor,
    sizes: &[i64],
    dim: i64,
    start: Option<i64>,
    _end: Option<i64>,
    step: i64,
) -> Result<Tensor> {
    let dim = wrap_dim(dim, sizes.len())?;
    if step < 0 {
        let start = start.unwrap_or(i64::MAX);
        // A graph asks with sizes that are unknown, which are negative.
        let size = sizes[dim].max(0);
        let (start, _) = view::backward_span(size, start, i64::MIN, step);
        return placed(grad, dim, size, start.max(0), step);
    }
    let start = start.unwrap_or(0);
    let start = if start < 0 { start.saturating_add(sizes[dim]) } else { start };
    let size = sizes[dim].max(0);
    placed(grad, dim, size, start.clamp(0, size), step)
}

/// Zeros with `grad` on the diagonal.
#[gradient_helper]
pub(crate) fn diagonal_backward(
    grad: &Tensor,
    sizes: &[i64],
    offset: i64,
    dim1: i64,
    dim2: i64,
) -> Result<Tensor> {
    let ndim = sizes.len();
    let (first, second) = (wrap_dim(dim1, ndim)?, wrap_dim(dim2, ndim)?);
    let (rows, columns) = (sizes[first], sizes[second]);
    let start = if offset >= 0 { offset } else { offset.saturating_neg().saturating_mul(columns) };
    let last = grad.ndim() - 1;
    let line = placed(grad, last, rows * columns, start, columns + 1)?;
    let mut shape = grad.shape()[..last].to_vec();
    shape.extend([rows, columns]);
    let matrices = line.reshape(&shape)?;
    let mut others = 0..;
    let order = (0..ndim).map(|dim| match dim {
        it if it == first => ndim as i64 - 2,
        it if it == second => ndim as i64 - 1,
        _ => others.next().unwrap_or_default(),
    });
    matrices.permute(&order.collect::<Vec<_>>())
}

/// The sum over all windows that an element is in.
#[gradient_helper]
pub(crate) fn unfold_backward(
    grad: &Tensor,
    sizes: &[i64],
    dim: i64,
    size: i64,
    step: i64,
) -> Result<Tensor> {
    if sizes.is_empty() {
        return grad.sum();
    }
    let dim = wrap_dim(dim, sizes.len())?;
    let count = grad.shape()[dim];
    let starts = numbers(grad, 0, count, step)?;
    let starts = starts.unsqueeze(1)?;
    let places = starts.add(&numbers(grad, 0, size, 1)?)?;
    let places = places.reshape(&[count * size])?;
    // The elements of a window go next to the windows.
    let mut order: Vec<i64> = (0..sizes.len() as i64).collect();
    order.insert(dim + 1, sizes.len() as i64);
    let mut shape = sizes.to_vec();
    shape[dim] = count * size;
    let grad = grad.permute(&order)?;
    let grad = grad.reshape(&shape)?;
    added_at(&zeros(&grad, sizes)?, dim, &places, &grad)
}

/// The gradients of slices side by side, zeros for absent ones.
#[gradient_helper]
pub(crate) fn unbind_backward(grads: &[Option<&Tensor>], dim: i64) -> Result<Option<Tensor>> {
    let Some(known) = grads.iter().flatten().next() else { return Ok(None) };
    let zeros = zeros(known, known.shape())?;
    let all: Vec<&Tensor> = grads.iter().map(|it| it.unwrap_or(&zeros)).collect();
    ops::stack::Default_::call(&all, dim).map(Some)
}
