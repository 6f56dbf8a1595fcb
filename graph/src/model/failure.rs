//! Why a graph was not built, or a function not run.

use std::any::Any;
use std::fmt;

use opwright_runtime::Error;
use opwright_runtime::types::{Clash, Refusal};

/// Why a graph was not built, or a function not run.
pub enum Failure {
    /// What an operator reports.
    Op(Error),
    /// A value that a type refuses, with the reason.
    Refused(Refusal),
    /// Types that have no value in common.
    Clash(Clash),
    /// A value of another shape than was said.
    Mismatch(String),
    /// What the debug mode found.
    Bad(Bad, String),
    /// What the host's own code raised.
    Host(Box<dyn Any + Send>),
    /// What a kernel unwound with: a panic, or what it was interrupted by.
    Unwound(Box<dyn Any + Send>),
}

/// What the debug mode finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bad {
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

impl Bad {
    /// The name of its exception.
    pub const fn name(self) -> &'static str {
        match self {
            Bad::Type => "BadType",
            Bad::View => "BadView",
            Bad::Write => "BadWrite",
            Bad::Result => "BadResult",
            Bad::Rewrite => "BadRewrite",
            Bad::Cleanup => "BadCleanup",
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Op(error)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        Failure::Refused(refusal)
    }
}

impl From<Clash> for Failure {
    fn from(clash: Clash) -> Failure {
        Failure::Clash(clash)
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Op(error) => error.fmt(f),
            Failure::Refused(refusal) => refusal.fmt(f),
            Failure::Clash(clash) => clash.fmt(f),
            Failure::Mismatch(text) => f.write_str(text),
            Failure::Bad(bad, text) => write!(f, "{}: {text}", bad.name()),
            Failure::Host(_) => f.write_str("an exception of the host"),
            Failure::Unwound(_) => f.write_str("a panic"),
        }
    }
}
