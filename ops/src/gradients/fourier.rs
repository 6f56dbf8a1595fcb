//! Fourier transforms between real and complex numbers.

use opwright_macros::gradient_helper;
use opwright_runtime::{Error, Result, Scalar, Tensor};

use crate::ops::{self, TensorOps};

/// The dimension of which the real transforms keep a half, from the front.
fn halved(dims: &[i64], ndim: usize) -> Result<i64> {
    let last = *dims.last().ok_or_else(|| Error::runtime("a transform has a dimension"))?;
    Ok(if last < 0 { last + ndim as i64 } else { last })
}

fn slice(tensor: &Tensor, dim: i64, start: i64, end: i64) -> Result<Tensor> {
    ops::slice::Tensor::call(tensor, dim, Some(start), Some(end), 1)
}

/// Of a transform of real numbers: the real part of the transform in the opposite direction, where
/// the half that is not there counts as 0.
#[gradient_helper]
pub(crate) fn fft_r2c_backward(
    grad: &Tensor,
    dim: &[i64],
    normalization: i64,
    onesided: bool,
    sizes: &[i64],
) -> Result<Tensor> {
    let whole = if onesided { filled_up(grad, dim, sizes)? } else { grad.clone() };
    ops::real::Default_::call(&ops::_fft_c2c::Default_::call(&whole, dim, normalization, false)?)
}

/// A gradient of the first elements along the last of the dimensions: 0 for the others.
#[gradient_helper]
pub(crate) fn filled_up(grad: &Tensor, dim: &[i64], sizes: &[i64]) -> Result<Tensor> {
    let last = halved(dim, grad.ndim())?;
    let size = sizes.get(last as usize).copied().unwrap_or_default();
    let missing = size - grad.size_of(last)?;
    if missing <= 0 {
        return Ok(grad.clone());
    }
    // From the last dimension on, before and behind each.
    let mut pad = vec![0; 2 * (grad.ndim() - last as usize) - 1];
    pad.push(missing);
    ops::constant_pad_nd::Default_::call(grad, &pad, Scalar::Int(0))
}

/// Of a transform to real numbers: the half of the transform in the opposite direction, whose
/// elements count twice where they stand for two.
#[gradient_helper]
pub(crate) fn fft_c2r_backward(grad: &Tensor, dim: &[i64], normalization: i64) -> Result<Tensor> {
    let last = halved(dim, grad.ndim())?;
    let half = ops::_fft_r2c::Default_::call(grad, dim, normalization, true)?;
    let size = half.size_of(last)?;
    let end = 1 + grad.size_of(last)? - size;
    if end <= 1 {
        return Ok(half);
    }
    let double = slice(&half, last, 1, end)?.mul_scalar(Scalar::Int(2))?;
    let parts = [slice(&half, last, 0, 1)?, double, slice(&half, last, end, size)?];
    ops::cat::Default_::call(&[&parts[0], &parts[1], &parts[2]], last)
}
