//! Structured kernels: operators made of a shape-and-dtype rule and a kernel.
//!
//! The rule says, from the arguments alone, what each result will look like: a
//! [`Spec`]. The kernel computes results into tensors that look like that.
//! Everything between the two is here: allocating, resizing `out=` arguments,
//! checking their dtype and device, and keeping outputs apart from inputs.

pub mod rule;
mod same_layout;
pub(crate) mod spec;
mod staged;

pub use self::same_layout::SameLayout;
pub use self::spec::{Access, Spec, common_device};
pub use self::staged::{Staged, copy, copy_to_out, each, number};

use crate::{ErrorKind, Result, Tensor, view};

/// What the first of several kernels gives, or the next one if the first has
/// nothing for the dtype at hand.
///
/// # Errors
///
/// That of the kernel that was asked last.
#[inline]
pub fn or_next<T>(first: Result<T>, next: impl FnOnce() -> Result<T>) -> Result<T> {
    match first {
        Err(error) if error.kind() == ErrorKind::NotImplemented => next(),
        result => result,
    }
}

/// The result of a kernel whose schema returns no view, as a tensor of its own: a kernel may have
/// computed it as a view of a tensor that it allocated.
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
/// assert!(structured::materialized(kernel(&x)?)?.base().is_none());
/// # Ok::<(), opwright_runtime::Error>(())
/// ```
#[inline]
pub fn materialized(result: Tensor) -> Result<Tensor> {
    if result.base().is_none() { Ok(result) } else { view::apart(&result) }
}

/// The same of several.
///
/// # Errors
///
/// As [`materialized`].
#[inline]
pub fn materialized_all(results: Vec<Tensor>) -> Result<Vec<Tensor>> {
    if results.iter().all(|it| it.base().is_none()) {
        return Ok(results);
    }
    results.into_iter().map(materialized).collect()
}
