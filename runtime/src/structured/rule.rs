//! Rules that need nothing but the tensor arguments, by name.
//!
//! `structured: <name>` in an operator's entry refers to them.

use super::Spec;
use crate::{DType, Result, Tensor};

/// Shapes are stretched, dtypes promoted.
///
/// # Errors
///
/// `Runtime` if shapes or devices do not go together.
#[inline]
pub fn elementwise(inputs: &[&Tensor]) -> Result<Spec> {
    Spec::elementwise(inputs)
}

/// The same, but integers and `bool` give the default dtype.
///
/// # Errors
///
/// As [`elementwise`].
#[inline]
pub fn elementwise_float(inputs: &[&Tensor]) -> Result<Spec> {
    let spec = Spec::elementwise(inputs)?;
    let dtype = spec.dtype().to_floating();
    Ok(spec.with_dtype(dtype))
}

/// The same, but the result is `bool`.
///
/// # Errors
///
/// As [`elementwise`].
#[inline]
pub fn elementwise_bool(inputs: &[&Tensor]) -> Result<Spec> {
    Ok(Spec::elementwise(inputs)?.with_dtype(DType::Bool))
}

/// The same, but complex inputs give the dtype of their parts.
///
/// # Errors
///
/// As [`elementwise`].
#[inline]
pub fn elementwise_real(inputs: &[&Tensor]) -> Result<Spec> {
    let spec = Spec::elementwise(inputs)?;
    let dtype = spec.dtype().to_real();
    Ok(spec.with_dtype(dtype))
}

/// The result looks like the first input; the kernel has free access.
///
/// # Errors
///
/// `Value` if there is no input, `Runtime` if devices do not go together.
#[inline]
pub fn like_first(inputs: &[&Tensor]) -> Result<Spec> {
    crate::ensure!(!inputs.is_empty(), Value, "expected at least one operand");
    let device = super::common_device(inputs)?;
    Ok(Spec::new(inputs[0].shape(), inputs[0].dtype(), device))
}
