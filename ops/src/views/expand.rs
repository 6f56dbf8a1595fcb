//! Tensors stretched without a copy, and repeated with one.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::geometry::{Dims, MAX_DIMS, broadcast_shapes, element_count};
use opwright_runtime::{Error, Result, Tensor, buffer, ensure, fail, view};

use crate::gradient::{sum_to, zeros};
use crate::ops::{self, TensorOps};

#[native_op(expand)]
fn expand(self_: &Tensor, size: &[i64], _implicit: bool) -> Result<Tensor> {
    let ndim = self_.ndim();
    let Some(missing) = size.len().checked_sub(ndim) else {
        fail!(
            Runtime,
            "the number of sizes provided ({}) must be greater or equal to the number of \
             dimensions in the tensor ({ndim})",
            size.len()
        );
    };
    let mut shape = Dims::from_slice(size);
    for (dim, slot) in shape.iter_mut().enumerate() {
        if *slot != -1 {
            continue;
        }
        ensure!(
            dim >= missing,
            Runtime,
            "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing \
             dimension {dim}"
        );
        *slot = self_.shape()[dim - missing];
    }
    // The tensor is a view of its own also where nothing changes.
    if shape[..] == *self_.shape() { view::alias(self_) } else { view::expand(self_, &shape) }
}

#[native_op(sum_to_size)]
fn sum_to_size(self_: &Tensor, size: &[i64]) -> Result<Tensor> {
    let shape = self_.shape();
    let fits = |missing: usize| {
        let mut pairs = size.iter().zip(&shape[missing..]);
        pairs.all(|(&wanted, &has)| wanted == has || wanted == 1)
    };
    ensure!(
        shape.len().checked_sub(size.len()).is_some_and(fits),
        Runtime,
        "size {{{size:?}}} is not expandable to size {{{shape:?}}}."
    );
    if size.is_empty() {
        return self_.sum();
    }
    if shape == size {
        return ops::clone::Default_::call(self_, None);
    }
    sum_to(self_, size)
}

#[native_op(expand_as)]
fn expand_as(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
    self_.expand(other.shape())
}

#[native_op(broadcast_tensors)]
fn broadcast_tensors(tensors: &[&Tensor]) -> Result<Vec<Tensor>> {
    let shapes = buffer::collected(tensors.iter().map(|it| it.shape()))?;
    let shape = broadcast_shapes(&shapes)?;
    let copy = |it: &&Tensor| ops::clone::Default_::call(&it.expand(&shape)?, None);
    buffer::try_collected(tensors.iter().map(copy))
}

#[native_op(repeat)]
fn repeat(self_: &Tensor, repeats: &[i64]) -> Result<Tensor> {
    let Some(missing) = repeats.len().checked_sub(self_.ndim()) else {
        fail!(
            Runtime,
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of \
             tensor"
        );
    };
    let mut shape = Dims::from_elem(1, missing);
    shape.extend_from_slice(self_.shape());
    let mut repeated = Dims::new();
    // Copies and elements in dimensions of their own, next to each other.
    let mut apart = Dims::new();
    let mut stretched = Dims::new();
    for (&size, &times) in shape.iter().zip(repeats) {
        ensure!(times >= 0, Runtime, "Trying to create tensor with negative dimension {times}");
        repeated.push(size.checked_mul(times).ok_or_else(|| too_many(repeats))?);
        // Without those of size one, so that these are never more than a tensor can have.
        for (size, own) in [(times, 1), (size, size)] {
            if size != 1 {
                apart.push(size);
                stretched.push(own);
            }
        }
    }
    element_count(&repeated)?;
    if repeated.contains(&0) {
        return Tensor::allocate(&repeated, self_.dtype(), self_.device());
    }
    // Not a view of the result: what has another handle is filled with zeros before it is written.
    let mut target = Tensor::allocate(&apart, self_.dtype(), self_.device())?;
    target.copy_from(&view::reshape(self_, &stretched)?)?;
    view::reshape(&target, &repeated)
}

#[cold]
fn too_many(repeats: &[i64]) -> Error {
    Error::overflow(format_args!("sizes overflow with repeats {repeats:?}"))
}

#[native_op(tile)]
fn tile(self_: &Tensor, dims: &[i64]) -> Result<Tensor> {
    let missing = self_.ndim().saturating_sub(dims.len());
    let mut repeats = Dims::from_elem(1, missing);
    repeats.extend_from_slice(dims);
    self_.repeat(&repeats)
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
