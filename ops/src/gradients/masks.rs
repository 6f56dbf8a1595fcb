//! Gradients that are 0 in some places, whatever they would be there.

use opwright_runtime::{Result, Scalar, Tensor};

use crate::ops;

/// `value` where the condition holds, and 0 elsewhere.
pub(super) fn kept_where(value: &Tensor, condition: &Tensor) -> Result<Tensor> {
    ops::r#where::ScalarOther::call(condition, value, Scalar::Int(0))
}

/// 0 where the condition holds, and `value` elsewhere.
pub(super) fn zeroed_where(value: &Tensor, condition: &Tensor) -> Result<Tensor> {
    ops::r#where::ScalarSelf::call(condition, Scalar::Int(0), value)
}

/// The gradient of the input with this number, if somebody wants it.
pub(super) fn wanted(
    mask: &[bool],
    input: usize,
    gradient: impl FnOnce() -> Result<Tensor>,
) -> Result<Option<Tensor>> {
    if mask.get(input).copied().unwrap_or_default() { gradient().map(Some) } else { Ok(None) }
}
