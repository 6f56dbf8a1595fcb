//! Dimensions joined into one, or one split into several.

use opwright_macros::native_op;
use opwright_runtime::geometry::{check_ndim, element_count, infer_shape, wrap_dim};
use opwright_runtime::{Result, Tensor, ensure};

use crate::ops::TensorOps;

/// The dimensions from `start_dim` to `end_dim`, both included, joined into one.
/// It shares the memory of the input if the strides allow it, and is a copy
/// otherwise. A tensor without dimensions gets one.
///
/// ```python
/// >>> opwright.flatten(opwright.tensor([[1, 2], [3, 4]]))
/// tensor([1, 2, 3, 4], dtype=int64, shape=(4,))
/// >>> opwright.flatten(opwright.ones(2, 3, 4), start_dim=1).shape
/// opwright.Size([2, 12])
/// ```
#[native_op(
    "flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)",
    composite,
    variants = "function, method"
)]
fn flatten(self_: &Tensor, start_dim: i64, end_dim: i64) -> Result<Tensor> {
    let ndim = self_.ndim();
    let (start, end) = (wrap_dim(start_dim, ndim)?, wrap_dim(end_dim, ndim)?);
    ensure!(
        start <= end,
        Runtime,
        "has invalid args: start_dim cannot come after end_dim, but got {start_dim} and {end_dim}"
    );
    if ndim == 0 {
        return self_.reshape(&[1]);
    }
    if start == end {
        return Ok(self_.clone());
    }
    let shape = self_.shape();
    let joined = element_count(&shape[start..=end])? as i64;
    self_.reshape(&[&shape[..start], &[joined], &shape[end + 1..]].concat())
}

/// The dimension `dim` split into dimensions of these `sizes`, one of which may
/// be -1 and follows from the others. It shares the memory of the input.
///
/// ```python
/// >>> opwright.unflatten(opwright.ones(2, 6), 1, (2, -1)).shape
/// opwright.Size([2, 2, 3])
/// ```
#[native_op(
    "unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)",
    composite,
    variants = "function, method",
    gil = "hold"
)]
fn unflatten(self_: &Tensor, dim: i64, sizes: &[i64]) -> Result<Tensor> {
    ensure!(!sizes.is_empty(), Runtime, "sizes must be non-empty");
    let size = self_.size_of(dim)?;
    let dim = wrap_dim(dim, self_.ndim())?;
    check_ndim(self_.ndim() - 1 + sizes.len())?;
    let Ok(sizes) = infer_shape(sizes, size as usize) else {
        opwright_runtime::fail!(
            Runtime,
            "Provided sizes {sizes:?} don't multiply up to the size of dim {dim} ({size}) in the \
             input tensor"
        );
    };
    let shape = self_.shape();
    self_.reshape(&[&shape[..dim], &sizes, &shape[dim + 1..]].concat())
}
