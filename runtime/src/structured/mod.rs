//! Operators made of a rule and a kernel.
//!
//! The rule says, from the arguments alone, what each result will look like: a
//! [`Spec`]. The kernel computes results into tensors that look like that.
//! Everything between the two is here: allocating, resizing `out=` arguments,
//! checking their dtype and device, and keeping outputs apart from inputs.

pub mod rule;
mod spec;
mod target;

pub use self::spec::{Access, Spec, common_device};
pub use self::target::{Target, copy};
