//! Lowering from a graph to a function: alias analysis, fusion, the debug mode.

pub(crate) mod alias;
pub(crate) mod compile;
pub(crate) mod debug;
pub(crate) mod fuse;
pub(crate) mod inputs;
pub(crate) mod spec;
