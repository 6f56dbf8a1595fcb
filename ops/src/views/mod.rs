//! The same elements, seen otherwise: most share the memory of their argument.

pub(crate) mod complex;
pub(crate) mod dims;
pub(crate) mod expand;
pub(crate) mod parts;
pub(crate) mod ranks;
pub(crate) mod scatter;
pub(crate) mod set;
pub(crate) mod shape;
pub(crate) mod split;
pub(crate) mod view;
