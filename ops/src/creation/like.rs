//! Tensors in the likeness of another one.

use opwright_macros::native_op;
use opwright_runtime::structured::rule;
use opwright_runtime::{DType, Device, Layout, MemoryFormat, Result, Scalar, Tensor};

use super::filling::fill;
use super::options::Options;

#[native_op(empty_like)]
fn empty_like(
    self_: &Tensor,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
    memory_format: Option<MemoryFormat>,
) -> Result<Tensor> {
    like(self_, Options::new(dtype, layout, device, pin_memory)?, memory_format)
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
    let mut out = like(self_, Options::new(dtype, layout, device, pin_memory)?, memory_format)?;
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
    let mut out = like(self_, Options::new(dtype, layout, device, pin_memory)?, memory_format)?;
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
    let mut out = like(self_, Options::new(dtype, layout, device, pin_memory)?, memory_format)?;
    fill(&mut out, fill_value)?;
    Ok(out)
}

/// A tensor of the shape of another; dtype, device and order in memory are the
/// other's, too, unless said otherwise.
pub(crate) fn like(
    self_: &Tensor,
    options: Options,
    memory_format: Option<MemoryFormat>,
) -> Result<Tensor> {
    let dtype = options.dtype.unwrap_or(self_.dtype());
    let device = options.device.unwrap_or(self_.device());
    let format = memory_format.unwrap_or(MemoryFormat::Preserve);
    if format != MemoryFormat::Preserve {
        return Tensor::allocate_in_format(self_.shape(), dtype, device, format);
    }
    if self_.is_contiguous() || device != self_.device() {
        return Tensor::allocate(self_.shape(), dtype, device);
    }
    rule::elementwise(&[self_])?.with_dtype(dtype).allocate()
}
