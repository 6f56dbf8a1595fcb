//! Inverses.

use opwright_linalg::{ColumnMajor, MatrixScalar};
use opwright_macros::native_op;
use opwright_runtime::{Error, Result, Tensor};

use super::batch::{Batch, with_numbers};
use super::results::Results;
use crate::ops;

#[native_op(linalg_inv_ex)]
fn linalg_inv_ex(a: &Tensor, check_errors: bool) -> Result<(Tensor, Tensor)> {
    let batch = Batch::square("A", a)?;
    let size = batch.rows;
    with_numbers!(batch, |T| {
        let mut inverses = Results::<T>::new(&batch, &[size, size])?;
        let mut infos = Results::<i32>::new(&batch, &[])?;
        let outputs = (inverses.slots(), infos.slots());
        batch.fill::<T, _>(outputs, |_, matrix, (inverse, info)| {
            let lu = T::lu(ColumnMajor::of(matrix, (size, size))?)?;
            info[0] = lu.info();
            if check_errors && info[0] != 0 {
                return Err(singular(info[0]));
            }
            let mut right = ColumnMajor::identity((size, size))?;
            lu.solve(&mut right);
            right.write_rows(inverse);
            Ok(())
        })?;
        Ok((inverses.tensor(&batch)?, infos.tensor(&batch)?))
    })
}

#[cold]
fn singular(info: i32) -> Error {
    Error::lin_alg(format_args!(
        "The diagonal element {info} is zero, the inversion could not be completed because the \
         input matrix is singular."
    ))
}

#[native_op(linalg_inv)]
fn linalg_inv(a: &Tensor) -> Result<Tensor> {
    ops::linalg_inv_ex::Default_::call(a, true).map(|(inverse, _)| inverse)
}
