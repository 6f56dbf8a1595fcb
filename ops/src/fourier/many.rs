//! Transforms along several dimensions.

use opwright_macros::native_op;
use opwright_runtime::{FftNorm, Result, Tensor, ensure};

use super::one::conjugated;
use super::space::{Extent, complex, floating, real};
use super::transform::{Direction, mode};
use crate::ops;

#[native_op(fft_fftn)]
fn fft_fftn(
    self_: &Tensor,
    s: Option<&[i64]>,
    dim: Option<&[i64]>,
    norm: Option<FftNorm>,
) -> Result<Tensor> {
    forward_or_back(self_, s, dim, norm, Direction::Forward)
}

#[native_op(fft_ifftn)]
fn fft_ifftn(
    self_: &Tensor,
    s: Option<&[i64]>,
    dim: Option<&[i64]>,
    norm: Option<FftNorm>,
) -> Result<Tensor> {
    forward_or_back(self_, s, dim, norm, Direction::Inverse)
}

#[native_op(fft_rfftn)]
fn fft_rfftn(
    self_: &Tensor,
    s: Option<&[i64]>,
    dim: Option<&[i64]>,
    norm: Option<FftNorm>,
) -> Result<Tensor> {
    from_real(self_, s, dim, norm, Direction::Forward)
}

#[native_op(fft_irfftn)]
fn fft_irfftn(
    self_: &Tensor,
    s: Option<&[i64]>,
    dim: Option<&[i64]>,
    norm: Option<FftNorm>,
) -> Result<Tensor> {
    to_real(self_, s, dim, norm, Direction::Inverse)
}

#[native_op(fft_hfftn)]
fn fft_hfftn(
    self_: &Tensor,
    s: Option<&[i64]>,
    dim: Option<&[i64]>,
    norm: Option<FftNorm>,
) -> Result<Tensor> {
    to_real(&conjugated(self_)?, s, dim, norm, Direction::Forward)
}

#[native_op(fft_ihfftn)]
fn fft_ihfftn(
    self_: &Tensor,
    s: Option<&[i64]>,
    dim: Option<&[i64]>,
    norm: Option<FftNorm>,
) -> Result<Tensor> {
    conjugated(&from_real(self_, s, dim, norm, Direction::Inverse)?)
}

/// Of complex numbers, or of real ones to all of their spectrum.
fn forward_or_back(
    input: &Tensor,
    s: Option<&[i64]>,
    dim: Option<&[i64]>,
    norm: Option<FftNorm>,
    direction: Direction,
) -> Result<Tensor> {
    let mode = mode(norm, direction);
    let extent = Extent::new(input, s, dim)?;
    let input = floating(input)?;
    if input.dtype().is_complex_number() || !direction.is_forward() || extent.dims.is_empty() {
        let input = extent.apply(&complex(&input)?, None)?;
        return ops::_fft_c2c::Default_::call(&input, &extent.dims, mode, direction.is_forward());
    }
    let input = extent.apply(&input, None)?;
    ops::_fft_r2c::Default_::call(&input, &extent.dims, mode, false)
}

/// Of real numbers to half of their spectrum; the division is that of this
/// direction.
fn from_real(
    input: &Tensor,
    s: Option<&[i64]>,
    dim: Option<&[i64]>,
    norm: Option<FftNorm>,
    direction: Direction,
) -> Result<Tensor> {
    let extent = Extent::new(input, s, dim)?;
    check_not_empty(&extent)?;
    let input = extent.apply(&real(input)?, None)?;
    ops::_fft_r2c::Default_::call(&input, &extent.dims, mode(norm, direction), true)
}

/// Of half a spectrum to real numbers; the division is that of this direction.
fn to_real(
    input: &Tensor,
    s: Option<&[i64]>,
    dim: Option<&[i64]>,
    norm: Option<FftNorm>,
    direction: Direction,
) -> Result<Tensor> {
    let extent = Extent::new(input, s, dim)?;
    check_not_empty(&extent)?;
    let size = extent.real_size(input)?;
    ensure!(size >= 1, Runtime, "Invalid number of data points ({size}) specified");
    let half = extent.apply(&complex(input)?, Some(size / 2 + 1))?;
    ops::_fft_c2r::Default_::call(&half, &extent.dims, mode(norm, direction), size)
}

fn check_not_empty(extent: &Extent) -> Result<()> {
    ensure!(!extent.dims.is_empty(), Runtime, "at least one axis must be transformed");
    Ok(())
}
