//! Why there is no block.

use std::fmt;
use std::sync::Arc;

use opwright_jit::cc::CompileError;

use crate::model::apply::Apply;
use crate::model::failure::Failure;

/// Why a run of nodes did not become a block.
pub enum Wrong {
    /// What a hook raised.
    Failure(Failure),
    /// A text that would not do what blocks rely on.
    Refused(String),
    /// A node whose Op writes no code, though it could have.
    NoCode(Arc<Apply>),
    /// What the compiler, the linker or the loader says.
    Compile(CompileError),
}

impl Wrong {
    pub(super) fn refused(text: impl fmt::Display) -> Wrong {
        Wrong::Refused(text.to_string())
    }
}

impl From<Failure> for Wrong {
    fn from(failure: Failure) -> Wrong {
        Wrong::Failure(failure)
    }
}

impl From<CompileError> for Wrong {
    fn from(error: CompileError) -> Wrong {
        Wrong::Compile(error)
    }
}
