//! What needs elements in order.

mod rank;
pub(crate) mod select;
pub(crate) mod sort;
