//! Operators made of a rule and a kernel.
//!
//! The rule says, from the arguments alone, what each result will look like: a
//! [`Spec`]. The kernel computes results into tensors that look like that.
//! Everything between the two is here: allocating, resizing `out=` arguments,
//! checking their dtype and device, and keeping outputs apart from inputs.

mod same_layout;
mod made;
pub mod rule;
mod spec;
mod staged;

pub use self::same_layout::SameLayout;
pub use self::made::{made, made_all};
pub use self::spec::{Access, Spec, common_device};
pub use self::staged::{Staged, copy, copy_to_out, each, number};

use crate::{ErrorKind, Result};

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
