//! Determinants.

use opwright_linalg::{ColumnMajor, MatrixScalar};
use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

use super::batch::{Batch, with_numbers};
use super::results::Results;

#[native_op(linalg_det)]
fn linalg_det(a: &Tensor) -> Result<Tensor> {
    let batch = Batch::square("A", a)?;
    let size = batch.rows;
    with_numbers!(batch, |T| {
        let mut values = Results::<T>::new(&batch, &[])?;
        batch.fill::<T, _>(values.slots(), |_, matrix, value| {
            value[0] = T::lu(ColumnMajor::of(matrix, (size, size))?)?.determinant();
            Ok(())
        })?;
        values.tensor(&batch)
    })
}

#[native_op(linalg_slogdet)]
fn linalg_slogdet(a: &Tensor) -> Result<(Tensor, Tensor)> {
    let batch = Batch::square("A", a)?;
    let size = batch.rows;
    with_numbers!(batch, |T| {
        let mut signs = Results::<T>::new(&batch, &[])?;
        let mut logarithms = Results::new(&batch, &[])?;
        batch.fill::<T, _>(
            (signs.slots(), logarithms.slots()),
            |_, matrix, (sign, logarithm)| {
                let lu = T::lu(ColumnMajor::of(matrix, (size, size))?)?;
                (sign[0], logarithm[0]) = lu.log_determinant();
                Ok(())
            },
        )?;
        Ok((signs.tensor(&batch)?, logarithms.tensor(&batch)?))
    })
}
