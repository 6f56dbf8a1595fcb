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

    /// The overload of this name, or all of the operator of this name.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &'static Operator> {
        let all = self.0.iter().flat_map(move |it| op::overloads(it, name));
        all.chain(self.find(name).filter(|it| it.parts().0 != name))
    }

    /// Whether there is an overload of this name, or an operator.
    pub fn has(&self, name: &str) -> bool {
        self.named(name).next().is_some()
    }
}
