//! Tensors in the likeness of another one.

use opwright_macros::native_op;
use opwright_runtime::{DType, Device, Layout, MemoryFormat, Result, Scalar, Tensor};

use super::filling::fill;
use super::options::{TensorOptions, like};

#[native_op(empty_like)]
fn empty_like(
    self_: &Tensor,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
    memory_format: Option<MemoryFormat>,
) -> Result<Tensor> {
    like(self_, TensorOptions::new(dtype, layout, device, pin_memory)?, memory_format)
}

#[native_op(zeros_like)]
fn zeros_like(
    self_: &Tensor,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
    memory_format: Option<MemoryFormat>,
) -> Result<Tensor> {
    let mut out =
        like(self_, TensorOptions::new(dtype, layout, device, pin_memory)?, memory_format)?;
    fill(&mut out, Scalar::Int(0))?;
    Ok(out)
}

#[native_op(ones_like)]
fn ones_like(
    self_: &Tensor,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
    memory_format: Option<MemoryFormat>,
) -> Result<Tensor> {
    let mut out =
        like(self_, TensorOptions::new(dtype, layout, device, pin_memory)?, memory_format)?;
    fill(&mut out, Scalar::Int(1))?;
    Ok(out)
}

#[native_op(full_like)]
fn full_like(
    self_: &Tensor,
    fill_value: Scalar,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
    memory_format: Option<MemoryFormat>,
) -> Result<Tensor> {
    let mut out =
        like(self_, TensorOptions::new(dtype, layout, device, pin_memory)?, memory_format)?;
    fill(&mut out, fill_value)?;
    Ok(out)
}
