//! Writing to all elements, and copying.

use opwright_macros::{gradient_helper, native_op};
use opwright_runtime::autograd::Metadata;
use opwright_runtime::{
    DType, Device, Layout, MemoryFormat, Result, Scalar, Tensor, ensure, warning,
};

use super::options::{TensorOptions, like};
use crate::gradient::to;
use crate::ops;

/// Gives an `out=` argument a shape and fills it with one number.
pub(crate) fn refill(out: &mut Tensor, size: &[i64], value: Scalar) -> Result<()> {
    value.check_held(out.dtype())?;
    out.set_shape(size)?;
    fill(out, value)
}

/// Writes one number to all elements, of which a meta tensor has none.
#[native_op(fill_.Scalar)]
pub(crate) fn fill(self_: &mut Tensor, value: Scalar) -> Result<()> {
    if self_.device().is_meta() { Ok(()) } else { self_.fill(value) }
}

#[native_op(fill_.Tensor)]
fn fill_inplace_tensor(self_: &mut Tensor, value: &Tensor) -> Result<()> {
    ensure!(
        value.ndim() == 0,
        Runtime,
        "fill_ only supports 0-dimension value tensor but got tensor with {} dimensions.",
        value.ndim()
    );
    copy_cast(self_, value)
}

#[native_op(fill.Scalar)]
fn fill_scalar(self_: &Tensor, value: Scalar) -> Result<Tensor> {
    let mut out = empty_like(self_)?;
    fill(&mut out, value)?;
    Ok(out)
}

#[native_op(fill.Tensor)]
fn fill_tensor(self_: &Tensor, value: &Tensor) -> Result<Tensor> {
    let mut out = empty_like(self_)?;
    fill_inplace_tensor(&mut out, value)?;
    Ok(out)
}

/// Copies for a caller who sees the dtypes, and warns where that loses something.
fn copy_cast(out: &mut Tensor, source: &Tensor) -> Result<()> {
    if !out.device().is_meta() {
        warning::check_cast(source.dtype(), out.dtype());
    }
    out.copy_from(source)
}

#[native_op(copy_)]
fn copy_(self_: &mut Tensor, src: &Tensor, _non_blocking: bool) -> Result<()> {
    if src.is_wrapped_number() {
        src.to_scalar()?.check_held(self_.dtype())?;
    }
    copy_cast(self_, src)
}

#[native_op(copy)]
fn copy(self_: &Tensor, src: &Tensor, _non_blocking: bool) -> Result<Tensor> {
    let mut out = empty_like(self_)?;
    copy_cast(&mut out, src)?;
    Ok(out)
}

#[native_op(clone)]
fn clone(self_: &Tensor, memory_format: Option<MemoryFormat>) -> Result<Tensor> {
    let mut out = like(self_, TensorOptions { dtype: None, device: None }, memory_format)?;
    out.copy_from(self_)?;
    Ok(out)
}

#[native_op(contiguous)]
fn contiguous(self_: &Tensor, memory_format: MemoryFormat) -> Result<Tensor> {
    ensure!(
        memory_format != MemoryFormat::Preserve,
        Runtime,
        "argument 'memory_format' must be an order of elements, but is preserve_format, in which \
         every tensor is"
    );
    if self_.is_in_format(memory_format) {
        return Ok(self_.clone());
    }
    ops::clone::Default_::call(self_, Some(memory_format))
}

#[native_op(_to_copy)]
fn to_copy(
    self_: &Tensor,
    dtype: Option<DType>,
    layout: Option<Layout>,
    device: Option<Device>,
    pin_memory: Option<bool>,
    _non_blocking: bool,
    memory_format: Option<MemoryFormat>,
) -> Result<Tensor> {
    let options = TensorOptions::new(dtype, layout, device, pin_memory)?;
    let moved = self_.to_device(options.device.unwrap_or(self_.device()))?;
    let mut out = like(&moved, options, memory_format)?;
    copy_cast(&mut out, &moved)?;
    Ok(out)
}

#[native_op(_local_scalar_dense)]
fn local_scalar_dense(self_: &Tensor) -> Result<Scalar> {
    self_.to_scalar()
}

/// A tensor that looks like another, in its order in memory, whose elements are not set.
pub(crate) fn empty_like(self_: &Tensor) -> Result<Tensor> {
    like(self_, TensorOptions { dtype: None, device: None }, None)
}

/// Of a copy: `grad` in the dtype of the original, and on its device.
#[gradient_helper]
pub(crate) fn to_copy_backward(grad: &Tensor, original: &Metadata) -> Result<Tensor> {
    let grad = to(grad, original.dtype)?;
    if grad.device() == original.device {
        return Ok(grad);
    }
    let device = Some(original.device);
    ops::_to_copy::Default_::call(&grad, None, None, device, None, false, None)
}
