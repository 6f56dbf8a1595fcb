//! Polar factors of matrices, the gradients of sums of singular values.

use opwright_runtime::autograd::recording;
use opwright_runtime::{DType, Result, Scalar, Tensor};

use super::linalg::{adjoint, inverse};
use crate::ops::{self, TensorOps};

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
        let (q, r) = ops::linalg_qr::Default_::call(&tall, "reduced")?;
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
