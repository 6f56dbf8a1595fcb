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
    /// What the host's own code raised.
    Host(Box<dyn Any + Send>),
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
            Failure::Host(_) => f.write_str("an exception of the host"),
        }
    }
}
