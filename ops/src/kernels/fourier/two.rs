//! Transforms along two dimensions.

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor};

use crate::ops;

/// The discrete Fourier transform along two dimensions; see `fftn`.
///
/// ```python
/// >>> opwright.fft.fft2(opwright.tensor([[1.0, 2.0], [3.0, 4.0]]))
/// tensor([[10.+0.j, -2.+0.j],
///         [-4.+0.j,  0.+0.j]], dtype=complex64, shape=(2, 2))
/// ```
#[native_op(
    "fft_fft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None) -> Tensor",
    composite,
    python_module = "fft"
)]
fn fft_fft2(self_: &Tensor, s: Option<&[i64]>, dim: &[i64], norm: Option<&str>) -> Result<Tensor> {
    ops::fft_fftn::Default_::call(self_, s, Some(dim), norm)
}

#[native_op(
    "fft_fft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!)",
    composite,
    python_module = "fft"
)]
fn fft_fft2_out(
    self_: &Tensor,
    s: Option<&[i64]>,
    dim: &[i64],
    norm: Option<&str>,
    out: &mut Tensor,
) -> Result<()> {
    ops::fft_fftn::out::call(self_, s, Some(dim), norm, out)
}

/// The inverse of `fft2` with the same arguments.
///
/// ```python
/// >>> opwright.fft.ifft2(opwright.tensor([[10 + 0j, -2], [-4, 0]]))
/// tensor([[1.+0.j, 2.+0.j],
///         [3.+0.j, 4.+0.j]], dtype=complex64, shape=(2, 2))
/// ```
#[native_op(
    "fft_ifft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None) -> Tensor",
    composite,
    python_module = "fft"
)]
fn fft_ifft2(self_: &Tensor, s: Option<&[i64]>, dim: &[i64], norm: Option<&str>) -> Result<Tensor> {
    ops::fft_ifftn::Default_::call(self_, s, Some(dim), norm)
}

#[native_op(
    "fft_ifft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!)",
    composite,
    python_module = "fft"
)]
fn fft_ifft2_out(
    self_: &Tensor,
    s: Option<&[i64]>,
    dim: &[i64],
    norm: Option<&str>,
    out: &mut Tensor,
) -> Result<()> {
    ops::fft_ifftn::out::call(self_, s, Some(dim), norm, out)
}

/// The Fourier transform of real numbers along two dimensions, of which the last is
/// halved; see `rfftn`.
///
/// ```python
/// >>> opwright.fft.rfft2(opwright.tensor([[1.0, 2.0], [3.0, 4.0]]))
/// tensor([[10.+0.j, -2.+0.j],
///         [-4.+0.j,  0.+0.j]], dtype=complex64, shape=(2, 2))
/// ```
#[native_op(
    "fft_rfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None) -> Tensor",
    composite,
    python_module = "fft"
)]
fn fft_rfft2(self_: &Tensor, s: Option<&[i64]>, dim: &[i64], norm: Option<&str>) -> Result<Tensor> {
    ops::fft_rfftn::Default_::call(self_, s, Some(dim), norm)
}

#[native_op(
    "fft_rfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!)",
    composite,
    python_module = "fft"
)]
fn fft_rfft2_out(
    self_: &Tensor,
    s: Option<&[i64]>,
    dim: &[i64],
    norm: Option<&str>,
    out: &mut Tensor,
) -> Result<()> {
    ops::fft_rfftn::out::call(self_, s, Some(dim), norm, out)
}

/// The inverse of `rfft2`: real numbers from half of their spectrum.
///
/// ```python
/// >>> opwright.fft.irfft2(opwright.tensor([[10 + 0j, -2], [-4, 0]]))
/// tensor([[1., 2.],
///         [3., 4.]], dtype=float32, shape=(2, 2))
/// ```
#[native_op(
    "fft_irfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None) -> Tensor",
    composite,
    python_module = "fft"
)]
fn fft_irfft2(
    self_: &Tensor,
    s: Option<&[i64]>,
    dim: &[i64],
    norm: Option<&str>,
) -> Result<Tensor> {
    ops::fft_irfftn::Default_::call(self_, s, Some(dim), norm)
}

#[native_op(
    "fft_irfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!)",
    composite,
    python_module = "fft"
)]
fn fft_irfft2_out(
    self_: &Tensor,
    s: Option<&[i64]>,
    dim: &[i64],
    norm: Option<&str>,
    out: &mut Tensor,
) -> Result<()> {
    ops::fft_irfftn::out::call(self_, s, Some(dim), norm, out)
}

/// The Fourier transform along two dimensions of half of what mirrors itself; see
/// `hfftn`.
///
/// ```python
/// >>> opwright.fft.hfft2(opwright.tensor([[10 + 0j, -2 + 0j]]), s=(1, 2))
/// tensor([[ 8., 12.]], dtype=float32, shape=(1, 2))
/// ```
#[native_op(
    "fft_hfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None) -> Tensor",
    composite,
    python_module = "fft"
)]
fn fft_hfft2(self_: &Tensor, s: Option<&[i64]>, dim: &[i64], norm: Option<&str>) -> Result<Tensor> {
    ops::fft_hfftn::Default_::call(self_, s, Some(dim), norm)
}

#[native_op(
    "fft_hfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!)",
    composite,
    python_module = "fft"
)]
fn fft_hfft2_out(
    self_: &Tensor,
    s: Option<&[i64]>,
    dim: &[i64],
    norm: Option<&str>,
    out: &mut Tensor,
) -> Result<()> {
    ops::fft_hfftn::out::call(self_, s, Some(dim), norm, out)
}

/// The inverse of `hfft2`: half of the spectrum of real numbers.
///
/// ```python
/// >>> opwright.fft.ihfft2(opwright.tensor([[1.0, 2.0], [3.0, 4.0]]))
/// tensor([[ 2.5-0.j, -0.5-0.j],
///         [-1.0-0.j,  0.0-0.j]], dtype=complex64, shape=(2, 2))
/// ```
#[native_op(
    "fft_ihfft2(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None) -> Tensor",
    composite,
    python_module = "fft"
)]
fn fft_ihfft2(
    self_: &Tensor,
    s: Option<&[i64]>,
    dim: &[i64],
    norm: Option<&str>,
) -> Result<Tensor> {
    ops::fft_ihfftn::Default_::call(self_, s, Some(dim), norm)
}

#[native_op(
    "fft_ihfft2.out(Tensor self, SymInt[1]? s=None, int[1] dim=[-2,-1], str? norm=None, *, Tensor(a!) out) -> Tensor(a!)",
    composite,
    python_module = "fft"
)]
fn fft_ihfft2_out(
    self_: &Tensor,
    s: Option<&[i64]>,
    dim: &[i64],
    norm: Option<&str>,
    out: &mut Tensor,
) -> Result<()> {
    ops::fft_ihfftn::out::call(self_, s, Some(dim), norm, out)
}
