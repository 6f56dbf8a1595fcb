//! Arithmetic of two tensors, and what real ones get of complex gradients.

use opwright_macros::gradient_helper;
use opwright_runtime::{DType, Result, Scalar, Tensor};

use crate::ops;

/// The gradient of something real does not have the imaginary part of a complex one.
#[gradient_helper]
pub(crate) fn handle_r_to_c(dtype: DType, grad: &Tensor) -> Result<Tensor> {
    if dtype.is_complex_number() || !grad.dtype().is_complex_number() {
        return Ok(grad.clone());
    }
    ops::real::Default_::call(grad)
}

/// `grad * factor`, or the same tensor if the factor is 1.
#[gradient_helper]
pub(crate) fn maybe_multiply(grad: &Tensor, factor: Scalar) -> Result<Tensor> {
    if factor.is_one() { Ok(grad.clone()) } else { ops::mul::Scalar::call(grad, factor) }
}

/// Of `self * other`: `grad * conj(other)`, as what it is the gradient of has it.
#[gradient_helper]
pub(crate) fn mul_tensor_backward(grad: &Tensor, other: &Tensor, dtype: DType) -> Result<Tensor> {
    let product = ops::mul::Tensor::call(grad, &ops::conj::Default_::call(other)?)?;
    handle_r_to_c(dtype, &product)
}

/// Of the real part of a complex number: the gradient without imaginary part; of a real number: the
/// gradient itself.
#[gradient_helper]
pub(crate) fn real_backward(grad: &Tensor, dtype: DType) -> Result<Tensor> {
    if !dtype.is_complex_number() {
        return Ok(grad.clone());
    }
    let nothing = ops::zeros_like::Default_::call(grad, None, None, None, None, None)?;
    ops::complex::Default_::call(grad, &nothing)
}
