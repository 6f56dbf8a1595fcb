//! Pseudoinverses, and what systems of equations are solved with them.

use opwright_macros::gradient_helper;
use opwright_runtime::{Result, Scalar, Tensor};

use super::decompositions::is_batch_of_vectors;
use super::linalg::adjoint;
use crate::ops::{self, TensorOps};

/// Of `P`, the pseudoinverse of `A`: `-(P @ gᴴ @ P)ᴴ`, and what moves the spaces that it maps between.
#[gradient_helper]
pub(crate) fn pinv_backward(grad: &Tensor, pinv: &Tensor, matrices: &Tensor) -> Result<Tensor> {
    let (transposed, grad) = (adjoint(pinv)?, adjoint(grad)?);
    if matrices.size_of(-2)? <= matrices.size_of(-1)? {
        let inner = grad.matmul(pinv)?;
        let outer = inner.matmul(&transposed)?;
        let rest = transposed.matmul(pinv)?.matmul(&grad.sub(&inner.matmul(matrices)?)?)?;
        let moved = outer.sub(&matrices.matmul(pinv)?.matmul(&outer)?)?;
        adjoint(&pinv.matmul(&inner)?)?.neg()?.add(&moved)?.add(&rest)
    } else {
        let inner = pinv.matmul(&grad)?;
        let outer = transposed.matmul(&inner)?;
        let rest = grad.sub(&matrices.matmul(&inner)?)?.matmul(pinv)?.matmul(&transposed)?;
        let moved = outer.sub(&outer.matmul(pinv)?.matmul(matrices)?)?;
        adjoint(&inner.matmul(pinv)?)?.neg()?.add(&rest)?.add(&moved)
    }
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
