//! Dimensions joined into one, or one split into several.

use opwright_macros::native_op;
use opwright_runtime::geometry::{check_ndim, element_count, infer_shape, wrap_dim};
use opwright_runtime::{Result, Tensor, ensure};

use crate::ops::TensorOps;

#[native_op(flatten.using_ints)]
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

#[native_op(unflatten.int)]
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
