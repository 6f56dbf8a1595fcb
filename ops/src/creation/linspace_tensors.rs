//! `linspace` whose ends are tensors.

use opwright_macros::native_op;
use opwright_runtime::{DType, Device, Layout, Result, Scalar, Tensor, ensure};

use super::options::TensorOptions;
use super::ranges::{allocate_points, write_points};
use crate::ops;

#[native_op(linspace.Tensor_Tensor)]
fn linspace_tensor_tensor(
    start: &Tensor,
    end: &Tensor,
    steps: i64,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    check_end("linspace", "start", start)?;
    check_end("linspace", "end", end)?;
    let is_meta = start.device().is_meta() || end.device().is_meta();
    let device = device.or(is_meta.then_some(Device::Meta));
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    let mut out = allocate_points("linspace", options, start.dtype(), end.dtype(), steps)?;
    if !out.device().is_meta() {
        write_points(start.to_scalar()?, end.to_scalar()?, &mut out)?;
    }
    Ok(out)
}

#[native_op(linspace.Tensor_Scalar)]
fn linspace_tensor_scalar(
    start: &Tensor,
    end: Scalar,
    steps: i64,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let end = Tensor::wrapped_number(end)?;
    linspace_tensor_tensor(start, &end, steps, dtype, layout, device, pin_memory)
}

#[native_op(linspace.Scalar_Tensor)]
fn linspace_scalar_tensor(
    start: Scalar,
    end: &Tensor,
    steps: i64,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
) -> Result<Tensor> {
    let start = Tensor::wrapped_number(start)?;
    linspace_tensor_tensor(&start, end, steps, dtype, layout, device, pin_memory)
}

#[native_op(linspace.Tensor_Tensor_out)]
fn linspace_tensor_tensor_out(
    start: &Tensor,
    end: &Tensor,
    steps: i64,
    out: &mut Tensor,
) -> Result<()> {
    check_end("linspace", "start", start)?;
    check_end("linspace", "end", end)?;
    if out.device().is_meta() {
        // The numbers do not matter: a meta tensor has a shape only.
        return ops::linspace::out::call(Scalar::Int(0), Scalar::Int(1), steps, out);
    }
    ops::linspace::out::call(start.to_scalar()?, end.to_scalar()?, steps, out)
}

pub(super) fn check_end(function: &str, name: &str, end: &Tensor) -> Result<()> {
    ensure!(
        end.ndim() == 0,
        Runtime,
        "{function} only supports 0-dimensional start and end tensors, but got {name} with {} \
         dimension(s).",
        end.ndim()
    );
    Ok(())
}
