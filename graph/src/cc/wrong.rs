//! Why there is no block.

use std::fmt;

use crate::failure::Failure;

/// Why a run of nodes did not become a block.
#[derive(Debug)]
pub enum Wrong {
    /// What a hook raised.
    Failure(Failure),
    /// A text that would not do what blocks rely on.
    Refused(String),
    /// What the compiler or the linker says, and all that it said.
    Compile {
        /// The first error, and whose text it is in.
        message: String,
        /// What was run and printed.
        log: String,
    },
}

impl Wrong {
    pub(super) fn refused(text: impl fmt::Display) -> Wrong {
        Wrong::Refused(text.to_string())
    }

    pub(super) fn compile(message: impl fmt::Display, log: impl Into<String>) -> Wrong {
        Wrong::Compile { message: message.to_string(), log: log.into() }
    }
}

impl From<Failure> for Wrong {
    fn from(failure: Failure) -> Wrong {
        Wrong::Failure(failure)
    }
}
