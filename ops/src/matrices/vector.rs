//! Products with vectors.

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor, ensure};

use super::product::common_dtype;
use crate::ops::{self, TensorOps};

#[native_op(mv)]
fn mv(self_: &Tensor, vec: &Tensor) -> Result<Tensor> {
    check_mv(self_, vec)?;
    ops::mm::Default_::call(self_, &vec.unsqueeze(1)?)?.squeeze_dim(1)
}

fn check_mv(matrix: &Tensor, vec: &Tensor) -> Result<()> {
    let (&[rows, inner], &[length]) = (matrix.shape(), vec.shape()) else {
        opwright_runtime::fail!(
            Runtime,
            "a matrix and a vector expected, got {} dimensions and {}",
            matrix.ndim(),
            vec.ndim()
        )
    };
    ensure!(
        inner == length,
        Runtime,
        "size mismatch: a matrix of {rows}x{inner} and a vector of {length}"
    );
    common_dtype(matrix, vec).map(drop)
}

#[native_op(dot)]
fn dot(self_: &Tensor, tensor: &Tensor) -> Result<Tensor> {
    check_dot(self_, tensor)?;
    inner_product(self_, tensor)
}

#[native_op(vdot)]
fn vdot(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
    check_dot(self_, other)?;
    if self_.dtype().is_complex_number() {
        inner_product(&conjugated(self_)?, other)
    } else {
        inner_product(self_, other)
    }
}

fn check_dot(a: &Tensor, b: &Tensor) -> Result<()> {
    let (rank, other_rank) = (a.ndim(), b.ndim());
    ensure!(
        rank == 1 && other_rank == 1,
        Runtime,
        "1D tensors expected, but got {rank}D and {other_rank}D tensors"
    );
    common_dtype(a, b)?;
    let (length, other) = (a.numel(), b.numel());
    ensure!(
        length == other,
        Runtime,
        "inconsistent sizes: both vectors must have the same number of elements, but have \
         {length} and {other}"
    );
    Ok(())
}

fn inner_product(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let (row, column) = (a.unsqueeze(0)?, b.unsqueeze(1)?);
    ops::mm::Default_::call(&row, &column)?.reshape(&[])
}

/// A copy with imaginary parts of the other sign.
pub(crate) fn conjugated(tensor: &Tensor) -> Result<Tensor> {
    ops::conj_physical::Default_::call(tensor)
}

#[native_op(outer)]
fn outer(self_: &Tensor, vec2: &Tensor) -> Result<Tensor> {
    let (column, row) = column_and_row(self_, vec2)?;
    ops::mul::Tensor::call(&column, &row)
}

#[native_op(outer.out)]
fn outer_out(self_: &Tensor, vec2: &Tensor, out: &mut Tensor) -> Result<()> {
    let (column, row) = column_and_row(self_, vec2)?;
    ops::mul::out::call(&column, &row, out)
}

fn column_and_row(a: &Tensor, b: &Tensor) -> Result<(Tensor, Tensor)> {
    let (rank, other) = (a.ndim(), b.ndim());
    ensure!(
        rank == 1 && other == 1,
        Runtime,
        "1D tensors expected, but got {rank}D and {other}D tensors"
    );
    Ok((a.unsqueeze(1)?, b.unsqueeze(0)?))
}

#[native_op(inner)]
fn inner(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
    if self_.ndim() == 0 || other.ndim() == 0 {
        return ops::mul::Tensor::call(self_, other);
    }
    let (size, other_size) = (self_.size_of(-1)?, other.size_of(-1)?);
    ensure!(
        size == other_size,
        Runtime,
        "the last dimension must match on both input tensors but got shapes {:?} and {:?}",
        self_.shape(),
        other.shape()
    );
    ops::tensordot::Default_::call(self_, other, &[-1], &[-1])
}
