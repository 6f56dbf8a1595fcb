//! Elementary and special functions of floating numbers, one by one and by registers, for each set of
//! instructions.
//!
//! It knows neither tensors nor operators: the runtime takes the sets of instructions from here, and
//! the operators their functions. A trait says what a function is for each type of number, and a
//! function of blocks of elements, which [`multiversion!`] compiles for each [`Level`], is what a
//! loop calls.

pub mod analytic;
pub mod blocks;
mod isa;
pub mod points;
pub mod roots;
pub mod scalar;
pub mod special;
pub mod vectorized;

pub use crate::isa::{Level, level};
