//! Determinants, solutions and spectra of matrices.

use opwright_macros::gradient_helper;
use opwright_runtime::{Result, Scalar, Tensor};

use super::binary::handle_r_to_c;
use super::linalg::adjoint;
use crate::ops::{self, TensorOps};

/// The element of each matrix in its row and column, one dimension as two: `unsqueeze(-2)`.
fn as_rows(vectors: &Tensor) -> Result<Tensor> {
    ops::unsqueeze::Default_::call(vectors, -2)
}

/// `unsqueeze(-1)`
fn as_columns(vectors: &Tensor) -> Result<Tensor> {
    ops::unsqueeze::Default_::call(vectors, -1)
}

/// Truth values of square matrices like this one, true on the diagonal.
fn is_diagonal(matrices: &Tensor) -> Result<Tensor> {
    let (size, ones) = (matrices.size_of(-1)?, Scalar::Int(1));
    let eye = ops::ones::Default_::call(&[size], None, None, Some(matrices.device()), None)?;
    let eye = eye.mul(&as_columns(&eye)?)?;
    let eye = ops::triu::Default_::call(&ops::tril::Default_::call(&eye, 0)?, 0)?;
    eye.eq_scalar(ones)
}

/// Matrices with these diagonals.
fn diagonal_matrices(diagonals: &Tensor) -> Result<Tensor> {
    let repeated = as_columns(diagonals)?.mul(&ops::ones_like::Default_::call(
        &as_rows(diagonals)?,
        None,
        None,
        None,
        None,
        None,
    )?)?;
    let is_other = is_diagonal(&repeated)?.logical_not()?;
    repeated.masked_fill(&is_other, Scalar::Int(0))
}

/// `left @ diag(values) @ right`
fn around(left: &Tensor, values: &Tensor, right: &Tensor) -> Result<Tensor> {
    left.mul(&as_rows(values)?)?.matmul(right)
}

/// Of a determinant: `grad` times the adjoint of the adjugate, which follows from the singular
/// values, so that matrices without an inverse have it too.
#[gradient_helper]
pub(crate) fn linalg_det_backward(grad: &Tensor, matrices: &Tensor) -> Result<Tensor> {
    let (u, values, vh) = ops::linalg_svd::Default_::call(matrices, false, None)?;
    let grad = as_columns(&as_columns(grad)?)?;
    // In row i all values but that of column i.
    let ones = ops::ones_like::Default_::call(&as_columns(&values)?, None, None, None, None, None)?;
    let all = ones.mul(&as_rows(&values)?)?;
    let others = all.masked_fill(&is_diagonal(&all)?, Scalar::Int(1))?;
    let others = ops::prod::dim_int::call(&others, -1, false, None)?;
    let signs = ops::linalg_det::Default_::call(&u.matmul(&vh)?)?;
    let signs = as_columns(&as_columns(&signs)?)?.conj()?;
    grad.mul(&signs)?.mul(&around(&u, &others, &vh)?)
}

/// Of both sides of `A @ X = B`, or `X @ A = B`: `grad_B` solves the same system with the adjoint of
/// `A`, and `grad_A` is `-grad_B @ Xᴴ`, or `-Xᴴ @ grad_B`.
#[gradient_helper]
pub(crate) fn linalg_solve_backward(
    grad: Option<&Tensor>,
    solution: &Tensor,
    matrices: &Tensor,
    left: bool,
    is_vector: bool,
) -> Result<(Option<Tensor>, Option<Tensor>)> {
    let Some(grad) = grad else { return Ok((None, None)) };
    let column = |it: &Tensor| if is_vector { as_columns(it) } else { Ok(it.clone()) };
    let (grad, solution) = (column(grad)?, column(solution)?);
    let transposed = adjoint(matrices)?;
    let (of_right, _) = ops::linalg_solve_ex::Default_::call(&transposed, &grad, left, false)?;
    let solution = adjoint(&solution)?;
    let product = match left {
        true => of_right.matmul(&solution)?,
        false => solution.matmul(&of_right)?,
    };
    let of_right = match is_vector {
        true => ops::squeeze::dim::call(&of_right, -1)?,
        false => of_right,
    };
    Ok((Some(product.neg()?), Some(of_right)))
}

/// Whether the right side of a system is a vector for each matrix.
#[gradient_helper]
pub(crate) fn is_batch_of_vectors(matrices: &[i64], right: &[i64]) -> Result<bool> {
    let is_batch = matrices.len() == right.len() + 1 && matrices[..right.len()] == *right;
    Ok(right.len() == 1 || is_batch)
}

/// Of the eigenvalues and eigenvectors of symmetric matrices `V @ diag(L) @ Vᴴ`:
/// `V @ (diag(grad_L) + (Vᴴ @ grad_V) / (L_j - L_i)) @ Vᴴ`.
#[gradient_helper]
pub(crate) fn linalg_eigh_backward(
    grad_values: Option<&Tensor>,
    grad_vectors: Option<&Tensor>,
    values: &Tensor,
    vectors: &Tensor,
) -> Result<Option<Tensor>> {
    let transposed = adjoint(vectors)?;
    let of_values = grad_values.map(|it| around(vectors, it, &transposed)).transpose()?;
    let Some(grad) = grad_vectors else { return Ok(of_values) };
    let product = transposed.matmul(grad)?;
    let inner = product.mul(&reciprocals(values)?)?;
    let of_vectors = vectors.matmul(&inner)?.matmul(&transposed)?;
    sum(of_values, Some(of_vectors))
}

/// Of the eigenvalues alone.
#[gradient_helper]
pub(crate) fn linalg_eigvalsh_backward(
    grad: &Tensor,
    matrices: &Tensor,
    uplo: &str,
) -> Result<Tensor> {
    let (_, vectors) = ops::linalg_eigh::Default_::call(matrices, uplo)?;
    around(&vectors, grad, &adjoint(&vectors)?)
}

/// Of the eigenvalues and eigenvectors of matrices `V @ diag(L) @ V⁻¹`:
/// `V⁻ᴴ @ (diag(grad_L) + (Vᴴ @ grad_V - Vᴴ @ V @ diag(Vᴴ @ grad_V)) / conj(L_j - L_i)) @ Vᴴ`, the
/// real part of which is that of real matrices.
#[gradient_helper]
pub(crate) fn linalg_eig_backward(
    grad_values: Option<&Tensor>,
    grad_vectors: Option<&Tensor>,
    matrices: &Tensor,
    values: &Tensor,
    vectors: &Tensor,
) -> Result<Option<Tensor>> {
    let transposed = adjoint(vectors)?;
    let of_values = grad_values.map(diagonal_matrices).transpose()?;
    let of_vectors = grad_vectors.map(|grad| {
        let product = transposed.matmul(grad)?;
        let diagonal =
            ops::real::Default_::call(&ops::diagonal::Default_::call(&product, 0, -2, -1)?)?;
        let along = transposed.matmul(vectors)?.mul(&as_rows(&diagonal)?)?;
        product.sub(&along)?.mul(&reciprocals(&values.conj()?)?)
    });
    let Some(inner) = sum(of_values, of_vectors.transpose()?)? else { return Ok(None) };
    let right = inner.matmul(&transposed)?;
    let (all, _) = ops::linalg_solve_ex::Default_::call(&transposed, &right, true, false)?;
    handle_r_to_c(matrices.dtype(), &all).map(Some)
}

/// Of the eigenvalues alone.
#[gradient_helper]
pub(crate) fn linalg_eigvals_backward(grad: &Tensor, matrices: &Tensor) -> Result<Option<Tensor>> {
    let (values, vectors) = ops::linalg_eig::Default_::call(matrices)?;
    linalg_eig_backward(Some(grad), None, matrices, &values, &vectors)
}

/// `1 / (x_j - x_i)`, and 0 on the diagonal.
fn reciprocals(values: &Tensor) -> Result<Tensor> {
    let differences = as_rows(values)?.sub(&as_columns(values)?)?;
    let is_diagonal = is_diagonal(&differences)?;
    let differences = differences.masked_fill(&is_diagonal, Scalar::Int(1))?;
    differences.reciprocal()?.masked_fill(&is_diagonal, Scalar::Int(0))
}

/// Of `A = U @ diag(S) @ Vᴴ`, of which the first `k` columns of `U` and rows of `Vᴴ` count:
/// `U @ (F * skew(Uᴴ @ grad_U) @ diag(S) + diag(S) @ F * skew(Vᴴ @ grad_V) + diag(grad_S)) @ Vᴴ`
/// with `F = 1 / (S_j² - S_i²)`, and what is orthogonal to `U` and `V` in their gradients over `S`.
#[gradient_helper]
pub(crate) fn linalg_svd_backward(
    grad_u: Option<&Tensor>,
    grad_s: Option<&Tensor>,
    grad_vh: Option<&Tensor>,
    u: &Tensor,
    s: &Tensor,
    vh: &Tensor,
) -> Result<Option<Tensor>> {
    let k = s.size_of(-1)?;
    let columns = |it: &Tensor| ops::narrow::Default_::call(it, -1, 0, k);
    let rows = |it: &Tensor| ops::narrow::Default_::call(it, -2, 0, k);
    let (u, vh) = (columns(u)?, rows(vh)?);
    let of_values = grad_s.map(|it| around(&u, it, &vh)).transpose()?;
    let of_u = grad_u.map(|it| left_part(&columns(it)?, &u, s, &vh)).transpose()?;
    // The same of the adjoint, `Aᴴ = V @ diag(S) @ Uᴴ`.
    let of_v = grad_vh.map(|it| {
        let (grad, v) = (adjoint(&rows(it)?)?, adjoint(&vh)?);
        adjoint(&right_part(&grad, &v, s, &adjoint(&u)?)?)
    });
    sum(sum(of_values, of_u)?, of_v.transpose()?)
}

/// Of the singular values alone.
#[gradient_helper]
pub(crate) fn linalg_svdvals_backward(grad: &Tensor, matrices: &Tensor) -> Result<Tensor> {
    let (u, _, vh) = ops::linalg_svd::Default_::call(matrices, false, None)?;
    around(&u, grad, &vh)
}

/// What the gradient of `U` adds to that of `U @ diag(S) @ Vᴴ`, with the phases that `U` and `V`
/// have in common given to `U`.
fn left_part(grad: &Tensor, u: &Tensor, s: &Tensor, vh: &Tensor) -> Result<Tensor> {
    let part = right_part(grad, u, s, vh)?;
    if !u.dtype().is_complex_number() {
        return Ok(part);
    }
    let product = adjoint(u)?.matmul(grad)?;
    let skew = product.sub(&adjoint(&product)?)?;
    let diagonal = ops::diagonal::Default_::call(&skew, 0, -2, -1)?;
    let phases = diagonal.div(&s.mul_scalar(Scalar::Int(2))?)?;
    part.add(&u.matmul(&diagonal_matrices(&phases)?)?.matmul(vh)?)
}

/// The same without phases.
fn right_part(grad: &Tensor, u: &Tensor, s: &Tensor, vh: &Tensor) -> Result<Tensor> {
    let product = adjoint(u)?.matmul(grad)?;
    let skew = product.sub(&adjoint(&product)?)?;
    let inner = skew.mul(&reciprocals(&s.square()?)?)?.mul(&as_rows(s)?)?;
    let part = u.matmul(&inner)?;
    let part = match u.size_of(-2)? > u.size_of(-1)? {
        true => {
            let outside = grad.sub(&u.matmul(&product)?)?;
            part.add(&outside.div(&as_rows(s)?)?)?
        }
        false => part,
    };
    part.matmul(vh)
}

/// The sum of those that are there.
fn sum(one: Option<Tensor>, other: Option<Tensor>) -> Result<Option<Tensor>> {
    match (one, other) {
        (Some(one), Some(other)) => one.add(&other).map(Some),
        (one, other) => Ok(one.or(other)),
    }
}

/// Of the least and the greatest elements: equal shares for all that are as little, or as great.
#[gradient_helper]
pub(crate) fn aminmax_backward(
    grad_min: Option<&Tensor>,
    grad_max: Option<&Tensor>,
    self_: &Tensor,
    dim: Option<i64>,
    keepdim: bool,
    least: &Tensor,
    greatest: &Tensor,
) -> Result<Option<Tensor>> {
    let dims: Vec<i64> = match dim {
        Some(dim) => vec![dim],
        None => (0..self_.ndim() as i64).collect(),
    };
    let part = |grad: &Tensor, chosen: &Tensor| {
        let grad = super::reductions::restore_reduced_dims(grad, &dims, keepdim)?;
        let chosen = super::reductions::restore_reduced_dims(chosen, &dims, keepdim)?;
        super::reductions::scale_grad_by_count(&grad, &chosen.eq(self_)?, &dims)
    };
    let of_least = grad_min.map(|it| part(it, least)).transpose()?;
    let of_greatest = grad_max.map(|it| part(it, greatest)).transpose()?;
    sum(of_least, of_greatest)
}
