//! Graph errors: why a graph was not built, or a function not run.

use std::any::Any;
use std::fmt;

use opwright_runtime::Error;
use opwright_runtime::types::{Clash, Refusal};

/// Why a graph was not built, or a function not run.
pub enum GraphError {
    /// What an operator reports.
    Op(Error),
    /// A value that a type refuses, with the reason.
    Refused(Refusal),
    /// Types that have no value in common.
    Clash(Clash),
    /// A value of another shape than was said.
    Mismatch(String),
    /// What the debug mode found.
    Violation(Violation, String),
    /// What the host's own code raised.
    Host(Box<dyn Any + Send>),
    /// What a kernel unwound with: a panic, or what it was interrupted by.
    Unwound(Box<dyn Any + Send>),
}

/// What the debug mode finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// A value that its type does not have.
    Type,
    /// Memory that is shared without saying so.
    View,
    /// An input that was written to without saying so.
    Write,
    /// Results that differ between calls, or between forms of an operator.
    Result,
    /// Results that a rewrite changed.
    Rewrite,
    /// What was entered and not left, or borrowed and not given back.
    Cleanup,
}

impl Violation {
    /// The name of its exception.
    pub const fn name(self) -> &'static str {
        match self {
            Violation::Type => "BadType",
            Violation::View => "BadView",
            Violation::Write => "BadWrite",
            Violation::Result => "BadResult",
            Violation::Rewrite => "BadRewrite",
            Violation::Cleanup => "BadCleanup",
        }
    }
}

impl From<Error> for GraphError {
    fn from(error: Error) -> GraphError {
        GraphError::Op(error)
    }
}

impl From<Refusal> for GraphError {
    fn from(refusal: Refusal) -> GraphError {
        GraphError::Refused(refusal)
    }
}

impl From<Clash> for GraphError {
    fn from(clash: Clash) -> GraphError {
        GraphError::Clash(clash)
    }
}

impl fmt::Debug for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GraphError::Op(error) => error.fmt(f),
            GraphError::Refused(refusal) => refusal.fmt(f),
            GraphError::Clash(clash) => clash.fmt(f),
            GraphError::Mismatch(text) => f.write_str(text),
            GraphError::Violation(bad, text) => write!(f, "{}: {text}", bad.name()),
            GraphError::Host(_) => f.write_str("an exception of the host"),
            GraphError::Unwound(_) => f.write_str("a panic"),
        }
    }
}
