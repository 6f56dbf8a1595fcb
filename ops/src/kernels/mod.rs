//! Kernels, a folder for each family of operators.

#![allow(clippy::too_many_arguments, reason = "as many as the schemas say")]

pub(crate) mod arrangement;
pub(crate) mod creation;
pub(crate) mod dtype_queries;
pub(crate) mod elementwise;
pub(crate) mod fourier;
pub(crate) mod indexing;
pub(crate) mod linalg;
pub(crate) mod linear;
pub(crate) mod nn;
pub(crate) mod optim;
pub(crate) mod order;
pub(crate) mod random;
pub(crate) mod reduction;
pub(crate) mod views;
