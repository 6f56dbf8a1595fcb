//! The frequencies that the elements of a spectrum stand for.

use opwright_macros::native_op;
use opwright_runtime::geometry::DimSet;
use opwright_runtime::{
    DType, Device, Layout, MemoryFormat, Result, Tensor, default_dtype, ensure,
};

use crate::kernels::creation::options::Options;
use crate::ops;
use opwright_runtime::structured::deliver;

/// The frequencies of the elements of `fft` of `n` samples at distance `d`: from
/// zero up, and then the negative ones, in units of `1 / (n * d)`.
///
/// ```python
/// >>> opwright.fft.fftfreq(4)
/// tensor([ 0.00,  0.25, -0.50, -0.25], dtype=float32, shape=(4,))
/// ```
#[native_op(
    "fft_fftfreq(int n, float d=1.0, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    key = CPU | Meta,
    python_module = "fft"
)]
fn fft_fftfreq(
    n: i64,
    d: f64,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let options = Options::new(dtype, layout, device, pin_memory)?;
    frequencies(n, Spectrum::Whole, d, options)
}

#[native_op(
    "fft_fftfreq.out(int n, float d=1.0, *, Tensor(a!) out) -> Tensor(a!)",
    key = CPU | Meta,
    python_module = "fft"
)]
fn fft_fftfreq_out(n: i64, d: f64, out: &mut Tensor) -> Result<()> {
    deliver(&frequencies(n, Spectrum::Whole, d, like(out))?, out)
}

/// The frequencies of the elements of `rfft` of `n` samples at distance `d`: from
/// zero up, in units of `1 / (n * d)`.
///
/// ```python
/// >>> opwright.fft.rfftfreq(4)
/// tensor([0.00, 0.25, 0.50], dtype=float32, shape=(3,))
/// ```
#[native_op(
    "fft_rfftfreq(int n, float d=1.0, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
    key = CPU | Meta,
    python_module = "fft"
)]
fn fft_rfftfreq(
    n: i64,
    d: f64,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let options = Options::new(dtype, layout, device, pin_memory)?;
    frequencies(n, Spectrum::Half, d, options)
}

#[native_op(
    "fft_rfftfreq.out(int n, float d=1.0, *, Tensor(a!) out) -> Tensor(a!)",
    key = CPU | Meta,
    python_module = "fft"
)]
fn fft_rfftfreq_out(n: i64, d: f64, out: &mut Tensor) -> Result<()> {
    deliver(&frequencies(n, Spectrum::Half, d, like(out))?, out)
}

fn like(out: &Tensor) -> Options {
    Options { dtype: Some(out.dtype()), device: Some(out.device()) }
}

/// Which frequencies there are.
#[derive(Clone, Copy)]
enum Spectrum {
    /// Those from zero up, then the negative ones.
    Whole,
    /// Those from zero up.
    Half,
}

/// The frequencies of `n` samples.
fn frequencies(n: i64, spectrum: Spectrum, d: f64, options: Options) -> Result<Tensor> {
    let dtype = options.dtype.unwrap_or_else(default_dtype);
    ensure!(
        dtype.is_floating() || dtype.is_complex_number(),
        Runtime,
        "requires a floating point or complex dtype, but got {}",
        dtype.title()
    );
    ensure!(n >= 0, Runtime, "n must not be negative, but got {n}");
    let (count, turn) = match spectrum {
        Spectrum::Whole => (n, n / 2 + n % 2),
        Spectrum::Half => (n / 2 + 1, i64::MAX),
    };
    let mut result = options.allocate(&[count], dtype)?;
    if result.device().is_meta() {
        return Ok(result);
    }
    let step = 1.0 / (n as f64 * d);
    opwright_runtime::iterate::nullary_indexed(&mut result, |index| {
        let index = index as i64;
        (if index < turn { index } else { index - n }) as f64 * step
    })?;
    Ok(result)
}

/// The spectrum rolled along all dimensions, or those of `dim`, so that frequency
/// zero is in the middle.
///
/// ```python
/// >>> opwright.fft.fftshift(opwright.tensor([0, 1, -2, -1]))
/// tensor([-2, -1,  0,  1], dtype=int64, shape=(4,))
/// ```
#[native_op(
    "fft_fftshift(Tensor self, int[1]? dim=None) -> Tensor",
    composite,
    python_module = "fft"
)]
fn fft_fftshift(self_: &Tensor, dim: Option<&[i64]>) -> Result<Tensor> {
    rolled(self_, dim, |size| size / 2)
}

/// Undoes `fftshift`.
///
/// ```python
/// >>> opwright.fft.ifftshift(opwright.tensor([-2, -1, 0, 1]))
/// tensor([ 0,  1, -2, -1], dtype=int64, shape=(4,))
/// ```
#[native_op(
    "fft_ifftshift(Tensor self, int[1]? dim=None) -> Tensor",
    composite,
    python_module = "fft"
)]
fn fft_ifftshift(self_: &Tensor, dim: Option<&[i64]>) -> Result<Tensor> {
    rolled(self_, dim, |size| (size + 1) / 2)
}

fn rolled(input: &Tensor, dim: Option<&[i64]>, shift: impl Fn(i64) -> i64) -> Result<Tensor> {
    let ndim = input.ndim();
    let set = match dim {
        Some(dims) => DimSet::new(dims, ndim)?,
        None => DimSet::full(ndim)?,
    };
    let dims: Vec<i64> = (0..ndim).filter(|&it| set.contains(it)).map(|it| it as i64).collect();
    if dims.is_empty() {
        return ops::clone::Default_::call(input, Some(MemoryFormat::Contiguous));
    }
    let shifts: Vec<i64> = dims.iter().map(|&dim| shift(input.shape()[dim as usize])).collect();
    ops::roll::Default_::call(input, &shifts, &dims)
}
