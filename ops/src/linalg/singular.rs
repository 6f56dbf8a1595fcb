//! Singular values and vectors.

use opwright_linalg::{ColumnMajor, MatrixScalar, Vectors};
use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::autograd::{is_recording, recording};
use opwright_runtime::{DType, QrMode, Result, Scalar, Tensor, ensure};

use super::batch::{Batch, with_numbers};
use super::results::Results;
use crate::gradient::sum;
use crate::linalg::gradient::{
    adjoint, around, as_columns, as_rows, check_phases, diagonal_matrices, inverse, reciprocals,
    shared_slope,
};
use crate::ops::{self, TensorOps};

#[native_op(linalg_svd)]
fn linalg_svd(
    a: &Tensor,
    full_matrices: bool,
    driver: Option<&str>,
) -> Result<(Tensor, Tensor, Tensor)> {
    check_driver(driver)?;
    factors(a, if full_matrices { Vectors::Full } else { Vectors::Thin })
}

/// `U`, `S` and `Vh`, or `S` between tensors without elements.
fn factors(a: &Tensor, vectors: Vectors) -> Result<(Tensor, Tensor, Tensor)> {
    let batch = Batch::new("A", a)?;
    let (rows, columns) = (batch.rows, batch.columns);
    let count = rows.min(columns);
    let (width, height) = match vectors {
        Vectors::No => (0, 0),
        Vectors::Thin => (count, count),
        Vectors::Full => (rows, columns),
    };
    with_numbers!(batch, |T| {
        let mut us = Results::<T>::new(&batch, &[rows, width])?;
        let mut values = Results::new(&batch, &[count])?;
        let mut vhs = Results::<T>::new(&batch, &[height, columns])?;
        if !batch.is_idle(&[&[rows, width], &[count], &[height, columns]]) {
            let outputs = (us.slots(), values.slots(), vhs.slots());
            batch.fill::<T, _>(outputs, |_, matrix, (u, values, vh)| {
                let found = T::singular(ColumnMajor::of(matrix, (rows, columns))?, vectors)?;
                found.u.write_rows(u);
                values.copy_from_slice(&found.values);
                found.v.write_adjoint(vh);
                Ok(())
            })?;
        }
        Ok((us.tensor(&batch)?, values.tensor(&batch)?, vhs.tensor(&batch)?))
    })
}

fn check_driver(driver: Option<&str>) -> Result<()> {
    ensure!(
        driver.is_none(),
        Runtime,
        "keyword argument `driver=` is only supported on CUDA inputs"
    );
    Ok(())
}

#[native_op(linalg_svdvals)]
fn linalg_svdvals(a: &Tensor, driver: Option<&str>) -> Result<Tensor> {
    check_driver(driver)?;
    factors(a, Vectors::No).map(|(_, values, _)| values)
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

/// Steps that are enough for any matrix that is taken.
const MOST_STEPS: usize = 40;

/// `U @ Vᴴ` of `A = U @ diag(S) @ Vᴴ`, with derivatives of all orders, also where singular values are
/// equal; none if a matrix lacks full rank, which the factor needs to have derivatives.
///
/// Newton's iteration `X ← (X + X⁻ᴴ) / 2`, as in N. Higham, "Computing the polar decomposition - with
/// applications", 1986; its derivatives converge with it.
pub(super) fn polar_factor(matrices: &Tensor) -> Result<Option<Tensor>> {
    let Some(scale) = scale(matrices)? else { return Ok(None) };
    let is_wide = matrices.size_of(-2)? < matrices.size_of(-1)?;
    let tall = if is_wide { adjoint(matrices)? } else { matrices.clone() };
    let tall = tall.div(&scale)?;
    let factor = if tall.size_of(-2)? > tall.size_of(-1)? {
        let (q, r) = ops::linalg_qr::Default_::call(&tall, QrMode::Reduced)?;
        q.matmul(&limit(r)?)?
    } else {
        limit(tall)?
    };
    Ok(Some(if is_wide { adjoint(&factor)? } else { factor }))
}

/// What brings the singular values of each matrix near 1; none if some are too small beside others.
fn scale(matrices: &Tensor) -> Result<Option<Tensor>> {
    if matrices.numel() == 0 || matrices.device().is_meta() {
        return Ok(None);
    }
    let share = if matrices.dtype().to_real() == DType::Float64 { 1e-8 } else { 1e-4 };
    recording(false, || {
        let values = ops::linalg_svdvals::Default_::call(matrices, None)?;
        let greatest = ops::amax::Default_::call(&values, &[-1], true)?;
        let least = ops::amin::Default_::call(&values, &[-1], true)?;
        let has_rank = least.gt(&greatest.mul_scalar(Scalar::Float(share))?)?;
        if !ops::all::Default_::call(&has_rank)?.is_nonzero()? {
            return Ok(None);
        }
        let scale = greatest.sqrt()?.mul(&least.sqrt()?)?;
        ops::unsqueeze::Default_::call(&scale, -1).map(Some)
    })
}

fn limit(mut matrices: Tensor) -> Result<Tensor> {
    for _ in 0..MOST_STEPS {
        let next = matrices.add(&adjoint(&inverse(&matrices)?)?)?.div_scalar(Scalar::Int(2))?;
        let is_near = recording(false, || {
            let moved = next.sub(&matrices)?.abs()?;
            let is_near = moved.lt_scalar(Scalar::Float(1e-7))?;
            ops::all::Default_::call(&is_near)?.is_nonzero()
        })?;
        matrices = next;
        if is_near {
            break;
        }
    }
    // Derivatives follow a step behind.
    let once_more = inverse(&matrices)?;
    matrices.add(&adjoint(&once_more)?)?.div_scalar(Scalar::Int(2))
}
