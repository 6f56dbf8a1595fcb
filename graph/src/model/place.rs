//! Where in a program something was made.

use std::fmt;
use std::sync::Arc;

/// A line of the user's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The file.
    pub file: Arc<str>,
    /// The line, counted from 1.
    pub line: u32,
    /// The function that it is in.
    pub function: Arc<str>,
}

/// `train.py:17 in loss`.
impl fmt::Display for CallSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{} in {}", self.file, self.line, self.function)
    }
}
