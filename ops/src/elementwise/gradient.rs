//! Gradient helpers of several element-wise operators.

use opwright_runtime::{DType, Result, Scalar, Tensor};

use crate::gradient::{to, zeroed_where};
use crate::ops::{self, TensorOps};

/// `1 - tensor`
pub(crate) fn one_minus(tensor: &Tensor) -> Result<Tensor> {
    ops::rsub::Scalar::call(tensor, Scalar::Int(1), Scalar::Int(1))
}

/// Where a point lies, seen from the origin.
pub(crate) struct PointDirection {
    /// `y / hypot(x, y)`, and 0 at the origin.
    pub(super) sine: Tensor,
    /// `x / hypot(x, y)`, and 0 at the origin.
    pub(super) cosine: Tensor,
    /// A part of the size, the same part of 1, and where the inverse of the size counts as 0.
    size: Tensor,
    scale: Tensor,
    is_endless: Tensor,
}

impl PointDirection {
    /// `part / hypot(x, y)`, and 0 at the origin and at infinity.
    pub(super) fn per_size(&self, part: &Tensor) -> Result<Tensor> {
        zeroed_where(&part.mul(&self.scale)?.div(&self.size)?, &self.is_endless)
    }
}

/// The direction of `(x, y)`; infinities are so much greater than other numbers that these do not
/// count, and as great as each other.
pub(crate) fn direction(y: &Tensor, x: &Tensor) -> Result<PointDirection> {
    let is_far = y.isinf()?.logical_or(&x.isinf()?)?;
    // Only infinities are left of what is far away, as ones, which do not change.
    let near = |it: &Tensor| -> Result<Tensor> {
        let ones = zeroed_where(&it.sign()?, &it.isfinite()?)?;
        ops::r#where::self_::call(&is_far, &ones, it)
    };
    let (y, x) = (near(y)?, near(x)?);
    let is_origin = y.logical_or(&x)?.logical_not()?;
    // The greatest numbers have a size that their dtype does not hold.
    let is_great = y.hypot(&x)?.isinf()?;
    let scale = ops::r#where::Scalar::call(&is_great, Scalar::Float(0.25), Scalar::Float(1.0))?;
    let scale = to(&scale, y.dtype())?;
    let (y, x) = (y.mul(&scale)?, x.mul(&scale)?);
    // The gradient of this size at the origin would be that of 0, and is not asked for.
    let x_inside = x.masked_fill(&is_origin, Scalar::Int(1))?;
    let size = y.hypot(&x_inside)?;
    Ok(PointDirection {
        sine: zeroed_where(&y.div(&size)?, &is_origin)?,
        cosine: zeroed_where(&x.div(&size)?, &is_origin)?,
        is_endless: is_origin.logical_or(&is_far)?,
        scale,
        size,
    })
}

pub(crate) fn zeros_in(dtype: DType, like: &Tensor) -> Result<Tensor> {
    ops::zeros_like::Default_::call(like, Some(dtype), None, None, None, None)
}
