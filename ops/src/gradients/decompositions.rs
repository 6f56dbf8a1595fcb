//! Solutions and spectra of matrices.

use opwright_macros::gradient_helper;
use opwright_runtime::autograd::{is_recording, recording};
use opwright_runtime::{Result, Scalar, Tensor, ensure};

use super::binary::handle_r_to_c;
use super::linalg::adjoint;
use super::polar::polar_factor;
use crate::ops::{self, TensorOps};

/// The element of each matrix in its row and column, one dimension as two: `unsqueeze(-2)`.
pub(super) fn as_rows(vectors: &Tensor) -> Result<Tensor> {
    ops::unsqueeze::Default_::call(vectors, -2)
}

/// `unsqueeze(-1)`
pub(super) fn as_columns(vectors: &Tensor) -> Result<Tensor> {
    ops::unsqueeze::Default_::call(vectors, -1)
}

/// Truth values of square matrices like this one, true on the diagonal.
pub(super) fn is_diagonal(matrices: &Tensor) -> Result<Tensor> {
    let (size, ones) = (matrices.size_of(-1)?, Scalar::Int(1));
    let eye = ops::ones::Default_::call(&[size], None, None, Some(matrices.device()), None)?;
    let eye = eye.mul(&as_columns(&eye)?)?;
    let eye = ops::triu::Default_::call(&ops::tril::Default_::call(&eye, 0)?, 0)?;
    eye.eq_scalar(ones)
}

/// Matrices with these diagonals.
pub(super) fn diagonal_matrices(diagonals: &Tensor) -> Result<Tensor> {
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
pub(super) fn around(left: &Tensor, values: &Tensor, right: &Tensor) -> Result<Tensor> {
    left.mul(&as_rows(values)?)?.matmul(right)
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
    if vectors.dtype().is_complex_number() {
        check_phases("linalg.eigh", "eigenvectors", &[(vectors, grad)])?;
    }
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
    if let Some(slope) = shared_slope(grad)? {
        return of_trace(&slope, matrices);
    }
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
    if let Some(grad) = grad_vectors {
        check_phases("linalg.eig", "eigenvectors", &[(vectors, grad)])?;
    }
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
    if let Some(slope) = shared_slope(grad)? {
        return handle_r_to_c(matrices.dtype(), &of_trace(&slope, matrices)?).map(Some);
    }
    let (values, vectors) = ops::linalg_eig::Default_::call(matrices)?;
    linalg_eig_backward(Some(grad), None, matrices, &values, &vectors)
}

/// The gradient that all values of a matrix have in common, with a last dimension of size 1. The
/// loss changes with their sum alone then, which has derivatives where values are equal, too.
fn shared_slope(grad: &Tensor) -> Result<Option<Tensor>> {
    let size = grad.size_of(-1)?;
    if size == 0 || grad.device().is_meta() {
        return Ok(None);
    }
    let first = ops::narrow::Default_::call(grad, -1, 0, 1)?;
    if size == 1 || grad.strides().last() == Some(&0) {
        return Ok(Some(first));
    }
    // What depends on the values may be equal for these alone.
    if grad.requires_grad() {
        return Ok(None);
    }
    let is_shared = ops::all::Default_::call(&grad.eq(&first)?)?.is_nonzero()?;
    Ok(is_shared.then_some(first))
}

/// Of traces: the gradient of the sum on the diagonal.
fn of_trace(slope: &Tensor, matrices: &Tensor) -> Result<Tensor> {
    diagonal_matrices(&slope.expand(&matrices.shape()[..matrices.ndim() - 1])?)
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
    if u.dtype().is_complex_number() {
        let v = adjoint(&vh)?;
        let grad_u = grad_u.map(columns).transpose()?;
        let grad_v = grad_vh.map(|it| adjoint(&rows(it)?)).transpose()?;
        let pairs = [(&u, grad_u.as_ref()), (&v, grad_v.as_ref())];
        let pairs: Vec<_> = pairs.into_iter().filter_map(|(it, grad)| Some((it, grad?))).collect();
        check_phases("linalg.svd", "singular vectors", &pairs)?;
    }
    let of_values = grad_s.map(|it| around(&u, it, &vh)).transpose()?;
    let of_u = grad_u.map(|it| left_part(&columns(it)?, &u, s, &vh)).transpose()?;
    // The same of the adjoint, `Aᴴ = V @ diag(S) @ Uᴴ`.
    let of_v = grad_vh.map(|it| {
        let (grad, v) = (adjoint(&rows(it)?)?, adjoint(&vh)?);
        adjoint(&right_part(&grad, &v, s, &adjoint(&u)?)?)
    });
    sum(sum(of_values, of_u)?, of_v.transpose()?)
}

/// The share of a gradient that may lie along the phase of a vector, for rounding.
const PHASE_SHARE: f64 = 1e-2;

/// Fails if a loss changes with the phases of vectors, which are arbitrary: all columns of `vectors`
/// with the same number turn by the same angle, and the loss by the imaginary part of `vectorsᴴ @
/// grad` on the diagonal.
fn check_phases(function: &str, which: &str, pairs: &[(&Tensor, &Tensor)]) -> Result<()> {
    let is_seen = |it: &(&Tensor, &Tensor)| it.0.numel() > 0 && !it.0.device().is_meta();
    if pairs.is_empty() || !pairs.iter().all(is_seen) {
        return Ok(());
    }
    recording(false, || {
        let (mut turned, mut lengths): (Option<Tensor>, Option<Tensor>) = (None, None);
        for (vectors, grad) in pairs {
            let along = vectors.conj()?.mul(grad)?;
            let along = ops::sum::dim_IntList::call(&along, Some(&[-2]), false, None)?;
            turned = sum(turned, Some(ops::imag::Default_::call(&along)?))?;
            let dims = Some(&[-2][..]);
            let length =
                ops::linalg_vector_norm::Default_::call(grad, 2.into(), dims, false, None)?;
            lengths = sum(lengths, Some(length))?;
        }
        let (Some(turned), Some(lengths)) = (turned, lengths) else { return Ok(()) };
        let most = lengths.mul_scalar(Scalar::Float(PHASE_SHARE))?;
        let depends = ops::any::Default_::call(&turned.abs()?.gt(&most)?)?.is_nonzero()?;
        ensure!(
            !depends,
            Runtime,
            "the {which} that {function}() gives of complex matrices are unique but for factors \
             e^(i phi). The loss depends on this phase, so it is ill-defined, and has no gradient; \
             take absolute values, or products in which the phases cancel"
        );
        Ok(())
    })
}

/// Of the singular values alone.
#[gradient_helper]
pub(crate) fn linalg_svdvals_backward(grad: &Tensor, matrices: &Tensor) -> Result<Tensor> {
    if is_recording()
        && matrices.requires_grad()
        && let Some(slope) = shared_slope(grad)?
        && let Some(polar) = polar_factor(matrices)?
    {
        return as_columns(&slope)?.mul(&polar);
    }
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
