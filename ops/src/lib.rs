//! The opwright ops crate.
