//! Copies in another dtype, or on another device.

use opwright_macros::gradient_helper;
use opwright_runtime::autograd::Metadata;
use opwright_runtime::{DType, Result, Tensor};

use super::binary::handle_r_to_c;
use crate::ops;

/// The tensor in another dtype, or the same tensor if it has that. Of complex numbers that become
/// real ones the imaginary parts are dropped.
#[gradient_helper]
pub(crate) fn to(tensor: &Tensor, dtype: DType) -> Result<Tensor> {
    if tensor.dtype() == dtype {
        return Ok(tensor.clone());
    }
    let tensor = handle_r_to_c(dtype, tensor)?;
    ops::_to_copy::Default_::call(&tensor, Some(dtype), None, None, None, false, None)
}

/// Floats wide enough for several steps of a calculation: 16 bits become 32.
pub(super) fn widened(tensor: &Tensor) -> Result<Tensor> {
    match tensor.dtype() {
        DType::Float16 | DType::BFloat16 => to(tensor, DType::Float32),
        _ => Ok(tensor.clone()),
    }
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
