//! Transforms along one dimension.

use opwright_macros::native_op;
use opwright_runtime::{Result, Tensor, ensure};

use super::space::{complex, floating, real, with_size};
use super::transform::{Direction, mode};
use crate::ops;

/// The discrete Fourier transform along `dim`, of `n` elements: the input is cut or
/// continued with zeros. `norm` says what is divided by: nothing (`backward`, the
/// default), `sqrt(n)` (`ortho`) or `n` (`forward`). The result is complex.
///
/// ```python
/// >>> opwright.fft.fft(opwright.tensor([1.0, 2.0, 3.0, 4.0]))
/// tensor([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j], dtype=complex64, shape=(4,))
/// ```
#[native_op(
    "fft_fft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor",
    composite,
    python_module = "fft",
    out
)]
fn fft_fft(self_: &Tensor, n: Option<i64>, dim: i64, norm: Option<&str>) -> Result<Tensor> {
    forward_or_back(self_, n, dim, norm, Direction::Forward)
}

/// The inverse of `fft` with the same `n`, `dim` and `norm`.
///
/// ```python
/// >>> opwright.fft.ifft(opwright.tensor([10 + 0j, -2 + 2j, -2 + 0j, -2 - 2j]))
/// tensor([1.+0.j, 2.+0.j, 3.+0.j, 4.+0.j], dtype=complex64, shape=(4,))
/// ```
#[native_op(
    "fft_ifft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor",
    composite,
    python_module = "fft",
    out
)]
fn fft_ifft(self_: &Tensor, n: Option<i64>, dim: i64, norm: Option<&str>) -> Result<Tensor> {
    forward_or_back(self_, n, dim, norm, Direction::Inverse)
}

/// The first half of the Fourier transform of real numbers along `dim`, `n / 2 + 1`
/// elements; the other half mirrors it. Other arguments are as in `fft`.
///
/// ```python
/// >>> opwright.fft.rfft(opwright.tensor([1.0, 2.0, 3.0, 4.0]))
/// tensor([10.+0.j, -2.+2.j, -2.+0.j], dtype=complex64, shape=(3,))
/// ```
#[native_op(
    "fft_rfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor",
    composite,
    python_module = "fft",
    out
)]
fn fft_rfft(self_: &Tensor, n: Option<i64>, dim: i64, norm: Option<&str>) -> Result<Tensor> {
    from_real(self_, n, dim, norm, Direction::Forward)
}

/// The inverse of `rfft`: `n` real numbers from half of their spectrum. Without `n`
/// it is the even one of the two lengths that fit.
///
/// ```python
/// >>> opwright.fft.irfft(opwright.tensor([10 + 0j, -2 + 2j, -2 + 0j]))
/// tensor([1., 2., 3., 4.], dtype=float32, shape=(4,))
/// ```
#[native_op(
    "fft_irfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor",
    composite,
    python_module = "fft",
    out
)]
fn fft_irfft(self_: &Tensor, n: Option<i64>, dim: i64, norm: Option<&str>) -> Result<Tensor> {
    to_real(self_, n, dim, norm, Direction::Inverse)
}

/// The Fourier transform of `n` elements of which the input is the first half and
/// whose other half mirrors it, so that the result is real.
///
/// ```python
/// >>> opwright.fft.hfft(opwright.tensor([10 + 0j, -2 + 2j, -2 + 0j]))
/// tensor([ 4., 16., 12.,  8.], dtype=float32, shape=(4,))
/// ```
#[native_op(
    "fft_hfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor",
    composite,
    python_module = "fft",
    out
)]
fn fft_hfft(self_: &Tensor, n: Option<i64>, dim: i64, norm: Option<&str>) -> Result<Tensor> {
    to_real(&conjugated(self_)?, n, dim, norm, Direction::Forward)
}

/// The inverse of `hfft`: half of the spectrum of real numbers.
///
/// ```python
/// >>> opwright.fft.ihfft(opwright.tensor([1.0, 2.0, 3.0, 4.0]))
/// tensor([ 2.5-0.0j, -0.5-0.5j, -0.5-0.0j], dtype=complex64, shape=(3,))
/// ```
#[native_op(
    "fft_ihfft(Tensor self, SymInt? n=None, int dim=-1, str? norm=None) -> Tensor",
    composite,
    python_module = "fft",
    out
)]
fn fft_ihfft(self_: &Tensor, n: Option<i64>, dim: i64, norm: Option<&str>) -> Result<Tensor> {
    conjugated(&from_real(self_, n, dim, norm, Direction::Inverse)?)
}

/// Of complex numbers, or of real ones to all of their spectrum.
fn forward_or_back(
    input: &Tensor,
    n: Option<i64>,
    dim: i64,
    norm: Option<&str>,
    direction: Direction,
) -> Result<Tensor> {
    let mode = mode(norm, direction)?;
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
    norm: Option<&str>,
    direction: Direction,
) -> Result<Tensor> {
    let input = with_size(&real(input)?, dim, n)?;
    ops::_fft_r2c::Default_::call(&input, &[dim], mode(norm, direction)?, true)
}

/// Of half a spectrum to real numbers; the division is that of this direction.
fn to_real(
    input: &Tensor,
    n: Option<i64>,
    dim: i64,
    norm: Option<&str>,
    direction: Direction,
) -> Result<Tensor> {
    let n = match n {
        Some(n) => n,
        None => 2 * (input.size_of(dim)? - 1),
    };
    ensure!(n >= 1, Runtime, "Invalid number of data points ({n}) specified");
    let half = with_size(&complex(input)?, dim, Some(n / 2 + 1))?;
    ops::_fft_c2r::Default_::call(&half, &[dim], mode(norm, direction)?, n)
}

/// Half a spectrum is turned the other way by conjugation.
pub(super) fn conjugated(tensor: &Tensor) -> Result<Tensor> {
    if tensor.dtype().is_complex_number() {
        crate::kernels::linear::vector::conjugated(tensor)
    } else {
        Ok(tensor.clone())
    }
}
