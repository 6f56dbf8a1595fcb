//! Coordinates of a grid.

use opwright_macros::native_op;
use opwright_runtime::{GridIndexing, Result, Tensor, buffer, ensure};

use crate::ops::{self, TensorOps};

#[native_op(meshgrid)]
fn meshgrid(tensors: &[&Tensor]) -> Result<Vec<Tensor>> {
    ensure!(!tensors.is_empty(), Runtime, "expects a non-empty TensorList");
    for tensor in tensors {
        ensure!(
            tensor.ndim() <= 1,
            Runtime,
            "Expected 0D or 1D tensor in the tensor list but got a tensor of shape {:?}",
            tensor.shape()
        );
        ensure!(
            tensor.dtype() == tensors[0].dtype(),
            Runtime,
            "expects all tensors to have the same dtype"
        );
    }
    let shape = buffer::collected(tensors.iter().map(|it| it.numel() as i64))?;
    let along = |(dim, tensor): (usize, &&Tensor)| {
        let mut own = buffer::filled(shape.len(), 1)?;
        own[dim] = shape[dim];
        ops::clone::Default_::call(&tensor.reshape(&own)?.expand(&shape)?, None)
    };
    buffer::try_collected(tensors.iter().enumerate().map(along))
}

#[native_op(meshgrid.indexing)]
fn meshgrid_indexing(tensors: &[&Tensor], indexing: GridIndexing) -> Result<Vec<Tensor>> {
    match indexing {
        GridIndexing::Ij => ops::meshgrid::Default_::call(tensors),
        GridIndexing::Xy if tensors.len() < 2 => ops::meshgrid::Default_::call(tensors),
        GridIndexing::Xy => {
            let mut swapped = buffer::copied(tensors)?;
            swapped.swap(0, 1);
            let mut grids = ops::meshgrid::Default_::call(&swapped)?;
            grids.swap(0, 1);
            Ok(grids)
        }
    }
}
