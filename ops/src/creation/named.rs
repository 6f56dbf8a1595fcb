//! Tensors with names for their dimensions, as far as dimensions have names
//! here: none may be given, which `names=None` says.

use opwright_macros::native_op;
use opwright_runtime::{
    DType, Device, Dimname, Generator, Layout, MemoryFormat, Result, Scalar, Tensor, ensure,
};

/// A list of names is empty, because there is no name to put into it; it fits
/// a tensor without dimensions only.
fn unnamed(names: Option<&[Dimname]>, size: &[i64]) -> Result<()> {
    ensure!(
        names.is_none_or(|it| it.len() == size.len()),
        Runtime,
        "dimensions have no names here; leave 'names' out, or pass None"
    );
    Ok(())
}

#[native_op(empty.names)]
fn empty_names(
    size: &[i64],
    names: Option<&[Dimname]>,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
    memory_format: Option<MemoryFormat>,
) -> Result<Tensor> {
    unnamed(names, size)?;
    crate::empty::memory_format::call(size, dtype, layout, device, pin_memory, memory_format)
}

#[native_op(full.names)]
fn full_names(
    size: &[i64],
    fill_value: Scalar,
    names: Option<&[Dimname]>,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    unnamed(names, size)?;
    crate::full::Default_::call(size, fill_value, dtype, layout, device, pin_memory)
}

#[native_op(ones.names)]
fn ones_names(
    size: &[i64],
    names: Option<&[Dimname]>,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    unnamed(names, size)?;
    crate::ones::Default_::call(size, dtype, layout, device, pin_memory)
}

#[native_op(rand.names)]
fn rand_names(
    size: &[i64],
    names: Option<&[Dimname]>,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    unnamed(names, size)?;
    crate::rand::Default_::call(size, dtype, layout, device, pin_memory)
}

#[native_op(rand.generator_with_names)]
fn rand_generator_with_names(
    size: &[i64],
    generator: Option<&Generator>,
    names: Option<&[Dimname]>,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    unnamed(names, size)?;
    crate::rand::generator::call(size, generator, dtype, layout, device, pin_memory)
}

#[native_op(randn.names)]
fn randn_names(
    size: &[i64],
    names: Option<&[Dimname]>,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    unnamed(names, size)?;
    crate::randn::Default_::call(size, dtype, layout, device, pin_memory)
}

#[native_op(randn.generator_with_names)]
fn randn_generator_with_names(
    size: &[i64],
    generator: Option<&Generator>,
    names: Option<&[Dimname]>,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    unnamed(names, size)?;
    crate::randn::generator::call(size, generator, dtype, layout, device, pin_memory)
}

#[native_op(zeros.names)]
fn zeros_names(
    size: &[i64],
    names: Option<&[Dimname]>,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    unnamed(names, size)?;
    crate::zeros::Default_::call(size, dtype, layout, device, pin_memory)
}
