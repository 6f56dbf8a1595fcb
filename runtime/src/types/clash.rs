//! Disjoint types, which have no value in common.

use std::fmt;

/// Why two types have no value in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash(String);

impl Clash {
    /// For this reason.
    pub fn new(reason: impl fmt::Display) -> Clash {
        Clash(reason.to_string())
    }
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Clash {}
