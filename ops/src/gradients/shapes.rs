//! Other shapes, parts of tensors, and tensors made of several.

use std::ops::Range;

use opwright_macros::gradient_helper;
use opwright_runtime::autograd::{Geometry, Metadata};
use opwright_runtime::geometry::{Dims, MAX_DIMS, element_count, wrap_dim};
use opwright_runtime::{DType, Result, Scalar, Tensor, fail, view};

use super::binary::handle_r_to_c;
use crate::ops::{self, TensorOps};

/// Fresh zeros of a shape, of the dtype and on the device of a tensor.
pub(super) fn zeros(like: &Tensor, shape: &[i64]) -> Result<Tensor> {
    Tensor::zeroed(shape, like.dtype(), like.device())
}

/// What lies between two places along a dimension.
pub(super) fn part(tensor: &Tensor, dim: usize, start: i64, end: i64) -> Result<Tensor> {
    ops::slice::Tensor::call(tensor, dim as i64, Some(start), Some(end), 1)
}

/// `count` numbers from `start` on.
fn numbers(like: &Tensor, start: i64, count: i64, step: i64) -> Result<Tensor> {
    let counted = ops::arange::start_step::call(
        Scalar::Int(0),
        Scalar::Int(count),
        Scalar::Int(1),
        Some(DType::Int64),
        None,
        Some(like.device()),
        None,
    )?;
    let scaled = counted.mul_scalar(Scalar::Int(step))?;
    ops::add::Scalar::call(&scaled, Scalar::Int(start), Scalar::Int(1))
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

/// `grad` with its dimensions where they were.
#[gradient_helper]
pub(crate) fn permute_backwards(grad: &Tensor, dims: &[i64]) -> Result<Tensor> {
    let mut inverse = vec![0; dims.len()];
    for (to, &from) in dims.iter().enumerate() {
        inverse[wrap_dim(from, dims.len())?] = to as i64;
    }
    grad.permute(&inverse)
}

/// The sum over all repetitions.
#[gradient_helper]
pub(crate) fn repeat_backward(grad: &Tensor, repeats: &[i64], sizes: &[i64]) -> Result<Tensor> {
    if repeats.contains(&0) {
        return zeros(grad, sizes);
    }
    let leading = repeats.len().saturating_sub(sizes.len());
    // With one for each copy, there may be more dimensions than a tensor can have: then those of size
    // one wait until the sum is made.
    let copied = repeats.iter().filter(|it| **it != 1).count();
    let is_many = copied + sizes.len() > MAX_DIMS;
    let (mut shape, mut summed) = (Vec::new(), Vec::new());
    for (dim, &count) in repeats.iter().enumerate() {
        if count != 1 {
            summed.push(shape.len() as i64);
            shape.push(count);
        }
        if dim >= leading && !(is_many && sizes[dim - leading] == 1) {
            shape.push(sizes[dim - leading]);
        }
    }
    let grad = grad.reshape(&shape)?;
    if summed.is_empty() {
        return Ok(grad);
    }
    let sum = ops::sum::dim_IntList::call(&grad, Some(&summed), false, None)?;
    if is_many { sum.reshape(sizes) } else { Ok(sum) }
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

/// `zeros` and what is added at some places along a dimension.
pub(super) fn added_at(
    zeros: &Tensor,
    dim: usize,
    places: &Tensor,
    grad: &Tensor,
) -> Result<Tensor> {
    zeros.index_add(dim as i64, places, grad)
}

/// `grad` is added up where its elements were taken from in the storage, and read where those of
/// the input lie; what several of these share is shared among them.
#[gradient_helper]
pub(crate) fn as_strided_backward(
    grad: &Tensor,
    input: &Geometry,
    size: &[i64],
    stride: &[i64],
    offset: Option<i64>,
) -> Result<Tensor> {
    if grad.numel() == 0 || element_count(&input.shape)? == 0 {
        return zeros(grad, &input.shape);
    }
    let offset = offset.unwrap_or(input.offset);
    let (of_view, of_input) =
        (span(size, stride, offset), span(&input.shape, &input.strides, input.offset));
    let first = of_view.start.min(of_input.start);
    let length = of_view.end.max(of_input.end) - first;
    let places = places_of(grad, size, stride, offset - first)?;
    let line = grad.reshape(&[grad.numel() as i64])?;
    let buffer = added_at(&zeros(grad, &[length])?, 0, &places, &line)?;
    let start = input.offset - first;
    let buffer = if may_overlap(&input.shape, &input.strides) {
        let places = places_of(grad, &input.shape, &input.strides, start)?;
        buffer.div(&times_read(&places, length)?)?
    } else {
        buffer
    };
    ops::as_strided::Default_::call(&buffer, &input.shape, &input.strides, Some(start))
}

/// The places from the first to the last that a tensor with elements reaches.
fn span(shape: &[i64], strides: &[i64], offset: i64) -> Range<i64> {
    let mut places = offset..offset + 1;
    for (size, stride) in shape.iter().zip(strides) {
        let reach = (size - 1) * stride;
        places.start += reach.min(0);
        places.end += reach.max(0);
    }
    places
}

/// The places of all elements, in order.
fn places_of(like: &Tensor, shape: &[i64], strides: &[i64], offset: i64) -> Result<Tensor> {
    let mut places = numbers(like, offset, 1, 1)?;
    for (&size, &stride) in shape.iter().zip(strides) {
        let starts = places.unsqueeze(1)?;
        let along = numbers(like, 0, size, stride)?;
        let all = starts.add(&along)?;
        places = all.reshape(&[all.numel() as i64])?;
    }
    Ok(places)
}

/// How often each place is among these; 1 for those that are not.
fn times_read(places: &Tensor, length: i64) -> Result<Tensor> {
    let counts = ops::bincount::Default_::call(places, None, length)?;
    counts.clamp_min(Scalar::Int(1))
}

/// Whether two elements may lie at the same place; if not, each dimension steps over the whole of
/// those with lesser strides.
fn may_overlap(shape: &[i64], strides: &[i64]) -> bool {
    let strides = strides.iter().map(|it| it.saturating_abs());
    let mut dims: Vec<(i64, i64)> = strides.zip(shape.iter().copied()).collect();
    dims.retain(|&(_, size)| size > 1);
    dims.sort_unstable();
    let mut reach = 0;
    for (stride, size) in dims {
        if stride <= reach {
            return true;
        }
        reach += stride * (size - 1);
    }
    false
}

/// `grad` without the border.
#[gradient_helper]
pub(crate) fn constant_pad_nd_backward(grad: &Tensor, pad: &[i64]) -> Result<Tensor> {
    let negated: Vec<i64> = pad.iter().map(|it| it.saturating_neg()).collect();
    ops::constant_pad_nd::Default_::call(grad, &negated, Scalar::Int(0))
}

/// `grad` rolled back.
#[gradient_helper]
pub(crate) fn roll_backward(grad: &Tensor, shifts: &[i64], dims: &[i64]) -> Result<Tensor> {
    let shifts: Vec<i64> = shifts.iter().rev().map(|it| it.saturating_neg()).collect();
    let dims: Vec<i64> = dims.iter().rev().copied().collect();
    ops::roll::Default_::call(grad, &shifts, &dims)
}

/// For each tensor the part of `grad` that was made of it.
#[gradient_helper]
pub(crate) fn cat_tensors_backward(
    grad: &Tensor,
    sizes: &[Dims],
    dtypes: &[DType],
    dim: i64,
) -> Result<Vec<Tensor>> {
    let dim = wrap_dim(dim, grad.ndim())?;
    let mut start = 0;
    let mut of_one = |(shape, &dtype): (&Dims, &DType)| {
        // Empty vectors went with tensors of any shape.
        if shape.as_slice() == [0] {
            return Tensor::zeroed(shape, dtype, grad.device());
        }
        let Some(size) = shape.get(dim) else {
            fail!(Runtime, "a tensor of shape {shape:?} has no dimension {dim}");
        };
        let end = start + size;
        let grad = part(grad, dim, start, end)?;
        start = end;
        handle_r_to_c(dtype, &grad)
    };
    sizes.iter().zip(dtypes).map(&mut of_one).collect()
}

/// For each tensor the slice of `grad` that was made of it.
#[gradient_helper]
pub(crate) fn stack_tensors_backward(
    grad: &Tensor,
    dim: i64,
    dtypes: &[DType],
) -> Result<Vec<Tensor>> {
    let slices = ops::unbind::int::call(grad, dim)?;
    slices.iter().zip(dtypes).map(|(slice, &dtype)| handle_r_to_c(dtype, slice)).collect()
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

/// The gradients of slices side by side, zeros for absent ones.
#[gradient_helper]
pub(crate) fn unbind_backward(grads: &[Option<&Tensor>], dim: i64) -> Result<Option<Tensor>> {
    let Some(known) = grads.iter().flatten().next() else { return Ok(None) };
    let zeros = zeros(known, known.shape())?;
    let all: Vec<&Tensor> = grads.iter().map(|it| it.unwrap_or(&zeros)).collect();
    ops::stack::Default_::call(&all, dim).map(Some)
}
