//! Pseudoinverses.

use opwright_macros::native_op;
use opwright_runtime::{Result, Scalar, Tensor};

use super::batch::check_square;
use super::rank::{sizes, threshold, tolerance};
use crate::ops::{self, TensorOps};

/// The conjugates of the transposed matrices.
pub(super) fn adjoint(matrices: &Tensor) -> Result<Tensor> {
    matrices.transpose(-2, -1)?.conj()
}

/// The pseudoinverse of a matrix, or of each one of a batch: `A⁺` with
/// `A @ A⁺ @ A = A`, the least of all that have this. Singular values, or with
/// `hermitian` lengths of eigenvalues, count as zero up to `atol` or up to `rtol` times
/// the greatest. Without `rtol`, that is the larger side of the matrix times the relative
/// error of its dtype, or zero if there is a positive `atol`. `rcond` is an `rtol`.
/// Gradients are those of a matrix of the rank that is left.
///
/// ```python
/// >>> opwright.linalg.pinv(opwright.tensor([[2.0, 0.0], [0.0, 0.0], [0.0, 0.0]]))
/// tensor([[0.5, 0.0, 0.0],
///         [0.0, 0.0, 0.0]], dtype=float32, shape=(2, 3))
/// ```
#[native_op(
    "linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor",
    explicit,
    python_module = "linalg",
    out
)]
fn linalg_pinv_tensors(
    self_: &Tensor,
    atol: Option<&Tensor>,
    rtol: Option<&Tensor>,
    hermitian: bool,
) -> Result<Tensor> {
    let sizes = sizes("linalg.pinv", self_)?;
    if hermitian {
        check_square(sizes.0, sizes.1)?;
    }
    let (u, values, vh) = match hermitian {
        true => {
            let (values, vectors) = ops::linalg_eigh::Default_::call(self_, "L")?;
            let adjoint = adjoint(&vectors)?;
            (vectors, values, adjoint)
        }
        false => ops::linalg_svd::Default_::call(self_, false, None)?,
    };
    let mut inverses = values.reciprocal()?;
    if sizes.0.min(sizes.1) > 0 {
        let lengths = if hermitian { values.abs()? } else { values };
        let least = threshold("linalg.pinv", &lengths, sizes, atol, rtol)?;
        let is_kept = lengths.gt(&least)?;
        inverses = ops::r#where::ScalarOther::call(&is_kept, &inverses, Scalar::Int(0))?;
    }
    let inverses = ops::unsqueeze::Default_::call(&inverses, -2)?;
    adjoint(&vh)?.mul(&inverses)?.matmul(&adjoint(&u)?)
}

#[native_op(
    "linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> Tensor",
    composite,
    python_module = "linalg",
    out
)]
fn linalg_pinv_floats(
    self_: &Tensor,
    atol: Option<f64>,
    rtol: Option<f64>,
    hermitian: bool,
) -> Result<Tensor> {
    let atol = atol.map(|it| tolerance(self_, it)).transpose()?;
    let rtol = rtol.map(|it| tolerance(self_, it)).transpose()?;
    ops::linalg_pinv::atol_rtol_tensor::call(self_, atol.as_ref(), rtol.as_ref(), hermitian)
}

#[native_op(
    "linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor",
    composite,
    python_module = "linalg",
    out
)]
fn linalg_pinv(self_: &Tensor, rcond: f64, hermitian: bool) -> Result<Tensor> {
    let rtol = tolerance(self_, rcond)?;
    ops::linalg_pinv::rcond_tensor::call(self_, &rtol, hermitian)
}

#[native_op(
    "linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor",
    composite,
    python_module = "linalg"
)]
fn linalg_pinv_rcond_tensor(self_: &Tensor, rcond: &Tensor, hermitian: bool) -> Result<Tensor> {
    let atol = tolerance(self_, 0.0)?;
    ops::linalg_pinv::atol_rtol_tensor::call(self_, Some(&atol), Some(rcond), hermitian)
}
