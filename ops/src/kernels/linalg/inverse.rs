//! Inverses.

use opwright_linalg::{Columns, Number};
use opwright_macros::native_op;
use opwright_runtime::{Error, Result, Tensor};

use super::batch::{Batch, with_numbers};
use super::results::Results;
use crate::ops;

/// The inverse of a square matrix, or of each one of a batch, and which element
/// of the diagonal of its factorization, counted from 1, is zero, so that there
/// is no inverse, or 0: a named tuple `(inverse, info)`. With `check_errors`,
/// that is an error.
///
/// ```python
/// >>> opwright.linalg.inv_ex(opwright.tensor([[2.0, 0.0], [0.0, 4.0]]))
/// linalg_inv_ex(inverse=tensor([[0.50, 0.00],
///         [0.00, 0.25]], dtype=float32, shape=(2, 2)), info=tensor(0, dtype=int32, shape=()))
/// ```
#[native_op(
    "linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)",
    key = CPU | Meta,
    python_module = "linalg"
)]
fn linalg_inv_ex(a: &Tensor, check_errors: bool) -> Result<(Tensor, Tensor)> {
    let batch = Batch::square("A", a)?;
    let size = batch.rows;
    with_numbers!(batch, |T| {
        let mut inverses = Results::<T>::new(&batch, &[size, size])?;
        let mut infos = Results::<i32>::new(&batch, &[])?;
        let outputs = (inverses.slots(), infos.slots());
        batch.fill::<T, _>(outputs, |_, matrix, (inverse, info)| {
            let lu = T::lu(Columns::of(matrix, (size, size))?)?;
            info[0] = lu.info();
            if check_errors && info[0] != 0 {
                return Err(singular(info[0]));
            }
            let mut right = Columns::identity((size, size))?;
            lu.solve(&mut right);
            right.write_rows(inverse);
            Ok(())
        })?;
        Ok((inverses.tensor(&batch)?, infos.tensor(&batch)?))
    })
}

#[cold]
fn singular(info: i32) -> Error {
    Error::runtime(format_args!(
        "The diagonal element {info} is zero, the inversion could not be completed because the \
         input matrix is singular."
    ))
}

/// The inverse of a square matrix, or of each one of a batch. Raises an error if
/// there is none.
///
/// ```python
/// >>> opwright.linalg.inv(opwright.tensor([[2.0, 0.0], [0.0, 4.0]]))
/// tensor([[0.50, 0.00],
///         [0.00, 0.25]], dtype=float32, shape=(2, 2))
/// ```
#[native_op("linalg_inv(Tensor A) -> Tensor", composite, python_module = "linalg", out)]
fn linalg_inv(a: &Tensor) -> Result<Tensor> {
    ops::linalg_inv_ex::Default_::call(a, true).map(|(inverse, _)| inverse)
}
