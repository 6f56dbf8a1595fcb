//! The opwright runtime crate.
