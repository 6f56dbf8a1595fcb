//! The frequencies that the elements of a spectrum stand for.

use opwright_macros::native_op;
use opwright_runtime::geometry::DimSet;
use opwright_runtime::{
    DType, Device, Layout, MemoryFormat, Result, Tensor, default_dtype, ensure,
};

use crate::creation::options::TensorOptions;
use crate::ops;
use opwright_runtime::structured::copy_to_out;

#[native_op(fft_fftfreq)]
fn fft_fftfreq(
    n: i64,
    d: f64,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    frequencies(n, Spectrum::Whole, d, options)
}

#[native_op(fft_fftfreq.out)]
fn fft_fftfreq_out(n: i64, d: f64, out: &mut Tensor) -> Result<()> {
    copy_to_out(&frequencies(n, Spectrum::Whole, d, like(out))?, out)
}

#[native_op(fft_rfftfreq)]
fn fft_rfftfreq(
    n: i64,
    d: f64,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    frequencies(n, Spectrum::Half, d, options)
}

#[native_op(fft_rfftfreq.out)]
fn fft_rfftfreq_out(n: i64, d: f64, out: &mut Tensor) -> Result<()> {
    copy_to_out(&frequencies(n, Spectrum::Half, d, like(out))?, out)
}

fn like(out: &Tensor) -> TensorOptions {
    TensorOptions { dtype: Some(out.dtype()), device: Some(out.device()) }
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
fn frequencies(n: i64, spectrum: Spectrum, d: f64, options: TensorOptions) -> Result<Tensor> {
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

#[native_op(fft_fftshift)]
fn fft_fftshift(self_: &Tensor, dim: Option<&[i64]>) -> Result<Tensor> {
    rolled(self_, dim, |size| size / 2)
}

#[native_op(fft_ifftshift)]
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
