//! Systems of equations that are solved as well as possible.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::{LstsqDriver, Result, Scalar, Tensor, ensure, fail};

use super::rank::{rounding, sizes};
use crate::linalg::gradient::{adjoint, is_batch_of_vectors, pinv_backward};
use crate::ops::{self, TensorOps};

#[native_op(linalg_lstsq)]
fn linalg_lstsq(
    self_: &Tensor,
    b: &Tensor,
    rcond: Option<f64>,
    driver: Option<LstsqDriver>,
) -> Result<(Tensor, Tensor, Tensor, Tensor)> {
    let driver = driver.unwrap_or(LstsqDriver::Gelsy);
    let (rows, columns) = sizes("linalg.lstsq", self_)?;
    let is_vector = check_sides(self_, b)?;
    let right = if is_vector { ops::unsqueeze::Default_::call(b, -1)? } else { b.clone() };
    let (u, values, vh) = ops::linalg_svd::Default_::call(self_, false, None)?;
    let is_kept = match rows.min(columns) {
        0 => values.gt_scalar(Scalar::Int(0))?,
        _ => {
            let usual = rounding(self_.dtype(), (rows, columns));
            let rcond = rcond.filter(|it| *it >= 0.0).unwrap_or(usual);
            let greatest = ops::narrow::Default_::call(&values, -1, 0, 1)?;
            values.gt(&greatest.mul_scalar(Scalar::Float(rcond))?)?
        }
    };
    let rank = ops::sum::dim_IntList::call(&is_kept, Some(&[-1]), false, None)?;
    let inverses =
        ops::r#where::ScalarOther::call(&is_kept, &values.reciprocal()?, Scalar::Int(0))?;
    let inner = adjoint(&u)?.matmul(&right)?;
    let inner = inner.mul(&ops::unsqueeze::Default_::call(&inverses, -1)?)?;
    let solution = adjoint(&vh)?.matmul(&inner)?;
    let residuals = match rows > columns && is_everywhere(&rank, columns)? {
        true => squares(&self_.matmul(&solution)?.sub(&right)?)?,
        false => nothing(&values)?,
    };
    Ok((
        if is_vector { ops::squeeze::dim::call(&solution, -1)? } else { solution },
        residuals,
        if driver == LstsqDriver::Gels { nothing(&rank)? } else { rank },
        match driver {
            LstsqDriver::Gelsd | LstsqDriver::Gelss => values,
            LstsqDriver::Gels | LstsqDriver::Gelsy => nothing(&values)?,
        },
    ))
}

/// Whether `b` is a vector for each matrix of `a`.
fn check_sides(a: &Tensor, b: &Tensor) -> Result<bool> {
    ensure!(
        a.dtype() == b.dtype(),
        Runtime,
        "linalg.lstsq: Expected input and other to have the same dtype, but got input's dtype \
         {} and other's dtype {}",
        a.dtype().title(),
        b.dtype().title()
    );
    let (&[ref batch @ .., rows, _], &[.., last]) = (a.shape(), b.shape()) else {
        fail!(Runtime, "linalg.lstsq: other must have at least 1 dimension.");
    };
    let is_vector =
        b.ndim() == 1 || (a.ndim() == b.ndim() + 1 && a.shape()[..a.ndim() - 1] == *b.shape());
    let (height, dim) = match b.shape() {
        _ if is_vector => (last, -1),
        &[.., height, _] => (height, -2),
        _ => (last, -1),
    };
    ensure!(
        b.ndim() <= a.ndim()
            && b.ndim() + usize::from(is_vector || batch.len() + 1 == b.ndim()) >= a.ndim(),
        Runtime,
        "linalg.lstsq: input.dim() must be greater or equal to other.dim() and (input.dim() - \
         other.dim()) <= 1"
    );
    ensure!(height == rows, Runtime, "linalg.lstsq: input.size(-2) should match other.size({dim})");
    Ok(is_vector)
}

/// Whether that is the number of all matrices; of those without elements it is taken to be.
fn is_everywhere(numbers: &Tensor, number: i64) -> Result<bool> {
    let is_meta = numbers.device().is_meta();
    Ok(is_meta || numbers.eq_scalar(Scalar::Int(number))?.all()?.is_nonzero()?)
}

/// The squared lengths of columns.
fn squares(matrices: &Tensor) -> Result<Tensor> {
    ops::sum::dim_IntList::call(&matrices.abs()?.square()?, Some(&[-2]), false, None)
}

/// A vector without elements.
fn nothing(like: &Tensor) -> Result<Tensor> {
    ops::new_empty::Default_::call(like, &[0], None, None, None, None)
}

/// Of both sides of `X = P @ B`, where `P` is the pseudoinverse of `A`, and of the squares of
/// `A @ X - B`, which do not change with `X`.
#[gradient_helper]
pub(crate) fn linalg_lstsq_backward(
    grad_solution: Option<&Tensor>,
    grad_residuals: Option<&Tensor>,
    matrices: &Tensor,
    right: &Tensor,
    solution: &Tensor,
    rcond: Option<f64>,
    mask: &[bool],
) -> Result<(Option<Tensor>, Option<Tensor>)> {
    let is_vector = is_batch_of_vectors(matrices.shape(), right.shape())?;
    let column = |it: &Tensor| match is_vector {
        true => ops::unsqueeze::Default_::call(it, -1),
        false => Ok(it.clone()),
    };
    let (right, solution) = (column(right)?, column(solution)?);
    let (mut of_matrices, mut of_right): (Option<Tensor>, Option<Tensor>) = (None, None);
    if let Some(grad) = grad_solution {
        let grad = column(grad)?;
        let rcond = rcond.filter(|it| *it >= 0.0);
        let pinv = ops::linalg_pinv::atol_rtol_float::call(matrices, None, rcond, false)?;
        if mask[0] {
            let of_pinv = grad.matmul(&adjoint(&right)?)?;
            of_matrices = Some(pinv_backward(&of_pinv, &pinv, matrices)?);
        }
        of_right = Some(adjoint(&pinv)?.matmul(&grad)?);
    }
    if let Some(grad) = grad_residuals.filter(|it| it.numel() > 0) {
        let grad = ops::unsqueeze::Default_::call(grad, -2)?.mul_scalar(Scalar::Int(2))?;
        let grad = matrices.matmul(&solution)?.sub(&right)?.mul(&grad)?;
        let product = grad.matmul(&adjoint(&solution)?)?;
        of_matrices = Some(match of_matrices {
            Some(it) => it.add(&product)?,
            None => product,
        });
        of_right = Some(match of_right {
            Some(it) => it.sub(&grad)?,
            None => grad.neg()?,
        });
    }
    let of_right = match of_right {
        Some(it) if is_vector => Some(ops::squeeze::dim::call(&it, -1)?),
        other => other,
    };
    Ok((of_matrices, of_right))
}
