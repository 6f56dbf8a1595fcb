//! Tensors from nothing: of zeros, of ones, of any number, of anything.

use opwright_macros::native_op;
use opwright_runtime::{
    DType, Device, Layout, MemoryFormat, Result, Scalar, Tensor, default_dtype, ensure, fail, view,
};

use super::filling::refill;
use super::options::TensorOptions;

#[native_op(zeros)]
fn zeros(
    size: &[i64],
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    let dtype = options.dtype.unwrap_or_else(default_dtype);
    Tensor::zeroed(size, dtype, options.device.unwrap_or_default())
}

#[native_op(ones)]
fn ones(
    size: &[i64],
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    options.fill(size, Scalar::Int(1), default_dtype())
}

#[native_op(full)]
fn full(
    size: &[i64],
    fill_value: Scalar,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    options.fill(size, fill_value, fill_value.dtype())
}

#[native_op(full.out)]
fn full_out(size: &[i64], fill_value: Scalar, out: &mut Tensor) -> Result<()> {
    refill(out, size, fill_value)
}

#[native_op(empty.memory_format)]
fn empty_memory_format(
    size: &[i64],
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
    memory_format: Option<MemoryFormat>,
) -> Result<Tensor> {
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    let dtype = options.dtype.unwrap_or_else(default_dtype);
    let format = memory_format.unwrap_or_default();
    Tensor::allocate_in_format(size, dtype, options.device.unwrap_or_default(), format)
}

#[native_op(empty.out)]
fn empty_out(size: &[i64], memory_format: Option<MemoryFormat>, out: &mut Tensor) -> Result<()> {
    match memory_format {
        None | Some(MemoryFormat::Contiguous) => out.set_shape(size),
        Some(_) => fail!(Runtime, "memory_format: an out tensor keeps its own memory"),
    }
}

#[native_op(empty_strided)]
pub(crate) fn empty_strided(
    size: &[i64],
    stride: &[i64],
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    ensure!(
        size.len() == stride.len(),
        Runtime,
        "dimensionality of sizes ({}) must match dimensionality of strides ({})",
        size.len(),
        stride.len()
    );
    ensure!(
        stride.iter().all(|&it| it >= 0),
        Runtime,
        "Negative strides are not supported at the moment, got strides: {stride:?}"
    );
    let Some(count) = elements_spanned(size, stride) else {
        fail!(Overflow, "sizes {size:?} with strides {stride:?} need more memory than there can be")
    };
    view::as_strided(&options.allocate(&[count], default_dtype())?, size, stride, 0)
}

/// How many elements of memory a tensor reaches over; none if that overflows.
fn elements_spanned(size: &[i64], stride: &[i64]) -> Option<i64> {
    if size.contains(&0) {
        return Some(0);
    }
    let mut last: i64 = 0;
    for (size, stride) in size.iter().zip(stride) {
        last = last.checked_add(size.checked_sub(1)?.checked_mul(*stride)?)?;
    }
    last.checked_add(1)
}

#[native_op(scalar_tensor)]
fn scalar_tensor(
    s: Scalar,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    options.fill(&[], s, default_dtype())
}
