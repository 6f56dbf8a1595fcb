//! From a fresh result to an `out=` tensor.

use opwright_runtime::{Result, Spec, Tensor};

/// Brings a result, whose shape could not be known before it was there, to the
/// tensor that the caller passed for it.
///
/// # Errors
///
/// `Runtime` if dtype or device of `out` do not fit, or if it reaches an element
/// twice.
pub(crate) fn deliver(result: &Tensor, out: &mut Tensor) -> Result<()> {
    let spec = Spec::new(result.shape(), result.dtype(), result.device());
    if result.device().is_meta() {
        return spec.target_meta(out, &[]);
    }
    let mut target = spec.target(out, &[])?;
    target.tensor().copy_from(result)?;
    target.finish(out)
}
