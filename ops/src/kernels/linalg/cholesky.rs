//! Cholesky's factorization.

use opwright_linalg::{Columns, Number};
use opwright_macros::native_op;
use opwright_runtime::{Element, Error, Result, Tensor};

use super::batch::{Batch, with_numbers};
use super::results::Results;
use crate::ops;

/// Cholesky's factor of a symmetric or Hermitian, positive definite matrix, or of
/// each one of a batch: `L` with `L @ L.mH = A`, or with `upper` its transpose;
/// and the order of the first leading minor that is not positive, so that there
/// is no such factor, or 0: a named tuple `(L, info)`. With `check_errors`, that
/// is an error. Only the triangle in question is read.
///
/// ```python
/// >>> opwright.linalg.cholesky_ex(opwright.tensor([[4.0, 2.0], [2.0, 5.0]]))
/// linalg_cholesky_ex(L=tensor([[2., 0.],
///         [1., 2.]], dtype=float32, shape=(2, 2)), info=tensor(0, dtype=int32, shape=()))
/// ```
#[native_op(
    "linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info)",
    key = CPU | Meta,
    python_module = "linalg"
)]
fn linalg_cholesky_ex(self_: &Tensor, upper: bool, check_errors: bool) -> Result<(Tensor, Tensor)> {
    let batch = Batch::square("A", self_)?;
    let size = batch.rows;
    with_numbers!(batch, |T| {
        let mut factors = Results::<T>::new(&batch, &[size, size])?;
        let mut infos = Results::<i32>::new(&batch, &[])?;
        batch.fill::<T, _>((factors.slots(), infos.slots()), |_, matrix, (factor, info)| {
            match T::cholesky(Columns::triangle(matrix, size, upper)?)? {
                Ok(lower) if upper => lower.write_adjoint(factor),
                Ok(lower) => lower.write_rows(factor),
                Err(minor) if check_errors => return Err(not_definite(minor)),
                Err(minor) => {
                    factor.fill(T::cast_from(f64::NAN));
                    info[0] = minor as i32;
                }
            }
            Ok(())
        })?;
        Ok((factors.tensor(&batch)?, infos.tensor(&batch)?))
    })
}

#[cold]
fn not_definite(minor: usize) -> Error {
    Error::runtime(format_args!(
        "The factorization could not be completed because the input is not positive-definite \
         (the leading minor of order {minor} is not positive-definite)."
    ))
}

/// Cholesky's factor of a symmetric or Hermitian, positive definite matrix, or of
/// each one of a batch: `L` with `L @ L.mH = A`, or with `upper` its transpose.
/// Raises an error if the matrix is not positive definite.
///
/// ```python
/// >>> opwright.linalg.cholesky(opwright.tensor([[4.0, 2.0], [2.0, 5.0]]))
/// tensor([[2., 0.],
///         [1., 2.]], dtype=float32, shape=(2, 2))
/// ```
#[native_op(
    "linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor",
    composite,
    python_module = "linalg",
    out
)]
fn linalg_cholesky(self_: &Tensor, upper: bool) -> Result<Tensor> {
    ops::linalg_cholesky_ex::Default_::call(self_, upper, true).map(|(l, _)| l)
}
