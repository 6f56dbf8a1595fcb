//! From a graph to a function: alias analysis, fusion, and what the debug mode compares.

pub(crate) mod alias;
pub(crate) mod compile;
pub(crate) mod debug;
pub(crate) mod fuse;
pub(crate) mod inputs;
pub(crate) mod spec;
