//! Determinants.

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

use super::batch::{Batch, with_numbers};
use super::lu::Lu;

/// The determinant of a square matrix, or of each one of a batch.
///
/// ```python
/// >>> opwright.linalg.det(opwright.tensor([[4.0, 2.0], [1.0, 3.0]]))
/// tensor(10., dtype=float32, shape=())
/// ```
#[native_op("linalg_det(Tensor A) -> Tensor", key = CPU | Meta, python_module = "linalg", out)]
fn linalg_det(a: &Tensor) -> Result<Tensor> {
    let batch = Batch::square("A", a)?;
    with_numbers!(batch, |T| {
        let mut values = batch.list(&[])?;
        if !batch.is_meta() {
            batch.for_each::<T>(|matrix| {
                values.push(Lu::new(matrix)?.determinant());
                Ok(())
            })?;
        }
        batch.collect(&[], values, batch.dtype())
    })
}

/// The determinant of a square matrix, or of each one of a batch, as its sign, or
/// direction in the complex plane, and the logarithm of its length, where the
/// determinant itself would overflow: a named tuple `(sign, logabsdet)`.
///
/// ```python
/// >>> opwright.linalg.slogdet(opwright.tensor([[2.0, 1.0], [0.0, -3.0]]))
/// linalg_slogdet(sign=tensor(-1., dtype=float32, shape=()), logabsdet=tensor(1.7918, dtype=float32, shape=()))
/// ```
#[native_op(
    "linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)",
    key = CPU | Meta,
    python_module = "linalg",
    out
)]
fn linalg_slogdet(a: &Tensor) -> Result<(Tensor, Tensor)> {
    let batch = Batch::square("A", a)?;
    with_numbers!(batch, |T| {
        let (mut signs, mut logarithms) = (batch.list(&[])?, batch.list(&[])?);
        if !batch.is_meta() {
            batch.for_each::<T>(|matrix| {
                let (sign, logarithm) = Lu::new(matrix)?.log_determinant();
                signs.push(sign);
                logarithms.push(logarithm);
                Ok(())
            })?;
        }
        let logarithms = batch.collect(&[], logarithms, batch.dtype().to_real())?;
        Ok((batch.collect(&[], signs, batch.dtype())?, logarithms))
    })
}
