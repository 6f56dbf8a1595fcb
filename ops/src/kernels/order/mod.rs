//! What needs elements in order.

mod radix;
mod rank;
pub(crate) mod search;
pub(crate) mod select;
pub(crate) mod sort;
pub(crate) mod unique;
