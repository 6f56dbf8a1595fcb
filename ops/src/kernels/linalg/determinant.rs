//! Determinants.

use opwright_linalg::{Columns, Number};
use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

use super::batch::{Batch, with_numbers};
use super::results::Results;

/// The determinant of a square matrix, or of each one of a batch.
///
/// ```python
/// >>> opwright.linalg.det(opwright.tensor([[4.0, 2.0], [1.0, 3.0]]))
/// tensor(10., dtype=float32, shape=())
/// ```
#[native_op("linalg_det(Tensor A) -> Tensor", key = CPU | Meta, python_module = "linalg", out)]
fn linalg_det(a: &Tensor) -> Result<Tensor> {
    let batch = Batch::square("A", a)?;
    let size = batch.rows;
    with_numbers!(batch, |T| {
        let mut values = Results::<T>::new(&batch, &[])?;
        batch.fill::<T, _>(values.slots(), |_, matrix, value| {
            value[0] = T::lu(Columns::of(matrix, (size, size))?)?.determinant();
            Ok(())
        })?;
        values.tensor(&batch)
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
    let size = batch.rows;
    with_numbers!(batch, |T| {
        let mut signs = Results::<T>::new(&batch, &[])?;
        let mut logarithms = Results::new(&batch, &[])?;
        batch.fill::<T, _>(
            (signs.slots(), logarithms.slots()),
            |_, matrix, (sign, logarithm)| {
                let lu = T::lu(Columns::of(matrix, (size, size))?)?;
                (sign[0], logarithm[0]) = lu.log_determinant();
                Ok(())
            },
        )?;
        Ok((signs.tensor(&batch)?, logarithms.tensor(&batch)?))
    })
}
