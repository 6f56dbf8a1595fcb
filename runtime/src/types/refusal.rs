//! Refusals: why a value is not of a type.

use std::fmt;

/// Why a value is not taken for one of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is of another kind.
    Type(String),
    /// It is of the right kind, but none of the type's values.
    Value(String),
    /// It would lose something on the way.
    Range(String),
}

impl Refusal {
    /// The reason.
    pub fn message(&self) -> &str {
        let (Refusal::Type(text) | Refusal::Value(text) | Refusal::Range(text)) = self;
        text
    }

    /// Says which part of the value is refused.
    #[must_use]
    pub fn at(self, place: impl fmt::Display) -> Refusal {
        match self {
            Refusal::Type(text) => Refusal::Type(format!("{place}: {text}")),
            Refusal::Value(text) => Refusal::Value(format!("{place}: {text}")),
            Refusal::Range(text) => Refusal::Range(format!("{place}: {text}")),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl std::error::Error for Refusal {}
