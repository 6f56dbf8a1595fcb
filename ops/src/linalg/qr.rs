//! Factoring a matrix into an orthogonal and a triangular one.

use opwright_linalg::{ColumnMajor, MatrixScalar};
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::{QrMode, Result, Scalar, Tensor, ensure};

use super::batch::{Batch, with_numbers};
use super::results::Results;
use crate::linalg::gradient::{adjoint, inverse, symmetric};
use crate::ops::{self, TensorOps};

#[native_op(linalg_qr)]
fn linalg_qr(a: &Tensor, mode: QrMode) -> Result<(Tensor, Tensor)> {
    let batch = Batch::new("A", a)?;
    let (rows, columns) = (batch.rows, batch.columns);
    let width = if mode == QrMode::Complete { rows } else { rows.min(columns) };
    with_numbers!(batch, |T| {
        let q_width = if mode == QrMode::R { 0 } else { width };
        let mut qs = Results::<T>::new(&batch, &[rows, q_width])?;
        let mut rs = Results::<T>::new(&batch, &[width, columns])?;
        if !batch.is_idle(&[&[rows, q_width], &[width, columns]]) {
            let wanted = (mode != QrMode::R).then_some(width);
            batch.fill::<T, _>((qs.slots(), rs.slots()), |_, matrix, (q, r)| {
                let found = T::qr(ColumnMajor::of(matrix, (rows, columns))?, wanted)?;
                for (row, elements) in r.chunks_exact_mut(columns.max(1)).enumerate() {
                    for (column, element) in elements.iter_mut().enumerate().skip(row) {
                        *element = found.r.at(row, column);
                    }
                }
                if let Some(found) = found.q {
                    found.write_rows(q);
                }
                Ok(())
            })?;
        }
        let q = match mode {
            QrMode::R => Tensor::allocate(&[0], batch.dtype(), a.device())?,
            QrMode::Reduced | QrMode::Complete => qs.tensor(&batch)?,
        };
        Ok((q, rs.tensor(&batch)?))
    })
}

/// Of `A = Q @ R`. With as many rows as columns or more it is `(grad_Q + Q @ S) @ R⁻ᴴ`, where `S`
/// is the upper triangle of `grad_R @ Rᴴ - Qᴴ @ grad_Q`, mirrored. Else that is the gradient of the
/// left columns, and `Q @ grad_R` of the others, which add `A @ grad_Rᴴ` of theirs to `grad_Q`.
#[gradient_helper]
pub(crate) fn linalg_qr_backward(
    grad_q: Option<&Tensor>,
    grad_r: Option<&Tensor>,
    q: &Tensor,
    r: &Tensor,
    mode: QrMode,
) -> Result<Option<Tensor>> {
    ensure!(
        mode != QrMode::R,
        Runtime,
        "the gradient of linalg.qr needs Q, which mode='r' does not calculate"
    );
    let (m, n) = (q.size_of(-2)?, r.size_of(-1)?);
    ensure!(
        mode != QrMode::Complete || m <= n,
        Runtime,
        "linalg.qr has no gradient if mode='complete' and there are more rows than columns"
    );
    if grad_q.is_none() && grad_r.is_none() {
        return Ok(None);
    }
    if m >= n {
        return square_qr_backward(grad_q, grad_r, q, r).map(Some);
    }
    let Some(grad_r) = grad_r else {
        let left = square_qr_backward(grad_q, None, q, &columns(r, 0, m)?)?;
        return ops::constant_pad_nd::Default_::call(&left, &[0, n - m], Scalar::Int(0)).map(Some);
    };
    let (grad_left, grad_right) = (columns(grad_r, 0, m)?, columns(grad_r, m, n)?);
    let moved = q.matmul(&columns(r, m, n)?)?.matmul(&adjoint(&grad_right)?)?;
    let grad_q = grad_q.map_or_else(|| Ok(moved.clone()), |it| it.add(&moved))?;
    let left = square_qr_backward(Some(&grad_q), Some(&grad_left), q, &columns(r, 0, m)?)?;
    ops::cat::Default_::call(&[&left, &q.matmul(&grad_right)?], -1).map(Some)
}

fn columns(tensor: &Tensor, start: i64, end: i64) -> Result<Tensor> {
    ops::slice::Tensor::call(tensor, -1, Some(start), Some(end), 1)
}

/// The gradient where `R` is square.
fn square_qr_backward(
    grad_q: Option<&Tensor>,
    grad_r: Option<&Tensor>,
    q: &Tensor,
    r: &Tensor,
) -> Result<Tensor> {
    let of_r = grad_r.map(|it| it.matmul(&adjoint(r)?)).transpose()?;
    let of_q = grad_q.map(|it| adjoint(q)?.matmul(it)?.neg()).transpose()?;
    let both = match (of_r, of_q) {
        (Some(of_r), Some(of_q)) => of_r.add(&of_q)?,
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => ops::zeros_like::Default_::call(r, None, None, None, None, None)?,
    };
    let above = ops::triu::Default_::call(&both, 1)?;
    let mirrored = symmetric(&ops::triu::Default_::call(&both, 0)?.add(&above)?)?;
    let product = q.matmul(&mirrored)?;
    let product = grad_q.map_or_else(|| Ok(product.clone()), |it| it.add(&product))?;
    product.matmul(&adjoint(&inverse(r)?)?)
}
