//! The opwright codegen crate.
