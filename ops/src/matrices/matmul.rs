//! The product whose meaning depends on the numbers of dimensions, and affine maps made of it.

use opwright_macros::native_op;
use opwright_runtime::geometry::{Dims, broadcast_shapes, element_count, strides_for_shape};
use opwright_runtime::{Result, Tensor, ensure};

use crate::ops::{self, TensorOps};
use opwright_runtime::structured::copy_to_out;

#[native_op(matmul)]
fn matmul(self_: &Tensor, other: &Tensor) -> Result<Tensor> {
    match (self_.ndim(), other.ndim()) {
        (2, 2) => ops::mm::Default_::call(self_, other),
        (1, 1) => ops::dot::Default_::call(self_, other),
        (2, 1) => ops::mv::Default_::call(self_, other),
        (1, 2) => {
            let row = self_.unsqueeze(0)?;
            ops::mm::Default_::call(&row, other)?.squeeze_dim(0)
        }
        (rank, other_rank) => {
            ensure!(
                rank > 0 && other_rank > 0,
                Runtime,
                "both arguments to matmul need to be at least 1D, but they are {rank}D and \
                 {other_rank}D"
            );
            batched(self_, other)
        }
    }
}

#[native_op(matmul.out)]
fn matmul_out(self_: &Tensor, other: &Tensor, out: &mut Tensor) -> Result<()> {
    match (self_.ndim(), other.ndim()) {
        (2, 2) => ops::mm::out::call(self_, other, out),
        _ => copy_to_out(&ops::matmul::Default_::call(self_, other)?, out),
    }
}

/// Three dimensions or more on one side at least.
fn batched(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let (is_row, is_column) = (a.ndim() == 1, b.ndim() == 1);
    let a = if is_row { a.unsqueeze(0)? } else { a.clone() };
    let b = if is_column { b.unsqueeze(1)? } else { b.clone() };
    let product = match joined_rows(&a, &b)? {
        Some(rows) => one_matrix(&a, &rows, &b)?,
        None => many_matrices(&a, &b)?,
    };
    let ndim = product.ndim() as i64;
    let product = if is_column { product.squeeze_dim(ndim - 1)? } else { product };
    if is_row { product.squeeze_dim(ndim - 2) } else { Ok(product) }
}

/// All matrices of `a` below each other, if they are to be multiplied with the
/// one matrix `b` and need not be copied for that.
fn joined_rows(a: &Tensor, b: &Tensor) -> Result<Option<Tensor>> {
    let &[.., inner] = a.shape() else { return Ok(None) };
    if b.ndim() != 2 || inner == 0 {
        return Ok(None);
    }
    let shape = [a.numel() as i64 / inner, inner];
    let is_view = strides_for_shape(a.shape(), a.strides(), &shape).is_some();
    is_view.then(|| a.reshape(&shape)).transpose()
}

fn one_matrix(a: &Tensor, rows: &Tensor, b: &Tensor) -> Result<Tensor> {
    let product = ops::mm::Default_::call(rows, b)?;
    let mut shape = Dims::from_slice(&a.shape()[..a.ndim() - 1]);
    shape.push(b.shape()[1]);
    product.reshape(&shape)
}

fn many_matrices(a: &Tensor, b: &Tensor) -> Result<Tensor> {
    let ((a_batch, a_matrix), (b_batch, b_matrix)) = (split(a), split(b));
    let batch = broadcast_shapes(&[a_batch, b_batch])?;
    let count = element_count(&batch)? as i64;
    let stack = |tensor: &Tensor, matrix: [i64; 2]| {
        let mut shape = batch.clone();
        shape.extend_from_slice(&matrix);
        tensor.expand(&shape)?.reshape(&[count, matrix[0], matrix[1]])
    };
    let product = ops::bmm::Default_::call(&stack(a, a_matrix)?, &stack(b, b_matrix)?)?;
    let mut shape = batch.clone();
    shape.extend_from_slice(&[a_matrix[0], b_matrix[1]]);
    product.reshape(&shape)
}

/// The sizes of the batch, and those of each matrix.
fn split(tensor: &Tensor) -> (&[i64], [i64; 2]) {
    match tensor.shape() {
        &[ref batch @ .., rows, columns] => (batch, [rows, columns]),
        _ => (&[], [1, 1]),
    }
}

#[native_op(linear)]
fn linear(input: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
    ensure!(
        matches!(weight.ndim(), 1 | 2),
        Runtime,
        "weight must be a matrix or a vector, but has {} dimensions",
        weight.ndim()
    );
    let features = input.shape().last();
    ensure!(
        features.is_none() || features == weight.shape().last(),
        Runtime,
        "input of shape {:?} does not fit weight of shape {:?}: their last sizes must be equal",
        input.shape(),
        weight.shape()
    );
    let transposed = ops::t::Default_::call(weight)?;
    match bias {
        Some(bias) if input.ndim() == 2 && weight.ndim() == 2 => {
            ops::addmm::Default_::call(bias, input, &transposed, 1.into(), 1.into())
        }
        Some(bias) => {
            let product = ops::matmul::Default_::call(input, &transposed)?;
            ops::add::Tensor::call(&product, bias, 1.into())
        }
        None => ops::matmul::Default_::call(input, &transposed),
    }
}
