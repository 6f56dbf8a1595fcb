//! Powers whose exponents are at equal distances.

use num_complex::Complex;
use opwright_macros::native_op;
use opwright_runtime::{DType, Device, Layout, Result, Scalar, Tensor, iterate};

use super::linspace_tensors::check_end;
use super::options::TensorOptions;
use super::ranges::{allocate_points, check_steps, write_points};
use crate::ops;

#[native_op(logspace)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn logspace(
    start: Scalar,
    end: Scalar,
    steps: i64,
    base: f64,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    let mut out = allocate_points("logspace", options, start.dtype(), end.dtype(), steps)?;
    write_powers(start, end, base, &mut out)?;
    Ok(out)
}

#[native_op(logspace.out)]
fn logspace_out(start: Scalar, end: Scalar, steps: i64, base: f64, out: &mut Tensor) -> Result<()> {
    check_steps(steps)?;
    if out.numel() as i64 != steps {
        out.set_shape(&[steps])?;
    }
    write_powers(start, end, base, out)
}

#[native_op(logspace.Tensor_Tensor)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn logspace_tensor_tensor(
    start: &Tensor,
    end: &Tensor,
    steps: i64,
    base: f64,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    check_end("logspace", "start", start)?;
    check_end("logspace", "end", end)?;
    let is_meta = start.device().is_meta() || end.device().is_meta();
    let device = device.or(is_meta.then_some(Device::Meta));
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    let mut out = allocate_points("logspace", options, start.dtype(), end.dtype(), steps)?;
    if !out.device().is_meta() {
        write_powers(start.to_scalar()?, end.to_scalar()?, base, &mut out)?;
    }
    Ok(out)
}

#[native_op(logspace.Tensor_Scalar)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn logspace_tensor_scalar(
    start: &Tensor,
    end: Scalar,
    steps: i64,
    base: f64,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let end = Tensor::wrapped_number(end)?;
    logspace_tensor_tensor(start, &end, steps, base, dtype, layout, device, pin_memory)
}

#[native_op(logspace.Scalar_Tensor)]
#[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
fn logspace_scalar_tensor(
    start: Scalar,
    end: &Tensor,
    steps: i64,
    base: f64,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let start = Tensor::wrapped_number(start)?;
    logspace_tensor_tensor(&start, end, steps, base, dtype, layout, device, pin_memory)
}

#[native_op(logspace.Tensor_Tensor_out)]
fn logspace_tensor_tensor_out(
    start: &Tensor,
    end: &Tensor,
    steps: i64,
    base: f64,
    out: &mut Tensor,
) -> Result<()> {
    check_end("logspace", "start", start)?;
    check_end("logspace", "end", end)?;
    if out.device().is_meta() {
        // The numbers do not matter: a meta tensor has a shape only.
        return ops::logspace::out::call(Scalar::Int(0), Scalar::Int(1), steps, base, out);
    }
    ops::logspace::out::call(start.to_scalar()?, end.to_scalar()?, steps, base, out)
}

/// Writes powers of the base with exponents from one end to another.
fn write_powers(start: Scalar, end: Scalar, base: f64, out: &mut Tensor) -> Result<()> {
    if out.device().is_meta() {
        return Ok(());
    }
    if out.dtype().is_integral() {
        return write_whole_powers(start.to_f64()?, end.to_f64()?, base, out);
    }
    let is_complex = out.dtype().is_complex_number();
    let wide = if is_complex { DType::Complex128 } else { DType::Float64 };
    let mut exponents = Tensor::allocate(out.shape(), wide, out.device())?;
    write_points(start, end, &mut exponents)?;
    if is_complex {
        return iterate::unary(&exponents, out, |it: Complex<f64>| {
            Complex::new(base, 0.0).powc(it)
        });
    }
    iterate::unary(&exponents, out, |it: f64| base.powf(it))
}

/// The same of integers: the first and the last exponent are integers, too.
fn write_whole_powers(start: f64, end: f64, base: f64, out: &mut Tensor) -> Result<()> {
    let count = out.numel();
    if count == 1 {
        return iterate::nullary_indexed(out, |_| base.powf(start));
    }
    let (start, end) = (start.trunc(), end.trunc());
    let step = (end - start) / (count as f64 - 1.0);
    iterate::nullary_indexed(out, |at| {
        let exponent = match at < count / 2 {
            true => start + step * at as f64,
            false => end - step * (count - at - 1) as f64,
        };
        base.powf(exponent)
    })
}
