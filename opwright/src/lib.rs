//! The opwright opwright crate.
