//! Factors of matrices whose rows were exchanged.

use opwright_linalg::{ColumnMajor, Lu, MatrixScalar};
use opwright_macros::native_op;
use opwright_runtime::{Error, Result, Tensor, ensure};

use super::batch::{Batch, Entry, with_numbers};
use super::results::Results;
use crate::ops;

#[native_op(linalg_lu_factor_ex)]
fn linalg_lu_factor_ex(
    a: &Tensor,
    pivot: bool,
    check_errors: bool,
) -> Result<(Tensor, Tensor, Tensor)> {
    check_pivot(pivot)?;
    let batch = Batch::new("A", a)?;
    let (rows, columns) = (batch.rows, batch.columns);
    with_numbers!(batch, |T| {
        let mut factors = Results::<T>::new(&batch, &[rows, columns])?;
        let mut pivots = Results::<i32>::new(&batch, &[rows.min(columns)])?;
        let mut infos = Results::<i32>::new(&batch, &[])?;
        let outputs = (factors.slots(), pivots.slots(), infos.slots());
        batch.fill::<T, _>(outputs, |_, matrix, (factors, pivots, info)| {
            let lu = T::lu(ColumnMajor::of(matrix, (rows, columns))?)?;
            info[0] = lu.info();
            if check_errors && info[0] != 0 {
                return Err(zero(info[0]));
            }
            lu.triangles.write_rows(factors);
            for (pivot, other) in pivots.iter_mut().zip(&lu.exchanges) {
                *pivot = *other as i32 + 1;
            }
            Ok(())
        })?;
        Ok((factors.tensor(&batch)?, pivots.tensor(&batch)?, infos.tensor(&batch)?))
    })
}

fn check_pivot(pivot: bool) -> Result<()> {
    ensure!(pivot, Runtime, "linalg.lu_factor: LU without pivoting is not implemented on the CPU");
    Ok(())
}

#[cold]
fn zero(info: i32) -> Error {
    Error::runtime(format_args!(
        "U[{info},{info}] is zero and using it on lu_solve would result in a division by zero. If \
         you still want to perform the factorization, consider calling linalg.lu(A, pivot) or \
         linalg.lu_factor_ex(A, pivot)"
    ))
}

#[native_op(linalg_lu_factor)]
fn linalg_lu_factor(a: &Tensor, pivot: bool) -> Result<(Tensor, Tensor)> {
    let (factors, pivots, _) = ops::linalg_lu_factor_ex::Default_::call(a, pivot, false)?;
    Ok((factors, pivots))
}

#[native_op(linalg_lu)]
fn linalg_lu(a: &Tensor, pivot: bool) -> Result<(Tensor, Tensor, Tensor)> {
    check_pivot(pivot)?;
    let batch = Batch::new("A", a)?;
    let (rows, columns) = (batch.rows, batch.columns);
    let steps = rows.min(columns);
    with_numbers!(batch, |T| {
        let mut permutations = Results::<T>::new(&batch, &[rows, rows])?;
        let mut lowers = Results::<T>::new(&batch, &[rows, steps])?;
        let mut uppers = Results::<T>::new(&batch, &[steps, columns])?;
        if !batch.is_idle(&[&[rows, rows]]) {
            let outputs = (permutations.slots(), lowers.slots(), uppers.slots());
            batch.fill::<T, _>(outputs, |_, matrix, (permutation, lower, upper)| {
                let lu = T::lu(ColumnMajor::of(matrix, (rows, columns))?)?;
                unpack(&lu, permutation, lower, upper)
            })?;
        }
        Ok((permutations.tensor(&batch)?, lowers.tensor(&batch)?, uppers.tensor(&batch)?))
    })
}

/// Writes the three factors in row-major order, to memory that is zero.
fn unpack<T: Entry>(lu: &Lu<T>, p: &mut [T], l: &mut [T], u: &mut [T]) -> Result<()> {
    let ((rows, columns), steps) = (lu.triangles.dim(), lu.exchanges.len());
    for (row, &from) in lu.order()?.iter().enumerate() {
        p[from * rows + row] = <T as MatrixScalar>::ONE;
    }
    for row in 0..rows {
        for column in 0..columns {
            let it = lu.triangles.at(row, column);
            match row > column {
                true => l[row * steps + column] = it,
                false => u[row * columns + column] = it,
            }
        }
        if row < steps {
            l[row * steps + row] = <T as MatrixScalar>::ONE;
        }
    }
    Ok(())
}
