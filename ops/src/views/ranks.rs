//! Tensors with a least number of dimensions, in memory of their own.

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor, buffer};

use crate::ops::{self, TensorOps};

#[native_op(atleast_1d)]
fn atleast_1d(self_: &Tensor) -> Result<Tensor> {
    let view = with_dims(self_, 1)?;
    ops::clone::Default_::call(&view, None)
}

#[native_op(atleast_1d.Sequence)]
fn atleast_1d_sequence(tensors: &[&Tensor]) -> Result<Vec<Tensor>> {
    buffer::try_collected(tensors.iter().map(|it| ops::atleast_1d::Default_::call(it)))
}

#[native_op(atleast_2d)]
fn atleast_2d(self_: &Tensor) -> Result<Tensor> {
    let view = with_dims(self_, 2)?;
    ops::clone::Default_::call(&view, None)
}

#[native_op(atleast_2d.Sequence)]
fn atleast_2d_sequence(tensors: &[&Tensor]) -> Result<Vec<Tensor>> {
    buffer::try_collected(tensors.iter().map(|it| ops::atleast_2d::Default_::call(it)))
}

#[native_op(atleast_3d)]
fn atleast_3d(self_: &Tensor) -> Result<Tensor> {
    let view = with_dims(self_, 3)?;
    ops::clone::Default_::call(&view, None)
}

#[native_op(atleast_3d.Sequence)]
fn atleast_3d_sequence(tensors: &[&Tensor]) -> Result<Vec<Tensor>> {
    buffer::try_collected(tensors.iter().map(|it| ops::atleast_3d::Default_::call(it)))
}

/// A view with as many dimensions or more. A vector is a row of a matrix, and a matrix lies in the
/// first two of three dimensions.
fn with_dims(tensor: &Tensor, ndim: usize) -> Result<Tensor> {
    let mut view = tensor.clone();
    while view.ndim() < ndim {
        view = view.unsqueeze(if view.ndim() == 2 { 2 } else { 0 })?;
    }
    Ok(view)
}
