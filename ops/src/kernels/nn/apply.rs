//! Activations that have no `out` variant, from one kernel.

use opwright_runtime::structured::rule;
use opwright_runtime::{Result, Tensor};

/// Writes a function of each element of the first tensor to the second.
pub(super) type Kernel<'a> = &'a dyn Fn(&Tensor, &mut Tensor) -> Result<()>;

/// A fresh tensor of the same dtype with what the kernel writes.
pub(super) fn fresh(input: &Tensor, kernel: Kernel<'_>) -> Result<Tensor> {
    let mut out = rule::elementwise(&[input])?.allocate()?;
    if !input.device().is_meta() {
        kernel(input, &mut out)?;
    }
    Ok(out)
}

/// The same, in place.
pub(super) fn inplace(tensor: &mut Tensor, kernel: Kernel<'_>) -> Result<()> {
    if tensor.device().is_meta() {
        return Ok(());
    }
    let input = tensor.clone();
    kernel(&input, tensor)
}
