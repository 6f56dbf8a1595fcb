//! Gradient helpers of several decompositions.

use opwright_macros::gradient_helper;
use opwright_runtime::autograd::recording;
use opwright_runtime::{Result, Scalar, Tensor, ensure};

use crate::gradient::sum;
use crate::ops::{self, TensorOps};

/// The element of each matrix in its row and column, one dimension as two: `unsqueeze(-2)`.
pub(crate) fn as_rows(vectors: &Tensor) -> Result<Tensor> {
    ops::unsqueeze::Default_::call(vectors, -2)
}

/// `unsqueeze(-1)`
pub(crate) fn as_columns(vectors: &Tensor) -> Result<Tensor> {
    ops::unsqueeze::Default_::call(vectors, -1)
}

/// Truth values of square matrices like this one, true on the diagonal.
pub(crate) fn is_diagonal(matrices: &Tensor) -> Result<Tensor> {
    let (size, ones) = (matrices.size_of(-1)?, Scalar::Int(1));
    let eye = ops::ones::Default_::call(&[size], None, None, Some(matrices.device()), None)?;
    let eye = eye.mul(&as_columns(&eye)?)?;
    let eye = ops::triu::Default_::call(&ops::tril::Default_::call(&eye, 0)?, 0)?;
    eye.eq_scalar(ones)
}

/// Matrices with these diagonals.
pub(crate) fn diagonal_matrices(diagonals: &Tensor) -> Result<Tensor> {
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
pub(crate) fn around(left: &Tensor, values: &Tensor, right: &Tensor) -> Result<Tensor> {
    left.mul(&as_rows(values)?)?.matmul(right)
}

/// Whether the right side of a system is a vector for each matrix.
#[gradient_helper]
pub(crate) fn is_batch_of_vectors(matrices: &[i64], right: &[i64]) -> Result<bool> {
    let is_batch = matrices.len() == right.len() + 1 && matrices[..right.len()] == *right;
    Ok(right.len() == 1 || is_batch)
}

/// The gradient that all values of a matrix have in common, with a last dimension of size 1. The
/// loss changes with their sum alone then, which has derivatives where values are equal, too.
pub(crate) fn shared_slope(grad: &Tensor) -> Result<Option<Tensor>> {
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

/// `1 / (x_j - x_i)`, and 0 on the diagonal.
pub(crate) fn reciprocals(values: &Tensor) -> Result<Tensor> {
    let differences = as_rows(values)?.sub(&as_columns(values)?)?;
    let is_diagonal = is_diagonal(&differences)?;
    let differences = differences.masked_fill(&is_diagonal, Scalar::Int(1))?;
    differences.reciprocal()?.masked_fill(&is_diagonal, Scalar::Int(0))
}

/// The share of a gradient that may lie along the phase of a vector, for rounding.
const PHASE_SHARE: f64 = 1e-2;

/// Fails if a loss changes with the phases of vectors, which are arbitrary: all columns of `vectors`
/// with the same number turn by the same angle, and the loss by the imaginary part of `vectorsᴴ @
/// grad` on the diagonal.
pub(crate) fn check_phases(
    function: &str,
    which: &str,
    pairs: &[(&Tensor, &Tensor)],
) -> Result<()> {
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

/// The conjugates of the transposed matrices.
#[gradient_helper]
pub(crate) fn adjoint(tensor: &Tensor) -> Result<Tensor> {
    tensor.transpose(-2, -1)?.conj()
}

/// The inverses of the matrices, whose gradients are known.
pub(crate) fn inverse(tensor: &Tensor) -> Result<Tensor> {
    Ok(ops::linalg_inv_ex::Default_::call(tensor, false)?.0)
}

/// `(tensor + tensorᴴ) / 2`
pub(crate) fn symmetric(tensor: &Tensor) -> Result<Tensor> {
    tensor.add(&adjoint(tensor)?)?.div_scalar(Scalar::Int(2))
}

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

/// The solution of a system with a triangle.
pub(crate) fn solve_triangle(
    triangle: &Tensor,
    right: &Tensor,
    upper: bool,
    left: bool,
    unit: bool,
) -> Result<Tensor> {
    ops::linalg_solve_triangular::Default_::call(triangle, right, upper, left, unit)
}

pub(crate) fn tril(matrices: &Tensor, diagonal: i64) -> Result<Tensor> {
    ops::tril::Default_::call(matrices, diagonal)
}

pub(crate) fn triu(matrices: &Tensor) -> Result<Tensor> {
    ops::triu::Default_::call(matrices, 0)
}
