//! Shape-and-dtype rules that need nothing but the tensor arguments, by name.
//!
//! `structured: <name>` in an operator's entry refers to them.

use super::Spec;
use crate::{DType, Result, Tensor};

/// What element-wise rules make of the dtype that the inputs are promoted to.
pub mod of_dtype {
    use crate::DType;

    /// Itself.
    #[inline]
    pub fn elementwise(dtype: DType) -> DType {
        dtype
    }

    /// The default dtype in place of integers and `bool`.
    #[inline]
    pub fn elementwise_float(dtype: DType) -> DType {
        dtype.to_floating()
    }

    /// `bool`.
    #[inline]
    pub fn elementwise_bool(_: DType) -> DType {
        DType::Bool
    }

    /// That of the parts in place of complex numbers.
    #[inline]
    pub fn elementwise_real(dtype: DType) -> DType {
        dtype.to_real()
    }
}

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
    promoted(inputs, of_dtype::elementwise_float)
}

/// The same, but the result is `bool`.
///
/// # Errors
///
/// As [`elementwise`].
#[inline]
pub fn elementwise_bool(inputs: &[&Tensor]) -> Result<Spec> {
    promoted(inputs, of_dtype::elementwise_bool)
}

/// The same, but complex inputs give the dtype of their parts.
///
/// # Errors
///
/// As [`elementwise`].
#[inline]
pub fn elementwise_real(inputs: &[&Tensor]) -> Result<Spec> {
    promoted(inputs, of_dtype::elementwise_real)
}

#[inline]
fn promoted(inputs: &[&Tensor], dtype: fn(DType) -> DType) -> Result<Spec> {
    let spec = Spec::elementwise(inputs)?;
    let dtype = dtype(spec.dtype());
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
    Ok(Spec::like(inputs[0]).on(device))
}
