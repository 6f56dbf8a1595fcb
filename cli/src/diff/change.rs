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
    /// Calls of functions in C, which have no defaults.
    pub(super) c: bool,
    /// Calls in Go, of functions and methods, with options by their names.
    pub(super) go: bool,
}

impl Breaks {
    pub(super) const NOTHING: Breaks =
        Breaks { python: false, rust: false, stored: false, c: false, go: false };
    pub(super) const PYTHON: Breaks = Breaks { python: true, ..Breaks::NOTHING };
    pub(super) const RUST: Breaks = Breaks { rust: true, ..Breaks::NOTHING };
    pub(super) const STORED: Breaks = Breaks { stored: true, ..Breaks::NOTHING };
    pub(super) const C: Breaks = Breaks { c: true, ..Breaks::NOTHING };
    pub(super) const GO: Breaks = Breaks { go: true, ..Breaks::NOTHING };
    pub(super) const ALL: Breaks =
        Breaks { python: true, rust: true, stored: true, c: true, go: true };
    /// Everybody who may leave an argument out.
    pub(super) const ALL_BUT_C: Breaks = Breaks { c: false, ..Breaks::ALL };

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
            c: self.c || other.c,
            go: self.go || other.go,
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
        let Breaks { python, rust, stored, c, go } = self.breaks;
        let [python, rust, stored, c, go] = [python, rust, stored, c, go].map(mark);
        let marks = format!("{python:^6}  {rust:^4}  {stored:^6}  {c:^1}  {go:^2}");
        write!(f, "{marks}  {}: {}", self.operator, self.what)
    }
}
