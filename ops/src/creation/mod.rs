//! Tensors made of nothing but sizes and numbers, and filled.

pub(crate) mod diagonals;
pub(crate) mod factory;
pub(crate) mod filling;
pub(crate) mod like;
pub(crate) mod linspace_tensors;
pub(crate) mod logspace;
pub(crate) mod meshgrid;
pub(crate) mod named;
pub(crate) mod new;
pub(crate) mod options;
pub(crate) mod permuted;
pub(crate) mod ranges;
pub(crate) mod vander;
