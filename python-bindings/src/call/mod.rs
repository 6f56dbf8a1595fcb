//! Calls of functions: the tables of a module, the shims that the interpreter calls, and what takes
//! a call over.

mod entry;
pub(crate) mod explain;
pub(crate) mod hooks;
pub(crate) mod overrides;
pub mod shim;
pub(crate) mod tables;
pub(crate) mod target;
