//! Factors of symmetric and Hermitian matrices that need not be definite.

use opwright_linalg::{ColumnMajor, Ldl};
use opwright_macros::native_op;
use opwright_runtime::{DType, Error, Result, Tensor, buffer, ensure, view};

use super::batch::{Batch, with_numbers};
use super::results::Results;
use super::solve::{broadcast, check_same_dtype};
use crate::ops;

#[native_op(linalg_ldl_factor_ex)]
fn linalg_ldl_factor_ex(
    self_: &Tensor,
    hermitian: bool,
    check_errors: bool,
) -> Result<(Tensor, Tensor, Tensor)> {
    let batch = Batch::square("A", self_)?;
    let size = batch.rows;
    with_numbers!(batch, |T| {
        let mut factors = Results::<T>::new(&batch, &[size, size])?;
        let mut pivots = Results::<i32>::new(&batch, &[size])?;
        let mut infos = Results::<i32>::new(&batch, &[])?;
        let outputs = (factors.slots(), pivots.slots(), infos.slots());
        batch.fill::<T, _>(outputs, |_, matrix, (factors, pivots, info)| {
            let ldl = Ldl::of(ColumnMajor::of(matrix, (size, size))?, hermitian)?;
            info[0] = ldl.info();
            if check_errors && info[0] != 0 {
                return Err(singular(info[0]));
            }
            ldl.factors.write_rows(factors);
            pivots.copy_from_slice(&ldl.pivots);
            Ok(())
        })?;
        Ok((factors.tensor(&batch)?, pivots.tensor(&batch)?, infos.tensor(&batch)?))
    })
}

#[cold]
fn singular(info: i32) -> Error {
    Error::lin_alg(format_args!(
        "D[{info},{info}] is zero and using it on ldl_solve would result in a division by zero. If \
         you still want to perform the factorization, consider calling linalg.ldl_factor(A) or \
         linalg.ldl_factor_ex(A)"
    ))
}

#[native_op(linalg_ldl_factor)]
fn linalg_ldl_factor(self_: &Tensor, hermitian: bool) -> Result<(Tensor, Tensor)> {
    let (factors, pivots, _) = ops::linalg_ldl_factor_ex::Default_::call(self_, hermitian, true)?;
    Ok((factors, pivots))
}

#[native_op(linalg_ldl_solve)]
fn linalg_ldl_solve(ld: &Tensor, pivots: &Tensor, b: &Tensor, hermitian: bool) -> Result<Tensor> {
    check_same_dtype(ld, b)?;
    Batch::square("LD", ld)?;
    ensure!(
        pivots.dtype().is_integral(),
        Runtime,
        "linalg.ldl_solve: pivots should be integers such as int32, but they are {}",
        pivots.dtype().title()
    );
    ensure!(
        ld.shape()[..ld.ndim() - 1] == *pivots.shape(),
        Runtime,
        "linalg.ldl_solve: pivots must have the shape {:?}, a number for each row of LD, but have {:?}",
        &ld.shape()[..ld.ndim() - 1],
        pivots.shape()
    );
    let (ld, b) = broadcast(ld, b)?;
    let pivots = view::expand(pivots, &ld.shape()[..ld.ndim() - 1])?;
    let (ld, b) = (Batch::square("LD", &ld)?, Batch::new("B", &b)?);
    let (size, width) = (ld.rows, b.columns);
    with_numbers!(ld, |T| {
        let mut results = Results::<T>::new(&ld, &[size, width])?;
        if !ld.is_idle(&[&[size, width]]) {
            let rights = b.matrices::<T>()?;
            let pivots = pivots.to_dtype(DType::Int64)?.to_contiguous()?;
            // SAFETY: results are other memory, and threads that share a tensor do not write
            // to it while an operator reads it.
            let pivots = unsafe { pivots.as_slice::<i64>()? };
            ld.fill::<T, _>(results.slots(), |index, matrix, result| {
                let pivots = pivots[index * size..][..size].iter();
                // What is no `i32` is no row, either.
                let pivots = buffer::collected(pivots.map(|it| i32::try_from(*it).unwrap_or(0)))?;
                let factors = ColumnMajor::of(matrix, (size, size))?;
                let mut right = ColumnMajor::of(rights.at(index), (size, width))?;
                Ldl::with(factors, pivots, hermitian)?.solve(&mut right);
                right.write_rows(result);
                Ok(())
            })?;
        }
        results.tensor(&ld)
    })
}
