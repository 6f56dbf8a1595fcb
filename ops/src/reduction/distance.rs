//! The norm of a difference, and slices whose norms are bounded.

use opwright_macros::native_op;
use opwright_runtime::geometry::wrap_dim;
use opwright_runtime::{Result, Scalar, Tensor, ensure};

use crate::gradient::{float, to};
use crate::ops::{self, TensorOps};

#[native_op(dist)]
fn dist(self_: &Tensor, other: &Tensor, p: Scalar) -> Result<Tensor> {
    ops::norm::Scalar::call(&self_.sub(other)?, p)
}

/// What is added to norms before they divide, as upstream has it.
const EPSILON: f64 = 1e-7;

#[native_op(renorm)]
fn renorm(self_: &Tensor, p: Scalar, dim: i64, maxnorm: Scalar) -> Result<Tensor> {
    check_renorm(self_, p, maxnorm)?;
    let kept = wrap_dim(dim, self_.ndim())?;
    let others: Vec<i64> = (0..self_.ndim()).filter(|it| *it != kept).map(|it| it as i64).collect();
    let norm = ops::linalg_vector_norm::Default_::call(self_, p, Some(&others), true, None)?;
    let share = ops::add::Scalar::call(&norm, float(EPSILON), Scalar::Int(1))?.reciprocal()?;
    let is_longer = norm.gt_scalar(maxnorm)?;
    let factor = ops::r#where::ScalarOther::call(
        &is_longer,
        &share.mul_scalar(maxnorm)?,
        Scalar::Float(1.0),
    )?;
    self_.mul(&to(&factor, norm.dtype())?)
}

#[native_op(renorm_)]
fn renorm_(self_: &mut Tensor, p: Scalar, dim: i64, maxnorm: Scalar) -> Result<()> {
    // What gradients save must not be what is written to.
    let input = if self_.requires_grad() {
        ops::clone::Default_::call(self_, None)?
    } else {
        self_.clone()
    };
    let bounded = ops::renorm::Default_::call(&input, p, dim, maxnorm)?;
    ops::copy_::Default_::call(self_, &bounded, false)
}

fn check_renorm(tensor: &Tensor, p: Scalar, maxnorm: Scalar) -> Result<()> {
    ensure!(
        !p.is_complex_number() && !maxnorm.is_complex_number(),
        Runtime,
        "p and maxnorm must be real-valued, but got {p} and {maxnorm}"
    );
    ensure!(p.to_f64()? > 0.0, Runtime, "non-positive-norm not supported");
    let most = maxnorm.to_f64()?;
    ensure!(most >= 0.0, Runtime, "expected maxnorm to be >= 0 but got {most}");
    ensure!(
        tensor.ndim() > 1,
        Runtime,
        "input needs at least 2 dimensions, got {} dimensions",
        tensor.ndim()
    );
    Ok(())
}
