//! Sorting, selection, search and ranks.

mod compare;
mod keys;
pub(crate) mod membership;
pub(crate) mod mode;
#[cfg(target_arch = "x86_64")]
mod network;
mod packed;
pub(crate) mod quantile;
#[cfg(target_arch = "x86_64")]
mod quick;
mod radix;
mod rank;
pub(crate) mod search;
pub(crate) mod select;
pub(crate) mod sort;
pub(crate) mod unique;
pub(crate) mod unique_sorted;
mod values;
