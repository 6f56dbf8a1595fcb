//! Errors of compiling a library.

use std::fmt;

/// Why a source did not become a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CompileError {
    /// There is no compiler; says where it was looked for, and what helps.
    NoCompiler(String),
    /// What the compiler, the linker or the loader says, and all that was said.
    Failed {
        /// The first error, and whose text it is in.
        message: String,
        /// What was run and printed.
        log: String,
    },
}

impl CompileError {
    pub(super) fn failed(message: impl fmt::Display, log: impl Into<String>) -> CompileError {
        CompileError::Failed { message: message.to_string(), log: log.into() }
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileError::NoCompiler(message) | CompileError::Failed { message, .. } => {
                f.write_str(message)
            }
        }
    }
}

impl std::error::Error for CompileError {}
