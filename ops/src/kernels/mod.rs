//! Kernels, a file for each family of operators.

mod analytic;
pub(crate) mod arithmetic;
mod calculate;
pub(crate) mod clamping;
pub(crate) mod clip;
pub(crate) mod division;
pub(crate) mod exponentials;
pub(crate) mod extremes;
pub(crate) mod float_power;
mod map;
pub(crate) mod powers;
pub(crate) mod rounding;
pub(crate) mod signs;
pub(crate) mod trigonometry;
