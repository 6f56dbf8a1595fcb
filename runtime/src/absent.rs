//! Schema types that have no values here.
//!
//! Signatures mention them, so they need a name; nobody can make one, so a
//! kernel need not handle them.

/// A queue of work on a device; the CPU has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {}

/// The name of a dimension; dimensions have numbers only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimname {}
