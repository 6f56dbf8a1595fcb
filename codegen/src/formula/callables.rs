//! What formulas can call, by name.

use std::collections::BTreeMap;

use opwright_schema::model::{OpSet, Type};

use crate::helper::Helper;
use crate::ty::Ty;

/// What can be called, by name.
pub(super) struct Callables<'a> {
    pub(super) ops: &'a OpSet,
    helpers: BTreeMap<&'a str, &'a Helper>,
    operators: BTreeMap<&'a str, Vec<usize>>,
    /// Base names by the operators of Python that they implement: `__mul__`.
    signs: BTreeMap<&'a str, &'a str>,
}

impl<'a> Callables<'a> {
    pub(super) fn new(ops: &'a OpSet, helpers: &'a [Helper]) -> Callables<'a> {
        let mut operators: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut signs = BTreeMap::new();
        for (idx, overload) in ops.overloads.iter().enumerate() {
            let name = &overload.schema.name.base;
            if name.dunder || overload.schema.params.iter().any(|it| it.writes()) {
                continue;
            }
            operators.entry(&name.root).or_default().push(idx);
            for sign in &overload.python.operators {
                signs.entry(sign.value.as_str()).or_insert(name.root.as_str());
            }
        }
        let helpers = helpers.iter().map(|it| (it.name(), it)).collect();
        Callables { ops, helpers, operators, signs }
    }

    pub(super) fn helper(&self, name: &str) -> Option<&'a Helper> {
        self.helpers.get(name).copied()
    }

    /// Overloads of a base name that return new tensors or views.
    pub(super) fn overloads(&self, name: &str) -> &[usize] {
        self.operators.get(name).map_or(&[], Vec::as_slice)
    }

    /// The base name of the operator that Python calls for this: `__mul__`.
    pub(super) fn of_sign(&self, word: &str) -> Option<&'a str> {
        self.signs.get(word).copied()
    }

    pub(super) fn names(&self) -> Vec<&str> {
        self.operators.keys().chain(self.helpers.keys()).copied().collect()
    }
}

/// The type of these results.
pub(super) fn returned(types: &[Type]) -> Ty {
    match types {
        [only] => Ty::of(only),
        several => Ty::Tuple(several.to_vec()),
    }
}
