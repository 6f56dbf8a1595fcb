//! Back ends by name, and their refusals.

use std::fmt;

use crate::ir::Program;

/// Which back end runs a program, the slowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Backend {
    /// The machine, which is always there.
    Vm,
    /// Machine code in well below a millisecond, where the feature `cranelift` is on and the system
    /// allows it.
    Cranelift,
    /// Machine code by the machine's C compiler, where the feature `cc` is on and there is one.
    Cc,
}

/// Why a back end does not take a program, and the program, for another.
pub struct Refused {
    /// Why.
    pub reason: String,
    /// The program.
    pub program: Program,
}

/// A back end that did not take a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Which one.
    pub backend: Backend,
    /// Why.
    pub reason: String,
}

impl fmt::Debug for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refused").field("reason", &self.reason).finish_non_exhaustive()
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Backend::Vm => "vm",
            Backend::Cranelift => "cranelift",
            Backend::Cc => "cc",
        })
    }
}
