//! Slices with a step, forwards or backwards.

use super::{check_dim, geometry, narrow};
use crate::tensor::Tensor;
use crate::{Result, ensure};

/// Every `step`-th of the indices from `start` to before `end`, which may
/// count from the end and are cut to the dimension; backwards if `step` is negative.
///
/// # Errors
///
/// `Index` if there is no such dimension, `Value` if `step` is zero.
///
/// ```
/// use opwright_runtime::{Tensor, view};
///
/// let x = Tensor::from_slice(&[4], &[1.0, 2.0, 3.0, 4.0])?;
/// assert_eq!(view::slice(&x, 0, 1, 4, 2)?.to_vec::<f64>()?, [2.0, 4.0]);
/// assert_eq!(view::slice(&x, 0, 2, i64::MIN, -1)?.to_vec::<f64>()?, [3.0, 2.0, 1.0]);
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
pub fn slice(tensor: &Tensor, dim: usize, start: i64, end: i64, step: i64) -> Result<Tensor> {
    ensure!(step != 0, Value, "slice step must not be zero");
    check_dim(tensor, dim)?;
    if step < 0 {
        return slice_backwards(tensor, dim, start, end, step);
    }
    let size = tensor.shape()[dim];
    let wrap = |index: i64| if index < 0 { index.saturating_add(size) } else { index };
    let start = wrap(start).clamp(0, size);
    let end = wrap(end).clamp(start, size);
    let part = narrow(tensor, dim, start, end - start)?;
    if step == 1 {
        return Ok(part);
    }
    let mut geometry = geometry(&part);
    let length = (end - start) / step + i64::from((end - start) % step > 0);
    geometry.shape[dim] = length;
    if length > 1 {
        geometry.strides[dim] *= step;
    }
    tensor.with_checked_geometry(geometry)
}

/// The index that a backward slice over `size` indices starts from, and how many it takes.
pub fn backward_span(size: i64, start: i64, end: i64, step: i64) -> (i64, i64) {
    let wrap = |index: i64| if index < 0 { index.saturating_add(size) } else { index };
    let start = wrap(start).clamp(-1, size - 1);
    let end = wrap(end).clamp(-1, start);
    // The negated distances, as a step has no negation if it is the least of all.
    let length = (end - start) / step + i64::from((end - start) % step != 0);
    (start, length)
}

#[cold]
fn slice_backwards(tensor: &Tensor, dim: usize, start: i64, end: i64, step: i64) -> Result<Tensor> {
    let (start, length) = backward_span(tensor.shape()[dim], start, end, step);
    let mut geometry = geometry(tensor);
    // Nothing is there if a dimension is empty, and the place may be out of the storage.
    if length > 0 && tensor.numel() > 0 {
        geometry.offset += start * geometry.strides[dim];
    }
    geometry.shape[dim] = length;
    if length > 1 {
        geometry.strides[dim] = geometry.strides[dim].saturating_mul(step);
    }
    tensor.with_checked_geometry(geometry)
}
