//! Tensors of random numbers: evenly and normally distributed ones.

use opwright_macros::native_op;
use opwright_runtime::{DType, Device, Generator, Layout, Result, Tensor, default_dtype};

use super::distributions;
use crate::creation::options::TensorOptions;

#[native_op(rand.generator)]
fn rand_generator(
    size: &[i64],
    generator: Option<&Generator>,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    let mut out = options.allocate(size, default_dtype())?;
    distributions::uniform(&mut out, 0.0, 1.0, generator)?;
    Ok(out)
}

#[native_op(rand.generator_out)]
fn rand_generator_out(size: &[i64], generator: Option<&Generator>, out: &mut Tensor) -> Result<()> {
    out.set_shape(size)?;
    distributions::uniform(out, 0.0, 1.0, generator)
}

#[native_op(randn.generator)]
fn randn_generator(
    size: &[i64],
    generator: Option<&Generator>,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    let mut out = options.allocate(size, default_dtype())?;
    distributions::normal(&mut out, 0.0, 1.0, generator)?;
    Ok(out)
}

#[native_op(randn.generator_out)]
fn randn_generator_out(
    size: &[i64],
    generator: Option<&Generator>,
    out: &mut Tensor,
) -> Result<()> {
    out.set_shape(size)?;
    distributions::normal(out, 0.0, 1.0, generator)
}
