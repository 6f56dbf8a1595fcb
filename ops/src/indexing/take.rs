//! Elements by their number in row-major order, or by indices of one dimension.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::geometry::{broadcast_shapes, wrap_dim};
use opwright_runtime::structured::common_device;
use opwright_runtime::{DType, Result, Spec, Tensor, ensure};

use super::places::{Axis, NegativeIndices, along, check_dtype};
use super::selection::Selection;
use crate::gradient::zeros;
use crate::ops::{self, TensorOps};

#[native_op(take.out, rule)]
fn take_rule(self_: &Tensor, index: &Tensor) -> Result<Spec> {
    check_dtype(index, "index")?;
    ensure!(
        self_.numel() > 0 || index.numel() == 0,
        Index,
        "cannot take elements from an empty tensor"
    );
    Ok(Spec::new(index.shape(), self_.dtype(), common_device(&[self_, index])?))
}

#[native_op(take.out)]
fn take_out(self_: &Tensor, index: &Tensor, out: &mut Tensor) -> Result<()> {
    let source = self_.to_contiguous()?;
    let places = along(index, Axis::flat(&source), NegativeIndices::Any)?;
    Selection::new(&[], &[], 0, 0, places)?.read(&source, out)
}

#[native_op(put)]
fn put(self_: &Tensor, index: &Tensor, source: &Tensor, accumulate: bool) -> Result<Tensor> {
    check_put(self_, index, source)?;
    let (places, values) = (index.reshape(&[-1])?, source.reshape(&[-1])?);
    let line = self_.reshape(&[-1])?;
    let line = ops::index_put::Default_::call(&line, &[Some(&places)], &values, accumulate)?;
    let changed = line.reshape(self_.shape())?;
    if self_.is_contiguous() {
        return Ok(changed);
    }
    let mut laid = ops::empty_like::Default_::call(self_, None, None, None, None, None)?;
    ops::copy_::Default_::call(&mut laid, &changed, false)?;
    Ok(laid)
}

#[native_op(put_)]
fn put_(self_: &mut Tensor, index: &Tensor, source: &Tensor, accumulate: bool) -> Result<()> {
    check_put(self_, index, source)?;
    if !self_.is_contiguous() {
        let changed = ops::put::Default_::call(self_, index, source, accumulate)?;
        return ops::copy_::Default_::call(self_, &changed, false);
    }
    let (places, values) = (index.reshape(&[-1])?, source.reshape(&[-1])?);
    let mut line = self_.view(&[-1])?;
    ops::index_put_::Default_::call(&mut line, &[Some(&places)], &values, accumulate)
}

fn check_put(tensor: &Tensor, index: &Tensor, source: &Tensor) -> Result<()> {
    ensure!(
        index.dtype() == DType::Int64,
        Runtime,
        "Expected a long tensor for index, but got {}",
        index.dtype().title()
    );
    ensure!(
        tensor.dtype() == source.dtype(),
        Runtime,
        "the input and source are expected to have the same dtype, but it has {} and source has {}",
        tensor.dtype().title(),
        source.dtype().title()
    );
    ensure!(
        index.numel() == source.numel(),
        Runtime,
        "Expected source and index to have the same number of elements, but got source.numel() = \
         {}, index.numel() = {}",
        source.numel(),
        index.numel()
    );
    ensure!(
        tensor.numel() > 0 || index.numel() == 0,
        Index,
        "Tried to put elements into an empty tensor"
    );
    Ok(())
}

#[native_op(take_along_dim)]
fn take_along_dim(self_: &Tensor, indices: &Tensor, dim: Option<i64>) -> Result<Tensor> {
    check_dtype(indices, "indices")?;
    let Some(dim) = dim else {
        let (flat, indices) = (self_.reshape(&[-1])?, indices.reshape(&[-1])?);
        return crate::ops::gather::Default_::call(&flat, 0, &indices, false);
    };
    ensure!(
        self_.ndim() == indices.ndim(),
        Runtime,
        "input and indices should have the same number of dimensions, but got {} dimensions for \
         input, and {} dimensions for indices",
        self_.ndim(),
        indices.ndim()
    );
    let at = wrap_dim(dim, self_.ndim())?;
    // All dimensions but this one are stretched to each other.
    let one = |tensor: &Tensor| {
        let mut shape = tensor.shape().to_vec();
        if let Some(size) = shape.get_mut(at) {
            *size = 1;
        }
        shape
    };
    let common = broadcast_shapes(&[&one(self_), &one(indices)])?;
    let stretched = |tensor: &Tensor| {
        let mut shape = common.to_vec();
        if let Some(size) = shape.get_mut(at) {
            *size = tensor.shape()[at];
        }
        tensor.expand(&shape)
    };
    crate::ops::gather::Default_::call(&stretched(self_)?, dim, &stretched(indices)?, false)
}

/// Zeros with the sums of `grad` at the places that were read, counted through all dimensions.
#[gradient_helper]
pub(crate) fn take_backward(grad: &Tensor, self_: &Tensor, index: &Tensor) -> Result<Tensor> {
    let line = zeros(grad, &[self_.numel() as i64])?;
    let sums = ops::index_put::Default_::call(&line, &[Some(index)], grad, true)?;
    sums.reshape(self_.shape())
}
