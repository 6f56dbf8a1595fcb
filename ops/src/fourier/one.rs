//! Transforms along one dimension.

use opwright_macros::native_op;
use opwright_runtime::{FftNorm, Result, Tensor, ensure};

use super::space::{complex, floating, real, with_size};
use super::transform::{Direction, mode};
use crate::ops;

#[native_op(fft_fft)]
fn fft_fft(self_: &Tensor, n: Option<i64>, dim: i64, norm: Option<FftNorm>) -> Result<Tensor> {
    forward_or_back(self_, n, dim, norm, Direction::Forward)
}

#[native_op(fft_ifft)]
fn fft_ifft(self_: &Tensor, n: Option<i64>, dim: i64, norm: Option<FftNorm>) -> Result<Tensor> {
    forward_or_back(self_, n, dim, norm, Direction::Inverse)
}

#[native_op(fft_rfft)]
fn fft_rfft(self_: &Tensor, n: Option<i64>, dim: i64, norm: Option<FftNorm>) -> Result<Tensor> {
    from_real(self_, n, dim, norm, Direction::Forward)
}

#[native_op(fft_irfft)]
fn fft_irfft(self_: &Tensor, n: Option<i64>, dim: i64, norm: Option<FftNorm>) -> Result<Tensor> {
    to_real(self_, n, dim, norm, Direction::Inverse)
}

#[native_op(fft_hfft)]
fn fft_hfft(self_: &Tensor, n: Option<i64>, dim: i64, norm: Option<FftNorm>) -> Result<Tensor> {
    to_real(&conjugated(self_)?, n, dim, norm, Direction::Forward)
}

#[native_op(fft_ihfft)]
fn fft_ihfft(self_: &Tensor, n: Option<i64>, dim: i64, norm: Option<FftNorm>) -> Result<Tensor> {
    conjugated(&from_real(self_, n, dim, norm, Direction::Inverse)?)
}

/// Of complex numbers, or of real ones to all of their spectrum.
fn forward_or_back(
    input: &Tensor,
    n: Option<i64>,
    dim: i64,
    norm: Option<FftNorm>,
    direction: Direction,
) -> Result<Tensor> {
    let mode = mode(norm, direction);
    let input = floating(input)?;
    if input.dtype().is_complex_number() || !direction.is_forward() {
        let input = with_size(&complex(&input)?, dim, n)?;
        return ops::_fft_c2c::Default_::call(&input, &[dim], mode, direction.is_forward());
    }
    let input = with_size(&input, dim, n)?;
    ops::_fft_r2c::Default_::call(&input, &[dim], mode, false)
}

/// Of real numbers to half of their spectrum; the division is that of this
/// direction.
fn from_real(
    input: &Tensor,
    n: Option<i64>,
    dim: i64,
    norm: Option<FftNorm>,
    direction: Direction,
) -> Result<Tensor> {
    let input = with_size(&real(input)?, dim, n)?;
    ops::_fft_r2c::Default_::call(&input, &[dim], mode(norm, direction), true)
}

/// Of half a spectrum to real numbers; the division is that of this direction.
fn to_real(
    input: &Tensor,
    n: Option<i64>,
    dim: i64,
    norm: Option<FftNorm>,
    direction: Direction,
) -> Result<Tensor> {
    let n = match n {
        Some(n) => n,
        None => 2 * (input.size_of(dim)? - 1),
    };
    ensure!(n >= 1, Runtime, "Invalid number of data points ({n}) specified");
    let half = with_size(&complex(input)?, dim, Some(n / 2 + 1))?;
    ops::_fft_c2r::Default_::call(&half, &[dim], mode(norm, direction), n)
}

/// Half a spectrum is turned the other way by conjugation.
pub(super) fn conjugated(tensor: &Tensor) -> Result<Tensor> {
    if tensor.dtype().is_complex_number() {
        crate::matrices::vector::conjugated(tensor)
    } else {
        Ok(tensor.clone())
    }
}
