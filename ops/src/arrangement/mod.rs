//! The same elements in other places, and more often.

pub(crate) mod flip;
pub(crate) mod join;
pub(crate) mod repeat_interleave;
