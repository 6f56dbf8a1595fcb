//! Operator tables of a module, looked up by name.

use std::collections::BTreeMap;

use opwright_runtime::op::{self, Operator, Tree};

/// The tables of a module: each sorted by base names.
#[derive(Clone, Copy)]
pub struct OperatorTables(&'static [&'static [Operator]]);

impl OperatorTables {
    /// Those of these tables.
    pub const fn new(tables: &'static [&'static [Operator]]) -> OperatorTables {
        OperatorTables(tables)
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

    /// What formulas of gradients call, and formulas of that: helpers among it are no operators of
    /// the module.
    pub fn called_by_formulas(&self) -> BTreeMap<&'static str, &'static Operator> {
        let mut found = BTreeMap::new();
        let mut pending: Vec<&'static Operator> = self.0.iter().copied().flatten().collect();
        let mut trees: Vec<&'static Tree> = Vec::new();
        while let Some(row) = pending.pop() {
            let formulas = row.formulas.map_or(&[][..], |it| it().0);
            trees.extend(formulas.iter().map(|it| &it.tree));
            while let Some(tree) = trees.pop() {
                match tree {
                    Tree::Asked(_, inner) => trees.push(inner),
                    Tree::Number(_, parts) | Tree::List(parts) => trees.extend(*parts),
                    Tree::If(parts) => trees.extend(*parts),
                    Tree::Call(row, parts) => {
                        trees.extend(*parts);
                        if found.insert(row.name, *row).is_none() {
                            pending.push(row);
                        }
                    }
                    Tree::Param(_)
                    | Tree::Result(_)
                    | Tree::Grad(_)
                    | Tree::Wanted(_)
                    | Tree::Constant(_)
                    | Tree::Default
                    | Tree::Absent => {}
                }
            }
        }
        found
    }

    /// Whether there is an overload of this name, or an operator.
    pub fn has(&self, name: &str) -> bool {
        self.named(name).next().is_some()
    }
}
