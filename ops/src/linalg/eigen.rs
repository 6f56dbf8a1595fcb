//! Eigenvalues and eigenvectors.

use opwright_linalg::{ColumnMajor, MatrixScalar, RealOrComplex};
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::{Error, Result, Tensor};

use super::batch::{Batch, with_numbers};
use super::results::Results;
use crate::gradient::{handle_r_to_c, sum};
use crate::linalg::gradient::{
    adjoint, around, as_rows, check_phases, diagonal_matrices, reciprocals, shared_slope,
};
use crate::ops::{self, TensorOps};

/// Whether the upper triangle of a matrix is read.
fn is_upper(uplo: &str) -> Result<bool> {
    match uplo {
        "L" | "l" => Ok(false),
        "U" | "u" => Ok(true),
        _ => Err(Error::runtime(format_args!(
            "Expected UPLO argument to be 'L' or 'U', but got {uplo}"
        ))),
    }
}

/// Values and, if they are wanted, vectors as the columns of a matrix.
fn eigen(a: &Tensor, uplo: &str, with_vectors: bool) -> Result<(Tensor, Tensor)> {
    let is_upper = is_upper(uplo)?;
    let batch = Batch::square("A", a)?;
    let size = batch.rows;
    with_numbers!(batch, |T| {
        let tail: &[usize] = if with_vectors { &[size, size] } else { &[0] };
        let mut values = Results::new(&batch, &[size])?;
        let mut vectors = Results::<T>::new(&batch, tail)?;
        if !batch.is_idle(&[&[size], tail]) {
            let outputs = (values.slots(), vectors.slots());
            batch.fill::<T, _>(outputs, |_, matrix, (values, vectors)| {
                let triangle = ColumnMajor::triangle(matrix, size, is_upper)?;
                let found = T::hermitian(triangle, with_vectors)?;
                values.copy_from_slice(&found.values);
                found.vectors.write_rows(vectors);
                Ok(())
            })?;
        }
        Ok((values.tensor(&batch)?, vectors.tensor(&batch)?))
    })
}

#[native_op(linalg_eigh)]
fn linalg_eigh(self_: &Tensor, uplo: &str) -> Result<(Tensor, Tensor)> {
    eigen(self_, uplo, true)
}

#[native_op(linalg_eigvalsh)]
fn linalg_eigvalsh(self_: &Tensor, uplo: &str) -> Result<Tensor> {
    eigen(self_, uplo, false).map(|(values, _)| values)
}

/// Values and, if they are wanted, vectors as the columns of a matrix, of any matrix.
fn general(a: &Tensor, with_vectors: bool) -> Result<(Tensor, Tensor)> {
    let batch = Batch::square("A", a)?;
    let size = batch.rows;
    with_numbers!(batch, |T| {
        let tail: &[usize] = if with_vectors { &[size, size] } else { &[0] };
        let mut values = Results::<<T as RealOrComplex>::Complex>::new(&batch, &[size])?;
        let mut vectors = Results::<<T as RealOrComplex>::Complex>::new(&batch, tail)?;
        if !batch.is_idle(&[&[size], tail]) {
            let outputs = (values.slots(), vectors.slots());
            batch.fill::<T, _>(outputs, |_, matrix, (values, vectors)| {
                let found = T::general(ColumnMajor::of(matrix, (size, size))?, with_vectors)?;
                values.copy_from_slice(&found.values);
                found.vectors.write_rows(vectors);
                Ok(())
            })?;
        }
        Ok((values.tensor(&batch)?, vectors.tensor(&batch)?))
    })
}

#[native_op(linalg_eig)]
fn linalg_eig(self_: &Tensor) -> Result<(Tensor, Tensor)> {
    general(self_, true)
}

#[native_op(linalg_eigvals)]
fn linalg_eigvals(self_: &Tensor) -> Result<Tensor> {
    general(self_, false).map(|(values, _)| values)
}

/// Of the eigenvalues and eigenvectors of symmetric matrices `V @ diag(L) @ Vᴴ`:
/// `V @ (diag(grad_L) + (Vᴴ @ grad_V) / (L_j - L_i)) @ Vᴴ`.
#[gradient_helper]
pub(crate) fn linalg_eigh_backward(
    grad_values: Option<&Tensor>,
    grad_vectors: Option<&Tensor>,
    values: &Tensor,
    vectors: &Tensor,
) -> Result<Option<Tensor>> {
    let transposed = adjoint(vectors)?;
    let of_values = grad_values.map(|it| around(vectors, it, &transposed)).transpose()?;
    let Some(grad) = grad_vectors else { return Ok(of_values) };
    let product = transposed.matmul(grad)?;
    if vectors.dtype().is_complex_number() {
        check_phases("linalg.eigh", "eigenvectors", &[(vectors, grad)])?;
    }
    let inner = product.mul(&reciprocals(values)?)?;
    let of_vectors = vectors.matmul(&inner)?.matmul(&transposed)?;
    sum(of_values, Some(of_vectors))
}

/// Of the eigenvalues alone.
#[gradient_helper]
pub(crate) fn linalg_eigvalsh_backward(
    grad: &Tensor,
    matrices: &Tensor,
    uplo: &str,
) -> Result<Tensor> {
    if let Some(slope) = shared_slope(grad)? {
        return of_trace(&slope, matrices);
    }
    let (_, vectors) = ops::linalg_eigh::Default_::call(matrices, uplo)?;
    around(&vectors, grad, &adjoint(&vectors)?)
}

/// Of the eigenvalues and eigenvectors of matrices `V @ diag(L) @ V⁻¹`:
/// `V⁻ᴴ @ (diag(grad_L) + (Vᴴ @ grad_V - Vᴴ @ V @ diag(Vᴴ @ grad_V)) / conj(L_j - L_i)) @ Vᴴ`, the
/// real part of which is that of real matrices.
#[gradient_helper]
pub(crate) fn linalg_eig_backward(
    grad_values: Option<&Tensor>,
    grad_vectors: Option<&Tensor>,
    matrices: &Tensor,
    values: &Tensor,
    vectors: &Tensor,
) -> Result<Option<Tensor>> {
    let transposed = adjoint(vectors)?;
    if let Some(grad) = grad_vectors {
        check_phases("linalg.eig", "eigenvectors", &[(vectors, grad)])?;
    }
    let of_values = grad_values.map(diagonal_matrices).transpose()?;
    let of_vectors = grad_vectors.map(|grad| {
        let product = transposed.matmul(grad)?;
        let diagonal =
            ops::real::Default_::call(&ops::diagonal::Default_::call(&product, 0, -2, -1)?)?;
        let along = transposed.matmul(vectors)?.mul(&as_rows(&diagonal)?)?;
        product.sub(&along)?.mul(&reciprocals(&values.conj()?)?)
    });
    let Some(inner) = sum(of_values, of_vectors.transpose()?)? else { return Ok(None) };
    let right = inner.matmul(&transposed)?;
    let (all, _) = ops::linalg_solve_ex::Default_::call(&transposed, &right, true, false)?;
    handle_r_to_c(matrices.dtype(), &all).map(Some)
}

/// Of the eigenvalues alone.
#[gradient_helper]
pub(crate) fn linalg_eigvals_backward(grad: &Tensor, matrices: &Tensor) -> Result<Option<Tensor>> {
    if let Some(slope) = shared_slope(grad)? {
        return handle_r_to_c(matrices.dtype(), &of_trace(&slope, matrices)?).map(Some);
    }
    let (values, vectors) = ops::linalg_eig::Default_::call(matrices)?;
    linalg_eig_backward(Some(grad), None, matrices, &values, &vectors)
}

/// Of traces: the gradient of the sum on the diagonal.
fn of_trace(slope: &Tensor, matrices: &Tensor) -> Result<Tensor> {
    diagonal_matrices(&slope.expand(&matrices.shape()[..matrices.ndim() - 1])?)
}
