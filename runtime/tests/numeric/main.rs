//! The tensor library against naive loops and upstream's tables.

mod along_dim;
mod dual;
mod loops;
mod memory;
mod overlap;
mod promotion;
mod reductions;
mod sample;
mod structured;
mod views;
