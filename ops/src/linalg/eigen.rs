//! Eigenvalues and eigenvectors.

use opwright_linalg::{ColumnMajor, MatrixScalar};
use opwright_macros::native_op;
use opwright_runtime::{Error, Result, Tensor};

use super::batch::{Batch, with_numbers};
use super::results::Results;

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
        let mut values = Results::<<T as MatrixScalar>::Complex>::new(&batch, &[size])?;
        let mut vectors = Results::<<T as MatrixScalar>::Complex>::new(&batch, tail)?;
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
