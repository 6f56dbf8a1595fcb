//! Sets of instructions, and functions that are compiled for several of them.

pub mod level;
mod multiversion;

pub use self::level::Level;
