//! Random tensors in the likeness of another one.

use opwright_macros::native_op;
use opwright_runtime::{DType, Device, Layout, MemoryFormat, Result, Tensor, ensure};

use super::distributions;
use super::fill::random_inplace_from;
use crate::creation::options::{TensorOptions, like};

#[native_op(rand_like)]
fn rand_like(
    self_: &Tensor,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
    memory_format: Option<MemoryFormat>,
) -> Result<Tensor> {
    let mut out =
        like(self_, TensorOptions::new(dtype, layout, device, pin_memory)?, memory_format)?;
    distributions::uniform(&mut out, 0.0, 1.0, None)?;
    Ok(out)
}

#[native_op(randn_like)]
fn randn_like(
    self_: &Tensor,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
    memory_format: Option<MemoryFormat>,
) -> Result<Tensor> {
    let mut out =
        like(self_, TensorOptions::new(dtype, layout, device, pin_memory)?, memory_format)?;
    distributions::normal(&mut out, 0.0, 1.0, None)?;
    Ok(out)
}

#[native_op(randint_like.Tensor)]
fn randint_like_tensor(
    self_: &Tensor,
    high: &Tensor,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
    memory_format: Option<MemoryFormat>,
) -> Result<Tensor> {
    ensure!(
        high.numel() == 1 && high.device() == Device::Cpu,
        Runtime,
        "high must be a scalar tensor and on CPU"
    );
    let high = high.to_scalar()?.to_i64()?;
    randint_like_low_dtype(self_, 0, high, dtype, layout, device, pin_memory, memory_format)
}

#[native_op(randint_like.low_dtype)]
fn randint_like_low_dtype(
    self_: &Tensor,
    low: i64,
    high: i64,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
    memory_format: Option<MemoryFormat>,
) -> Result<Tensor> {
    let mut out =
        like(self_, TensorOptions::new(dtype, layout, device, pin_memory)?, memory_format)?;
    random_inplace_from(&mut out, low, Some(high), None)?;
    Ok(out)
}
