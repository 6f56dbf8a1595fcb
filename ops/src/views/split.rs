//! A tensor cut into parts along a dimension; the parts share its memory.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::autograd::Metadata;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::{DType, Error, Result, Tensor, buffer, ensure, view};

use crate::ops::{self, TensorOps};

#[native_op(split.Tensor)]
fn split(self_: &Tensor, split_size: i64, dim: i64) -> Result<Vec<Tensor>> {
    ensure!(self_.ndim() > 0, Runtime, "expects at least a 1-dimensional tensor");
    ensure!(
        split_size >= 0,
        Runtime,
        "expects split_size be non-negative, but got split_size={split_size}"
    );
    let size = self_.size_of(dim)?;
    ensure!(
        split_size > 0 || size == 0,
        Runtime,
        "split_size can only be 0 if dimension size is 0, but got dimension size of {size}"
    );
    let dim = wrap_dim(dim, self_.ndim())?;
    // There is one part even if nothing is in it.
    let count = if split_size == 0 { 1 } else { (size.saturating_sub(1) / split_size + 1).max(1) };
    parts(count, |part| {
        let start = part * split_size;
        view::narrow(self_, dim, start, split_size.min(size - start))
    })
}

/// So many parts.
///
/// # Errors
///
/// `Memory` if there is not even room for a list of them.
pub(crate) fn parts(count: i64, part: impl Fn(i64) -> Result<Tensor>) -> Result<Vec<Tensor>> {
    let none = |_| Error::memory(format_args!("not enough memory for {count} tensors"));
    let mut parts = buffer::with_capacity(count as usize).map_err(none)?;
    for number in 0..count {
        parts.push(part(number)?);
    }
    Ok(parts)
}

#[native_op(split_with_sizes)]
fn split_with_sizes(self_: &Tensor, split_sizes: &[i64], dim: i64) -> Result<Vec<Tensor>> {
    ensure!(self_.ndim() > 0, Runtime, "expects at least a 1-dimensional tensor");
    let size = self_.size_of(dim)?;
    let dim = wrap_dim(dim, self_.ndim())?;
    ensure!(
        split_sizes.iter().all(|&it| it >= 0),
        Runtime,
        "expects split_sizes have only non-negative entries, but got split_sizes={split_sizes:?}"
    );
    let total = split_sizes.iter().try_fold(0_i64, |sum, &it| sum.checked_add(it));
    ensure!(
        total == Some(size),
        Runtime,
        "expects split_sizes to sum exactly to {size} (input tensor's size at dimension {dim}), \
         but got split_sizes={split_sizes:?}"
    );
    let mut start = 0;
    buffer::try_collected(split_sizes.iter().map(|&length| {
        let part = view::narrow(self_, dim, start, length);
        start += length;
        part
    }))
}

#[native_op(chunk)]
fn chunk(self_: &Tensor, chunks: i64, dim: i64) -> Result<Vec<Tensor>> {
    ensure!(self_.ndim() > 0, Runtime, "expects at least a 1-dimensional tensor");
    ensure!(chunks > 0, Runtime, "expects `chunks` to be greater than 0, got: {chunks}");
    let size = self_.size_of(dim)?;
    if size == 0 {
        // Nothing can be cut into any number of parts.
        let dim = wrap_dim(dim, self_.ndim())?;
        return parts(chunks, |_| self_.narrow(dim as i64, 0, 0));
    }
    ops::split::Tensor::call(self_, (size - 1) / chunks + 1, dim)
}

#[native_op(unsafe_chunk)]
fn unsafe_chunk(self_: &Tensor, chunks: i64, dim: i64) -> Result<Vec<Tensor>> {
    ensure!(self_.ndim() > 0, Runtime, "expects at least a 1-dimensional tensor");
    ensure!(chunks > 0, Runtime, "expects `chunks` to be greater than 0, got: {chunks}");
    let size = self_.size_of(dim)?;
    if size == 0 {
        let lengths = buffer::filled(chunks as usize, 0)?;
        return ops::unsafe_split_with_sizes::Default_::call(self_, &lengths, dim);
    }
    ops::unsafe_split::Tensor::call(self_, (size - 1) / chunks + 1, dim)
}

#[native_op(tensor_split.sections)]
fn tensor_split_sections(self_: &Tensor, sections: i64, dim: i64) -> Result<Vec<Tensor>> {
    ensure!(
        self_.ndim() > 0,
        Runtime,
        "expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
    );
    ensure!(sections > 0, Runtime, "number of sections must be larger than 0, got {sections}");
    let size = self_.size_of(dim)?;
    let dim = wrap_dim(dim, self_.ndim())?;
    let (least, larger) = (size / sections, size % sections);
    parts(sections, |part| {
        let start = part * least + part.min(larger);
        self_.narrow(dim as i64, start, least + i64::from(part < larger))
    })
}

#[native_op(tensor_split.indices)]
fn tensor_split_indices(self_: &Tensor, indices: &[i64], dim: i64) -> Result<Vec<Tensor>> {
    ensure!(
        self_.ndim() > 0,
        Runtime,
        "expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
    );
    let dim = wrap_dim(dim, self_.ndim())?;
    let starts = std::iter::once(0).chain(indices.iter().copied());
    let ends = indices.iter().copied().chain([i64::MAX]);
    let part =
        |(start, end)| ops::slice::Tensor::call(self_, dim as i64, Some(start), Some(end), 1);
    buffer::try_collected(starts.zip(ends).map(part))
}

#[native_op(tensor_split.tensor_indices_or_sections)]
fn tensor_split_tensor(
    self_: &Tensor,
    tensor_indices_or_sections: &Tensor,
    dim: i64,
) -> Result<Vec<Tensor>> {
    let split = tensor_indices_or_sections;
    ensure!(
        split.dtype() == DType::Int64,
        Runtime,
        "expected tensor_indices_or_sections to have dtype of long, but got {}",
        split.dtype()
    );
    ensure!(
        split.ndim() <= 1,
        Runtime,
        "expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, \
         but got a tensor with {} dims",
        split.ndim()
    );
    if split.ndim() == 0 {
        return ops::tensor_split::sections::call(
            self_,
            ops::_local_scalar_dense::Default_::call(split)?.to_i64()?,
            dim,
        );
    }
    let places = ops::unbind::int::call(split, 0)?;
    let places = buffer::try_collected(
        places.iter().map(|it| ops::_local_scalar_dense::Default_::call(it)?.to_i64()),
    )?;
    ops::tensor_split::indices::call(self_, &places, dim)
}

/// Cuts into parts of equal size.
fn equally(tensor: &Tensor, sections: i64, dim: i64) -> Result<Vec<Tensor>> {
    let size = tensor.size_of(dim)?;
    ensure!(
        sections > 0 && size % sections == 0,
        Runtime,
        "attempted to split along dimension {dim}, but the size of the dimension {size} is not \
         divisible by the split_size {sections}!"
    );
    ops::tensor_split::sections::call(tensor, sections, dim)
}

/// Where `hsplit` cuts: columns, or the elements of a vector.
fn column_dim(tensor: &Tensor) -> Result<i64> {
    ensure!(
        tensor.ndim() > 0,
        Runtime,
        "requires a tensor with at least 1 dimension, but got a tensor with 0 dimensions!"
    );
    Ok(i64::from(tensor.ndim() > 1))
}

fn check_ndim(tensor: &Tensor, least: usize) -> Result<()> {
    ensure!(
        tensor.ndim() >= least,
        Runtime,
        "requires a tensor with at least {least} dimension, but got a tensor with {} dimensions!",
        tensor.ndim()
    );
    Ok(())
}

#[native_op(hsplit.int)]
fn hsplit_int(self_: &Tensor, sections: i64) -> Result<Vec<Tensor>> {
    equally(self_, sections, column_dim(self_)?)
}

#[native_op(hsplit.array)]
fn hsplit_array(self_: &Tensor, indices: &[i64]) -> Result<Vec<Tensor>> {
    ops::tensor_split::indices::call(self_, indices, column_dim(self_)?)
}

#[native_op(vsplit.int)]
fn vsplit_int(self_: &Tensor, sections: i64) -> Result<Vec<Tensor>> {
    check_ndim(self_, 2)?;
    equally(self_, sections, 0)
}

#[native_op(vsplit.array)]
fn vsplit_array(self_: &Tensor, indices: &[i64]) -> Result<Vec<Tensor>> {
    check_ndim(self_, 2)?;
    ops::tensor_split::indices::call(self_, indices, 0)
}

#[native_op(dsplit.int)]
fn dsplit_int(self_: &Tensor, sections: i64) -> Result<Vec<Tensor>> {
    check_ndim(self_, 3)?;
    equally(self_, sections, 2)
}

#[native_op(dsplit.array)]
fn dsplit_array(self_: &Tensor, indices: &[i64]) -> Result<Vec<Tensor>> {
    check_ndim(self_, 3)?;
    ops::tensor_split::indices::call(self_, indices, 2)
}

/// The gradients of parts of this size one after the other, zeros for absent ones.
#[gradient_helper]
pub(crate) fn split_backward(
    grads: &[Option<&Tensor>],
    split_size: i64,
    dim: i64,
    sizes: &[i64],
    options: &Metadata,
) -> Result<Tensor> {
    let size = sizes[wrap_dim(dim, sizes.len())?];
    let mut rest = size;
    let split_sizes: Vec<i64> = grads
        .iter()
        .map(|_| {
            let taken = rest.min(split_size);
            rest -= taken;
            taken
        })
        .collect();
    split_with_sizes_backward(grads, &split_sizes, dim, sizes, options)
}

/// The gradients of parts of these sizes one after the other, zeros for absent ones.
#[gradient_helper]
pub(crate) fn split_with_sizes_backward(
    grads: &[Option<&Tensor>],
    split_sizes: &[i64],
    dim: i64,
    sizes: &[i64],
    options: &Metadata,
) -> Result<Tensor> {
    let dim = wrap_dim(dim, sizes.len())?;
    let of_one = |(grad, &size): (&Option<&Tensor>, &i64)| {
        if let Some(grad) = grad {
            return Ok(Tensor::clone(grad));
        }
        let mut shape = sizes.to_vec();
        shape[dim] = size;
        Tensor::zeroed(&shape, options.dtype, options.device)
    };
    let all: Result<Vec<Tensor>> = grads.iter().zip(split_sizes).map(of_one).collect();
    ops::cat::Default_::call(&all?.iter().collect::<Vec<_>>(), dim as i64)
}
