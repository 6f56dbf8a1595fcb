//! Cholesky's factorization.

use opwright_linalg::{ColumnMajor, MatrixScalar};
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::{Element, Error, Result, Scalar, Tensor};

use super::batch::{Batch, with_numbers};
use super::results::Results;
use crate::linalg::gradient::{adjoint, inverse, symmetric};
use crate::ops::{self, TensorOps};

#[native_op(linalg_cholesky_ex)]
fn linalg_cholesky_ex(self_: &Tensor, upper: bool, check_errors: bool) -> Result<(Tensor, Tensor)> {
    let batch = Batch::square("A", self_)?;
    let size = batch.rows;
    with_numbers!(batch, |T| {
        let mut factors = Results::<T>::new(&batch, &[size, size])?;
        let mut infos = Results::<i32>::new(&batch, &[])?;
        batch.fill::<T, _>((factors.slots(), infos.slots()), |_, matrix, (factor, info)| {
            match T::cholesky(ColumnMajor::triangle(matrix, size, upper)?)? {
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
    Error::lin_alg(format_args!(
        "The factorization could not be completed because the input is not positive-definite \
         (the leading minor of order {minor} is not positive-definite)."
    ))
}

#[native_op(linalg_cholesky)]
fn linalg_cholesky(self_: &Tensor, upper: bool) -> Result<Tensor> {
    ops::linalg_cholesky_ex::Default_::call(self_, upper, true).map(|(l, _)| l)
}

/// Of `self = L @ Lᴴ`: the symmetric part of `L⁻ᴴ @ P @ L⁻¹`, where `P` is the lower triangle of
/// `Lᴴ @ grad` with half of its diagonal. An upper factor is `Lᴴ`.
#[gradient_helper]
pub(crate) fn cholesky_backward(grad: &Tensor, upper: bool, factor: &Tensor) -> Result<Tensor> {
    let lower = |it: &Tensor| if upper { adjoint(it) } else { Ok(it.clone()) };
    let (grad, factor) = (lower(grad)?, lower(factor)?);
    let product = adjoint(&factor)?.matmul(&grad)?;
    let below = ops::tril::Default_::call(&product, -1)?;
    let triangle = ops::tril::Default_::call(&product, 0)?.add(&below)?;
    let triangle = triangle.div_scalar(Scalar::Int(2))?;
    let inverse = inverse(&factor)?;
    symmetric(&adjoint(&inverse)?.matmul(&triangle)?.matmul(&inverse)?)
}
