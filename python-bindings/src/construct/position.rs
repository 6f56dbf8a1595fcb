//! Positions in nested sequences, for messages.

use std::fmt;

use smallvec::SmallVec;

/// Indices from the outermost sequence inwards.
#[derive(Clone, Default)]
pub(super) struct Position(SmallVec<[usize; 6]>);

impl Position {
    pub(super) fn enter(&mut self, index: usize) {
        self.0.push(index);
    }

    pub(super) fn leave(&mut self) {
        self.0.pop();
    }

    pub(super) fn depth(&self) -> usize {
        self.0.len()
    }
}

/// `the element at [1][2]`, or `the data` itself.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("the data");
        }
        f.write_str("the element at ")?;
        self.0.iter().try_for_each(|index| write!(f, "[{index}]"))
    }
}
