//! One difference, and whom it concerns.

use std::fmt;
use std::ops::BitOr;

use serde::Serialize;

/// Whose calls do not work any more, or mean something else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Breaks {
    /// Calls by function, method, position and keyword.
    pub(super) python: bool,
    /// Calls of `<operator>::<overload>::call`, and of methods of `TensorOps`.
    pub(super) rust: bool,
    /// Programs that hold full names of operators, arguments by name as far
    /// as they differ from the default, and results by position.
    pub(super) stored: bool,
}

impl Breaks {
    pub(super) const NOTHING: Breaks = Breaks { python: false, rust: false, stored: false };
    pub(super) const PYTHON: Breaks = Breaks { python: true, ..Breaks::NOTHING };
    pub(super) const RUST: Breaks = Breaks { rust: true, ..Breaks::NOTHING };
    pub(super) const STORED: Breaks = Breaks { stored: true, ..Breaks::NOTHING };
    pub(super) const ALL: Breaks = Breaks { python: true, rust: true, stored: true };

    pub(super) fn any(self) -> bool {
        self != Breaks::NOTHING
    }

    /// These, if the condition holds.
    pub(super) fn when(self, condition: bool) -> Breaks {
        if condition { self } else { Breaks::NOTHING }
    }
}

impl BitOr for Breaks {
    type Output = Breaks;

    fn bitor(self, other: Breaks) -> Breaks {
        Breaks {
            python: self.python || other.python,
            rust: self.rust || other.rust,
            stored: self.stored || other.stored,
        }
    }
}

/// What is different about an operator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Change {
    pub(super) operator: String,
    pub(super) what: String,
    pub(super) breaks: Breaks,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = |it| if it { 'x' } else { '.' };
        let Breaks { python, rust, stored } = self.breaks;
        let (python, rust, stored) = (mark(python), mark(rust), mark(stored));
        write!(f, "{python:^6}  {rust:^4}  {stored:^6}  {}: {}", self.operator, self.what)
    }
}
