//! Pseudoinverses.

use opwright_macros::native_op;
use opwright_runtime::{Result, Scalar, Tensor};

use super::batch::check_square;
use super::rank::{sizes, threshold, tolerance};
use crate::linalg::gradient::adjoint;
use crate::ops::{self, TensorOps};

#[native_op(linalg_pinv.atol_rtol_tensor)]
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

#[native_op(linalg_pinv.atol_rtol_float)]
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

#[native_op(linalg_pinv)]
fn linalg_pinv(self_: &Tensor, rcond: f64, hermitian: bool) -> Result<Tensor> {
    let rtol = tolerance(self_, rcond)?;
    ops::linalg_pinv::rcond_tensor::call(self_, &rtol, hermitian)
}

#[native_op(linalg_pinv.rcond_tensor)]
fn linalg_pinv_rcond_tensor(self_: &Tensor, rcond: &Tensor, hermitian: bool) -> Result<Tensor> {
    let atol = tolerance(self_, 0.0)?;
    ops::linalg_pinv::atol_rtol_tensor::call(self_, Some(&atol), Some(rcond), hermitian)
}
