//! Paths of functions.

/// A function's path below the crate's root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FnPath(pub Vec<String>);
