//! Tests that look at more than one crate stand in `main.rs`.
