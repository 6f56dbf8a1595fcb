//! The Python side.
