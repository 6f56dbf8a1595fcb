//! Why there is no block.

use std::fmt;
use std::sync::Arc;

use crate::apply::Apply;
use crate::failure::Failure;

/// Why a run of nodes did not become a block.
pub enum Wrong {
    /// What a hook raised.
    Failure(Failure),
    /// A text that would not do what blocks rely on.
    Refused(String),
    /// A node whose Op writes no code, though it could have.
    NoCode(Arc<Apply>),
    /// There is no compiler.
    NoCompiler(String),
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
