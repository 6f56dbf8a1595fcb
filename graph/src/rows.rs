//! The operators of a module, by name.

use opwright_runtime::op::{self, Operator};

/// The tables of a module: each sorted by base names.
#[derive(Clone, Copy)]
pub struct Rows(&'static [&'static [Operator]]);

impl Rows {
    /// Those of these tables.
    pub const fn new(tables: &'static [&'static [Operator]]) -> Rows {
        Rows(tables)
    }

    /// The overload of this name: `add.Tensor`.
    pub fn find(&self, name: &str) -> Option<&'static Operator> {
        self.0.iter().find_map(|it| op::find(it, name))
    }

    /// Whether there is an overload of this name, or an operator.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some() || self.0.iter().any(|it| !op::overloads(it, name).is_empty())
    }
}
