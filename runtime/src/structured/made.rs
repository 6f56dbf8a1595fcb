//! What kernels make.

use crate::{Result, Tensor, view};

/// What a kernel made, by a schema that speaks of no view: none either if the kernel made it as a
/// part of, or in another shape than, a tensor of its own.
///
/// # Errors
///
/// `Memory` if there is not enough.
///
/// ```
/// use opwright_runtime::{Result, Tensor, structured, view};
///
/// fn kernel(x: &Tensor) -> Result<Tensor> {
///     view::unsqueeze(&x.copy()?, 0)
/// }
///
/// let x = Tensor::from_slice(&[2], &[1.0, 2.0])?;
/// assert!(kernel(&x)?.base().is_some());
/// assert!(structured::made(kernel(&x)?)?.base().is_none());
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[inline]
pub fn made(result: Tensor) -> Result<Tensor> {
    if result.base().is_none() { Ok(result) } else { view::apart(&result) }
}

/// The same of several.
///
/// # Errors
///
/// As [`made`].
#[inline]
pub fn made_all(results: Vec<Tensor>) -> Result<Vec<Tensor>> {
    if results.iter().all(|it| it.base().is_none()) {
        return Ok(results);
    }
    results.into_iter().map(made).collect()
}
