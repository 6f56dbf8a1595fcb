//! Random numbers.

mod continuous;
mod discrete;
pub(crate) mod distributions;
pub(crate) mod fill;
pub(crate) mod integers;
pub(crate) mod like;
pub(crate) mod numbers;
pub(crate) mod parameters;
pub(crate) mod transformed;
