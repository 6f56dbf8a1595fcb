//! Tensors that take dtype and device from another one, but not its shape.

use opwright_macros::native_op;
use opwright_runtime::{DType, Device, Layout, Result, Scalar, Tensor};

use super::factory;
use super::options::TensorOptions;

#[native_op(new_empty)]
fn new_empty(
    self_: &Tensor,
    size: &[i64],
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    beside(self_, dtype, layout, device, pin_memory)?.allocate(size, self_.dtype())
}

#[native_op(new_empty_strided)]
fn new_empty_strided(
    self_: &Tensor,
    size: &[i64],
    stride: &[i64],
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let (dtype, device) = (dtype.or(Some(self_.dtype())), device.or(Some(self_.device())));
    factory::empty_strided(size, stride, dtype, layout, device, pin_memory)
}

#[native_op(new_zeros)]
fn new_zeros(
    self_: &Tensor,
    size: &[i64],
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    beside(self_, dtype, layout, device, pin_memory)?.fill(size, Scalar::Int(0), self_.dtype())
}

#[native_op(new_ones)]
fn new_ones(
    self_: &Tensor,
    size: &[i64],
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    beside(self_, dtype, layout, device, pin_memory)?.fill(size, Scalar::Int(1), self_.dtype())
}

#[native_op(new_full)]
fn new_full(
    self_: &Tensor,
    size: &[i64],
    fill_value: Scalar,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    beside(self_, dtype, layout, device, pin_memory)?.fill(size, fill_value, self_.dtype())
}

/// The options, with the device of `self` for those who did not say.
fn beside(
    self_: &Tensor,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<TensorOptions> {
    TensorOptions::new(dtype, layout, device.or(Some(self_.device())), pin_memory)
}
