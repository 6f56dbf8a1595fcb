//! Random numbers whose parameters are tensors.

use opwright_macros::native_op;
use opwright_runtime::structured::rule;
use opwright_runtime::{DType, Device, Generator, Layout, Result, Tensor, default_dtype, ensure};

use super::distributions;
use crate::creation::options::TensorOptions;
use crate::ops;

#[native_op(normal.Tensor_Tensor)]
fn normal_tensor_tensor(
    mean: &Tensor,
    std: &Tensor,
    generator: Option<&Generator>,
) -> Result<Tensor> {
    let mut out = rule::elementwise(&[mean, std])?.with_dtype(mean.dtype()).allocate()?;
    scaled(mean, std, generator, &mut out)?;
    Ok(out)
}

#[native_op(normal.Tensor_Tensor_out)]
fn normal_tensor_tensor_out(
    mean: &Tensor,
    std: &Tensor,
    generator: Option<&Generator>,
    out: &mut Tensor,
) -> Result<()> {
    let shape = rule::elementwise(&[mean, std])?;
    out.set_shape(shape.shape())?;
    scaled(mean, std, generator, out)
}

#[native_op(normal.float_Tensor)]
fn normal_float_tensor(mean: f64, std: &Tensor, generator: Option<&Generator>) -> Result<Tensor> {
    let mut out = rule::elementwise(&[std])?.allocate()?;
    scaled(&Tensor::wrapped_number(mean.into())?, std, generator, &mut out)?;
    Ok(out)
}

#[native_op(normal.float_float)]
fn normal_float_float(
    mean: f64,
    std: f64,
    size: &[i64],
    generator: Option<&Generator>,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    let mut out = options.allocate(size, default_dtype())?;
    distributions::normal(&mut out, mean, std, generator)?;
    Ok(out)
}

#[native_op(normal.float_float_out)]
fn normal_float_float_out(
    mean: f64,
    std: f64,
    size: &[i64],
    generator: Option<&Generator>,
    out: &mut Tensor,
) -> Result<()> {
    out.set_shape(size)?;
    distributions::normal(out, mean, std, generator)
}

#[native_op(bernoulli)]
fn bernoulli(self_: &Tensor, generator: Option<&Generator>) -> Result<Tensor> {
    let mut out = rule::elementwise(&[self_])?.allocate()?;
    distributions::bernoulli_each(&mut out, self_, generator)?;
    Ok(out)
}

#[native_op(bernoulli.out)]
fn bernoulli_out(self_: &Tensor, generator: Option<&Generator>, out: &mut Tensor) -> Result<()> {
    let mut made = Tensor::allocate(self_.shape(), out.dtype(), out.device())?;
    distributions::bernoulli_each(&mut made, self_, generator)?;
    out.set_shape(self_.shape())?;
    if out.device().is_meta() { Ok(()) } else { out.copy_from(&made) }
}

#[native_op(bernoulli.p)]
fn bernoulli_p(self_: &Tensor, p: f64, generator: Option<&Generator>) -> Result<Tensor> {
    let mut out = rule::elementwise(&[self_])?.allocate()?;
    distributions::bernoulli(&mut out, p, generator)?;
    Ok(out)
}

/// `mean + std * z` with `z` of the standard normal distribution.
fn scaled(
    mean: &Tensor,
    std: &Tensor,
    generator: Option<&Generator>,
    out: &mut Tensor,
) -> Result<()> {
    ensure!(
        !std.dtype().is_complex_number(),
        Runtime,
        "normal expects standard deviation to be non-complex"
    );
    if out.device().is_meta() {
        return Ok(());
    }
    let least = ops::clamp_max::Default_::call(std, 0.into())?;
    let zeros = Tensor::zeroed(least.shape(), least.dtype(), least.device())?;
    ensure!(
        ops::equal::Default_::call(&least, &zeros)?,
        Runtime,
        "normal expects all elements of std >= 0.0"
    );
    let mut drawn = Tensor::allocate(out.shape(), out.dtype(), out.device())?;
    distributions::normal(&mut drawn, 0.0, 1.0, generator)?;
    drawn = ops::mul::Tensor::call(&drawn, std)?;
    ops::add::out::call(&drawn, mean, 1.into(), out)
}
