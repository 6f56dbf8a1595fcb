//! Eigenvalues and eigenvectors of symmetric and Hermitian matrices.

use ndarray::{Array2, ArrayView2};
use opwright_macros::native_op;
use opwright_runtime::{Error, Result, Tensor, buffer};

use super::batch::{Batch, Double, with_numbers};
use super::tridiagonal::decompose;

/// Which triangle of a matrix is read.
#[derive(Clone, Copy)]
enum Triangle {
    Lower,
    Upper,
}

impl Triangle {
    fn new(name: &str) -> Result<Triangle> {
        match name {
            "L" | "l" => Ok(Triangle::Lower),
            "U" | "u" => Ok(Triangle::Upper),
            _ => Err(Error::runtime(format_args!(
                "Expected UPLO argument to be 'L' or 'U', but got {name}"
            ))),
        }
    }

    /// The Hermitian matrix with this triangle.
    fn mirrored<T: Double>(self, a: ArrayView2<'_, T>) -> Result<Array2<T>> {
        let elements = ndarray::indices(a.dim()).into_iter().map(|(i, j)| {
            let is_given = match self {
                Triangle::Lower => i > j,
                Triangle::Upper => i < j,
            };
            match i == j {
                true => T::of(a[[i, i]].real()),
                false if is_given => a[[i, j]],
                false => a[[j, i]].conj(),
            }
        });
        buffer::array(a.raw_dim(), elements)
    }
}

/// Values and, if they are wanted, vectors as the columns of a matrix.
fn eigen(a: &Tensor, uplo: &str, with_vectors: bool) -> Result<(Tensor, Tensor)> {
    let triangle = Triangle::new(uplo)?;
    let batch = Batch::square("A", a)?;
    let size = batch.rows;
    with_numbers!(batch, |T| {
        let tail: &[usize] = if with_vectors { &[size, size] } else { &[0] };
        let (mut values, mut vectors) = (batch.list(&[size])?, batch.list::<T>(tail)?);
        if !batch.is_idle(&[&[size], tail]) {
            batch.for_each::<T>(|matrix| {
                let found = decompose(triangle.mirrored(matrix)?)?;
                values.extend(found.values);
                if with_vectors {
                    vectors.extend(found.vectors.t().iter());
                }
                Ok(())
            })?;
        }
        let values = batch.collect(&[size], values, batch.dtype().to_real())?;
        Ok((values, batch.collect(tail, vectors, batch.dtype())?))
    })
}

/// The eigenvalues of a symmetric or Hermitian matrix, or of each one of a batch,
/// in ascending order, and eigenvectors of length one as the columns of a matrix:
/// a named tuple `(eigenvalues, eigenvectors)`. `UPLO` says which triangle is
/// read, the lower (`L`) or the upper one (`U`).
///
/// ```python
/// >>> opwright.linalg.eigh(opwright.tensor([[2.0, 0.0], [0.0, 3.0]])).eigenvalues
/// tensor([2., 3.], dtype=float32, shape=(2,))
/// ```
#[native_op(
    r#"linalg_eigh(Tensor self, str UPLO="L") -> (Tensor eigenvalues, Tensor eigenvectors)"#,
    key = CPU | Meta,
    python_module = "linalg"
)]
fn linalg_eigh(self_: &Tensor, uplo: &str) -> Result<(Tensor, Tensor)> {
    eigen(self_, uplo, true)
}

/// The eigenvalues of a symmetric or Hermitian matrix, or of each one of a batch,
/// in ascending order; see `linalg.eigh`.
///
/// ```python
/// >>> opwright.linalg.eigvalsh(opwright.tensor([[2.0, 1.0], [1.0, 2.0]])).round(decimals=3)
/// tensor([1., 3.], dtype=float32, shape=(2,))
/// ```
#[native_op(
    r#"linalg_eigvalsh(Tensor self, str UPLO="L") -> Tensor"#,
    key = CPU | Meta,
    python_module = "linalg",
    out
)]
fn linalg_eigvalsh(self_: &Tensor, uplo: &str) -> Result<Tensor> {
    eigen(self_, uplo, false).map(|(values, _)| values)
}
