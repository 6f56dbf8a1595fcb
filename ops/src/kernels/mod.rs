//! Kernels, a file for each family of operators.

mod analytic;
pub(crate) mod arithmetic;
mod calculate;
pub(crate) mod clamping;
pub(crate) mod clip;
mod deliver;
pub(crate) mod dims;
pub(crate) mod division;
pub(crate) mod expand;
pub(crate) mod exponentials;
pub(crate) mod extremes;
pub(crate) mod float_power;
pub(crate) mod indexing;
pub(crate) mod join;
mod map;
pub(crate) mod meshgrid;
pub(crate) mod parts;
pub(crate) mod powers;
pub(crate) mod repeat_interleave;
pub(crate) mod rounding;
pub(crate) mod shape;
mod shared;
pub(crate) mod signs;
pub(crate) mod split;
pub(crate) mod trigonometry;
pub(crate) mod turn;
pub(crate) mod view;
