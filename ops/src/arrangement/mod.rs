//! The same elements in other places, and more often.

pub(crate) mod diagonals;
pub(crate) mod flip;
pub(crate) mod join;
pub(crate) mod products;
pub(crate) mod repeat_interleave;
