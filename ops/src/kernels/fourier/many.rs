//! Transforms along several dimensions.

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor, ensure};

use super::one::conjugated;
use super::space::{Extent, complex, floating, real};
use super::transform::{Direction, mode};
use crate::ops;

/// The discrete Fourier transform along all dimensions, those of `dim`, or the last
/// ones if there is only `s`, the sizes there; see `fft`.
///
/// ```python
/// >>> opwright.fft.fftn(opwright.tensor([[1.0, 2.0], [3.0, 4.0]]))
/// tensor([[10.+0.j, -2.+0.j],
///         [-4.+0.j,  0.+0.j]], dtype=complex64, shape=(2, 2))
/// ```
#[native_op(
    "fft_fftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
    composite,
    python_module = "fft",
    out
)]
fn fft_fftn(
    self_: &Tensor,
    s: Option<&[i64]>,
    dim: Option<&[i64]>,
    norm: Option<&str>,
) -> Result<Tensor> {
    forward_or_back(self_, s, dim, norm, Direction::Forward)
}

/// The inverse of `fftn` with the same arguments.
///
/// ```python
/// >>> opwright.fft.ifftn(opwright.tensor([[10 + 0j, -2], [-4, 0]]))
/// tensor([[1.+0.j, 2.+0.j],
///         [3.+0.j, 4.+0.j]], dtype=complex64, shape=(2, 2))
/// ```
#[native_op(
    "fft_ifftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
    composite,
    python_module = "fft",
    out
)]
fn fft_ifftn(
    self_: &Tensor,
    s: Option<&[i64]>,
    dim: Option<&[i64]>,
    norm: Option<&str>,
) -> Result<Tensor> {
    forward_or_back(self_, s, dim, norm, Direction::Inverse)
}

/// The Fourier transform of real numbers along dimensions as in `fftn`, of which the
/// last is halved as in `rfft`.
///
/// ```python
/// >>> opwright.fft.rfftn(opwright.tensor([[1.0, 2.0], [3.0, 4.0]]))
/// tensor([[10.+0.j, -2.+0.j],
///         [-4.+0.j,  0.+0.j]], dtype=complex64, shape=(2, 2))
/// ```
#[native_op(
    "fft_rfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
    composite,
    python_module = "fft",
    out
)]
fn fft_rfftn(
    self_: &Tensor,
    s: Option<&[i64]>,
    dim: Option<&[i64]>,
    norm: Option<&str>,
) -> Result<Tensor> {
    from_real(self_, s, dim, norm, Direction::Forward)
}

/// The inverse of `rfftn`: real numbers from half of their spectrum.
///
/// ```python
/// >>> opwright.fft.irfftn(opwright.tensor([[10 + 0j, -2], [-4, 0]]))
/// tensor([[1., 2.],
///         [3., 4.]], dtype=float32, shape=(2, 2))
/// ```
#[native_op(
    "fft_irfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
    composite,
    python_module = "fft",
    out
)]
fn fft_irfftn(
    self_: &Tensor,
    s: Option<&[i64]>,
    dim: Option<&[i64]>,
    norm: Option<&str>,
) -> Result<Tensor> {
    to_real(self_, s, dim, norm, Direction::Inverse)
}

/// The Fourier transform along dimensions as in `fftn` of an input that is half of
/// what mirrors itself, so that the result is real; see `hfft`.
///
/// ```python
/// >>> opwright.fft.hfftn(opwright.tensor([10 + 0j, -2 + 2j, -2 + 0j]))
/// tensor([ 4., 16., 12.,  8.], dtype=float32, shape=(4,))
/// ```
#[native_op(
    "fft_hfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
    composite,
    python_module = "fft",
    out
)]
fn fft_hfftn(
    self_: &Tensor,
    s: Option<&[i64]>,
    dim: Option<&[i64]>,
    norm: Option<&str>,
) -> Result<Tensor> {
    to_real(&conjugated(self_)?, s, dim, norm, Direction::Forward)
}

/// The inverse of `hfftn`: half of the spectrum of real numbers.
///
/// ```python
/// >>> opwright.fft.ihfftn(opwright.tensor([[1.0, 2.0], [3.0, 4.0]]))
/// tensor([[ 2.5-0.j, -0.5-0.j],
///         [-1.0-0.j,  0.0-0.j]], dtype=complex64, shape=(2, 2))
/// ```
#[native_op(
    "fft_ihfftn(Tensor self, SymInt[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
    composite,
    python_module = "fft",
    out
)]
fn fft_ihfftn(
    self_: &Tensor,
    s: Option<&[i64]>,
    dim: Option<&[i64]>,
    norm: Option<&str>,
) -> Result<Tensor> {
    conjugated(&from_real(self_, s, dim, norm, Direction::Inverse)?)
}

/// Of complex numbers, or of real ones to all of their spectrum.
fn forward_or_back(
    input: &Tensor,
    s: Option<&[i64]>,
    dim: Option<&[i64]>,
    norm: Option<&str>,
    direction: Direction,
) -> Result<Tensor> {
    let mode = mode(norm, direction)?;
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
    norm: Option<&str>,
    direction: Direction,
) -> Result<Tensor> {
    let extent = Extent::new(input, s, dim)?;
    check_not_empty(&extent)?;
    let input = extent.apply(&real(input)?, None)?;
    ops::_fft_r2c::Default_::call(&input, &extent.dims, mode(norm, direction)?, true)
}

/// Of half a spectrum to real numbers; the division is that of this direction.
fn to_real(
    input: &Tensor,
    s: Option<&[i64]>,
    dim: Option<&[i64]>,
    norm: Option<&str>,
    direction: Direction,
) -> Result<Tensor> {
    let extent = Extent::new(input, s, dim)?;
    check_not_empty(&extent)?;
    let size = extent.real_size(input)?;
    ensure!(size >= 1, Runtime, "Invalid number of data points ({size}) specified");
    let half = extent.apply(&complex(input)?, Some(size / 2 + 1))?;
    ops::_fft_c2r::Default_::call(&half, &extent.dims, mode(norm, direction)?, size)
}

fn check_not_empty(extent: &Extent) -> Result<()> {
    ensure!(!extent.dims.is_empty(), Runtime, "at least one axis must be transformed");
    Ok(())
}
