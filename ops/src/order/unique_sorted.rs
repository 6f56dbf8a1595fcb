//! Distinct elements, and distinct slices: runs of what was sorted.

use std::cmp::Ordering;

use opwright_macros::native_op;
use opwright_runtime::dtype::Ordered;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::{Result, Tensor, buffer, dispatch, ensure, interrupt, view};

use crate::ops::{self, TensorOps};

#[native_op(_unique2)]
fn unique2(
    self_: &Tensor,
    _sorted: bool,
    return_inverse: bool,
    return_counts: bool,
) -> Result<(Tensor, Tensor, Tensor)> {
    let line = view::reshape(self_, &[self_.numel() as i64])?;
    let runs = |sorted: &Tensor| {
        ops::unique_consecutive::Default_::call(sorted, return_inverse, return_counts, None)
    };
    if !return_inverse {
        // Values alone are sorted sooner.
        return runs(&line.msort()?);
    }
    let (sorted, order) = line.sort()?;
    let (values, inverse, counts) = runs(&sorted)?;
    let inverse = view::reshape(&at_places(&inverse, &order)?, self_.shape())?;
    Ok((values, inverse, counts))
}

#[native_op(unique_dim)]
fn unique_dim(
    self_: &Tensor,
    dim: i64,
    _sorted: bool,
    return_inverse: bool,
    return_counts: bool,
) -> Result<(Tensor, Tensor, Tensor)> {
    let along = wrap_dim(dim, self_.ndim())?;
    ensure!(along < self_.ndim(), Index, "a tensor without dimensions has no slices");
    let shape = self_.shape();
    ensure!(
        shape[along] == 0 || self_.numel() > 0,
        Runtime,
        "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied"
    );
    let order = lexicographic_order(self_, along)?;
    let sorted = ops::index_select::Default_::call(self_, dim, &order)?;
    let (values, runs, counts) =
        ops::unique_consecutive::Default_::call(&sorted, return_inverse, return_counts, Some(dim))?;
    let inverse = if return_inverse { at_places(&runs, &order)? } else { runs };
    Ok((values, inverse, counts))
}

/// The numbers of an ordered line at the places that it came from.
fn at_places(numbers: &Tensor, order: &Tensor) -> Result<Tensor> {
    ops::empty_like::Default_::call(numbers, None, None, None, None, None)?
        .scatter(0, order, numbers)
}

/// The numbers of slices in their lexicographic order.
fn lexicographic_order(tensor: &Tensor, dim: usize) -> Result<Tensor> {
    let count = tensor.shape()[dim] as usize;
    let mut dims: Vec<usize> = (0..tensor.ndim()).collect();
    dims[..=dim].rotate_right(1);
    let mut order = buffer::with_capacity(count)?;
    order.extend(0..count as i64);
    let each = tensor.numel().checked_div(count).unwrap_or_default();
    if count > 1 {
        dispatch!(tensor.dtype(), "unique", ordered, |T| {
            let rows = view::permute(&tensor.to_values::<T>()?, &dims)?.to_contiguous()?;
            // SAFETY: nothing is written below, and threads that share a tensor do not write to it
            // while an operator reads it.
            let elements = unsafe { rows.as_slice::<T>()? };
            let row = |place: i64| &elements[place as usize * each..][..each];
            let mut compared = 0;
            order.sort_by(|one, other| {
                compared += 1;
                interrupt::check_at(compared);
                compare(row(*one), row(*other))
            });
            Ok(())
        })?;
    }
    Tensor::from_vec(&[count as i64], order)
}

/// Lexicographically, with NaN behind all numbers.
fn compare<T: Ordered>(one: &[T], other: &[T]) -> Ordering {
    let each =
        |(a, b): (&T, &T)| a.partial_cmp(b).unwrap_or_else(|| T::is_nan(*a).cmp(&T::is_nan(*b)));
    one.iter().zip(other).map(each).find(|it| it.is_ne()).unwrap_or(Ordering::Equal)
}
