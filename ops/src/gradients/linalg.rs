//! Products and factors of matrices.

use opwright_macros::gradient_helper;
use opwright_runtime::{Layout, Result, Scalar, Tensor, ensure};

use super::binary::maybe_multiply;
use crate::ops::{self, TensorOps};

/// The conjugates of the transposed matrices.
#[gradient_helper]
pub(crate) fn adjoint(tensor: &Tensor) -> Result<Tensor> {
    tensor.transpose(-2, -1)?.conj()
}

/// The inverses of the matrices, whose gradients are known.
pub(super) fn inverse(tensor: &Tensor) -> Result<Tensor> {
    Ok(ops::linalg_inv_ex::Default_::call(tensor, false)?.0)
}

/// Whether the columns of a matrix lie one after the other.
fn is_column_major(sizes: &[i64], strides: &[i64]) -> bool {
    matches!((sizes, strides), (&[rows, _], &[1, step]) if rows == step)
}

/// Of the first factor: `conj(alpha) * grad @ mat2ᴴ`, which lies as the factor does.
#[gradient_helper]
pub(crate) fn mm_mat1_backward(
    grad: &Tensor,
    mat2: &Tensor,
    sizes: &[i64],
    strides: &[i64],
    _layout: Layout,
    alpha: Scalar,
) -> Result<Tensor> {
    let product = match is_column_major(sizes, strides) {
        true => mat2.conj()?.mm(&grad.t()?)?.t()?,
        false => grad.mm(&mat2.t()?.conj()?)?,
    };
    maybe_multiply(&product, alpha.conj())
}

/// Of the second factor: `conj(alpha) * mat1ᴴ @ grad`, which lies as the factor does.
#[gradient_helper]
pub(crate) fn mm_mat2_backward(
    grad: &Tensor,
    mat1: &Tensor,
    sizes: &[i64],
    strides: &[i64],
    _layout: Layout,
    alpha: Scalar,
) -> Result<Tensor> {
    let product = match is_column_major(sizes, strides) {
        true => grad.t()?.mm(&mat1.conj()?)?.t()?,
        false => mat1.t()?.conj()?.mm(grad)?,
    };
    maybe_multiply(&product, alpha.conj())
}

/// `(tensor + tensorᴴ) / 2`
fn symmetric(tensor: &Tensor) -> Result<Tensor> {
    tensor.add(&adjoint(tensor)?)?.div_scalar(Scalar::Int(2))
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

/// Of `A = Q @ R`. With as many rows as columns or more it is `(grad_Q + Q @ S) @ R⁻ᴴ`, where `S`
/// is the upper triangle of `grad_R @ Rᴴ - Qᴴ @ grad_Q`, mirrored. Else that is the gradient of the
/// left columns, and `Q @ grad_R` of the others, which add `A @ grad_Rᴴ` of theirs to `grad_Q`.
#[gradient_helper]
pub(crate) fn linalg_qr_backward(
    grad_q: Option<&Tensor>,
    grad_r: Option<&Tensor>,
    q: &Tensor,
    r: &Tensor,
    mode: &str,
) -> Result<Option<Tensor>> {
    ensure!(
        mode != "r",
        Runtime,
        "the gradient of linalg.qr needs Q, which mode='r' does not calculate"
    );
    let (m, n) = (q.size_of(-2)?, r.size_of(-1)?);
    ensure!(
        mode != "complete" || m <= n,
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
