//! Sorting.

use ndarray::{ArrayView1, ArrayViewMut1};
use opwright_macros::native_op;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::structured::Spec;
use opwright_runtime::{DType, Result, Tensor, along_dim, dispatch};

use super::packed::Packed;
use super::rank::{Extent, Order, Ranked, Ranks, order_lane};
use super::values::write_values;
use crate::ops;

#[native_op(sort)]
fn sort(self_: &Tensor, dim: i64, descending: bool) -> Result<(Tensor, Tensor)> {
    ops::sort::stable::call(self_, Some(false), dim, descending)
}

#[native_op(sort.values_stable, rule)]
fn sort_rule(
    self_: &Tensor,
    _stable: Option<bool>,
    dim: i64,
    _descending: bool,
) -> Result<(Spec, Spec)> {
    wrap_dim(dim, self_.ndim())?;
    ordered_pair("sort", self_, self_.shape())
}

/// Values and indices of such a shape, of something that can be ordered.
pub(super) fn ordered_pair(what: &str, input: &Tensor, shape: &[i64]) -> Result<(Spec, Spec)> {
    if input.dtype().is_complex_number() {
        return Err(input.dtype().unsupported(what));
    }
    let values = Spec::new(shape, input.dtype(), input.device()).in_order_of(input);
    Ok((values.clone(), values.with_dtype(DType::Int64)))
}

#[native_op(sort.values_stable)]
fn sort_values_stable(
    self_: &Tensor,
    _stable: Option<bool>,
    dim: i64,
    descending: bool,
    values: &mut Tensor,
    indices: &mut Tensor,
) -> Result<()> {
    let order = Order::new(descending);
    let dim = wrap_dim(dim, self_.ndim())?;
    dispatch!(self_.dtype(), "sort", ordered, |T| {
        // SAFETY: the function uses nothing but its lanes, and threads that share a
        // tensor leave it alone while an operator uses it.
        unsafe {
            along_dim::unary_pair(self_, (values, indices), dim, |lane, values, indices| {
                let sorted = Packed::sorted(Ranks::of::<T>(lane), order)?;
                sorted.write_values(lane, values);
                sorted.write_indices(indices);
                Ok(())
            })
        }
    })
}

/// Writes the first elements in order, and where they are; as many as the
/// extent says, which is also the size of the outputs along `dim`.
pub(super) fn order_into(
    input: &Tensor,
    dim: i64,
    order: Order,
    extent: Extent,
    out: (&mut Tensor, &mut Tensor),
) -> Result<()> {
    let dim = wrap_dim(dim, input.ndim())?;
    dispatch!(input.dtype(), "sort", ordered, |T| {
        // SAFETY: the function uses nothing but its lanes, and threads that share a
        // tensor leave it alone while an operator uses it.
        unsafe {
            along_dim::unary_pair(input, out, dim, |lane, values, indices| {
                write_in_order::<T>(lane, order, extent, values, indices)
            })
        }
    })
}

fn write_in_order<T: Ranked>(
    lane: ArrayView1<'_, T>,
    order: Order,
    extent: Extent,
    mut values: ArrayViewMut1<'_, T>,
    mut indices: ArrayViewMut1<'_, i64>,
) -> Result<()> {
    let mut slots = values.iter_mut().zip(indices.iter_mut());
    order_lane(Ranks::of(lane), order, extent, &mut |rank, index| {
        if let Some((value, place)) = slots.next() {
            // The elements are far apart in memory, their ranks are at hand.
            (*value, *place) = (T::of_rank(rank).unwrap_or_else(|| lane[index]), index as i64);
        }
    })
}

#[native_op(argsort)]
fn argsort(self_: &Tensor, dim: i64, descending: bool) -> Result<Tensor> {
    let wrapped = wrap_dim(dim, self_.ndim())?;
    let (_, spec) = ordered_pair("argsort", self_, self_.shape())?;
    let mut out = spec.allocate()?;
    if !out.device().is_meta() {
        let order = Order::new(descending);
        dispatch!(self_.dtype(), "argsort", ordered, |T| {
            // SAFETY: the function uses nothing but its lanes, and threads that share a
            // tensor leave it alone while an operator uses it.
            unsafe {
                along_dim::unary(self_, &mut out, wrapped, |lane: ArrayView1<'_, T>, out| {
                    Packed::sorted(Ranks::of::<T>(lane), order)?.write_indices(out);
                    Ok(())
                })
            }
        })?;
    }
    Ok(out)
}

#[native_op(msort)]
fn msort(self_: &Tensor) -> Result<Tensor> {
    let (spec, _) = ordered_pair("sort", self_, self_.shape())?;
    let mut out = spec.allocate()?;
    if !out.device().is_meta() {
        dispatch!(self_.dtype(), "sort", ordered, |T| {
            // SAFETY: the function uses nothing but its lanes, and threads that share a
            // tensor leave it alone while an operator uses it.
            unsafe { along_dim::unary(self_, &mut out, 0, write_values::<T>) }
        })?;
    }
    Ok(out)
}
