//! Singular values and vectors.

use opwright_linalg::{ColumnMajor, MatrixScalar, Vectors};
use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor, ensure};

use super::batch::{Batch, with_numbers};
use super::results::Results;

#[native_op(linalg_svd)]
fn linalg_svd(
    a: &Tensor,
    full_matrices: bool,
    driver: Option<&str>,
) -> Result<(Tensor, Tensor, Tensor)> {
    check_driver(driver)?;
    factors(a, if full_matrices { Vectors::Full } else { Vectors::Thin })
}

/// `U`, `S` and `Vh`, or `S` between tensors without elements.
fn factors(a: &Tensor, vectors: Vectors) -> Result<(Tensor, Tensor, Tensor)> {
    let batch = Batch::new("A", a)?;
    let (rows, columns) = (batch.rows, batch.columns);
    let count = rows.min(columns);
    let (width, height) = match vectors {
        Vectors::No => (0, 0),
        Vectors::Thin => (count, count),
        Vectors::Full => (rows, columns),
    };
    with_numbers!(batch, |T| {
        let mut us = Results::<T>::new(&batch, &[rows, width])?;
        let mut values = Results::new(&batch, &[count])?;
        let mut vhs = Results::<T>::new(&batch, &[height, columns])?;
        if !batch.is_idle(&[&[rows, width], &[count], &[height, columns]]) {
            let outputs = (us.slots(), values.slots(), vhs.slots());
            batch.fill::<T, _>(outputs, |_, matrix, (u, values, vh)| {
                let found = T::singular(ColumnMajor::of(matrix, (rows, columns))?, vectors)?;
                found.u.write_rows(u);
                values.copy_from_slice(&found.values);
                found.v.write_adjoint(vh);
                Ok(())
            })?;
        }
        Ok((us.tensor(&batch)?, values.tensor(&batch)?, vhs.tensor(&batch)?))
    })
}

fn check_driver(driver: Option<&str>) -> Result<()> {
    ensure!(
        driver.is_none(),
        Runtime,
        "keyword argument `driver=` is only supported on CUDA inputs"
    );
    Ok(())
}

#[native_op(linalg_svdvals)]
fn linalg_svdvals(a: &Tensor, driver: Option<&str>) -> Result<Tensor> {
    check_driver(driver)?;
    factors(a, Vectors::No).map(|(_, values, _)| values)
}
