//! Sorting, selection, search and ranks.

mod compare;
mod keys;
#[cfg(target_arch = "x86_64")]
mod network;
mod packed;
#[cfg(target_arch = "x86_64")]
mod quick;
mod radix;
mod rank;
pub(crate) mod search;
pub(crate) mod select;
pub(crate) mod sort;
pub(crate) mod unique;
mod values;
