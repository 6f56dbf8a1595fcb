//! Cholesky's factorization.

use std::iter::repeat_n;

use ndarray::{Array2, ArrayView2, ArrayViewMut2};
use opwright_macros::native_op;
use opwright_runtime::{DType, Error, Result, Tensor, buffer, interrupt};

use super::batch::{Batch, Double, with_numbers};
use super::overlap::{overlap, squared_length};
use crate::ops;

/// Writes the lower triangle `L` with `L @ L.mH = A`, for a matrix `A` of which the
/// lower triangle is given. `L` is in row-major order, and zero.
///
/// # Errors
///
/// The order of the first leading minor that is not positive.
fn factor<T: Double>(a: ArrayView2<'_, T>, mut l: ArrayViewMut2<'_, T>) -> Result<(), i32> {
    let size = a.nrows();
    let elements = l.as_slice_mut().expect("a new matrix is in row-major order");
    for i in 0..size {
        interrupt::check();
        let (done, open) = elements.split_at_mut(i * size);
        let row = &mut open[..size];
        for j in 0..i {
            let other = &done[j * size..=j * size + j];
            let rest = a[[i, j]].minus(overlap(&other[..j], &row[..j]));
            row[j] = rest / other[j];
        }
        let rest = a[[i, i]].real() - squared_length(&row[..i]);
        if rest.is_nan() || rest <= 0.0 {
            return Err(i as i32 + 1);
        }
        row[i] = T::of(rest.sqrt());
    }
    Ok(())
}

fn adjoint<T: Double>(a: ArrayView2<'_, T>) -> Result<Array2<T>> {
    buffer::array(a.t().raw_dim(), a.t().iter().map(|it| it.conj()))
}

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
        let (mut factors, mut infos) = (batch.list::<T>(&[size, size])?, batch.list(&[])?);
        if !batch.is_meta() {
            batch.for_each::<T>(|matrix| {
                let lower = if upper { adjoint(matrix)? } else { buffer::owned(&matrix)? };
                let mut l = buffer::array((size, size), repeat_n(T::of(0.0), size * size))?;
                let info = match factor(lower.view(), l.view_mut()) {
                    Ok(()) => 0,
                    Err(minor) if check_errors => return Err(not_definite(minor)),
                    Err(minor) => {
                        l.fill(T::of(f64::NAN));
                        minor
                    }
                };
                let l = if upper { adjoint(l.view())? } else { l };
                factors.extend(l.iter());
                infos.push(info);
                Ok(())
            })?;
        }
        let factors = batch.collect(&[size, size], factors, batch.dtype())?;
        Ok((factors, batch.collect(&[], infos, DType::Int32)?))
    })
}

#[cold]
fn not_definite(minor: i32) -> Error {
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
