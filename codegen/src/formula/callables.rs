//! Callables of formulas, by name.

use std::collections::BTreeMap;

use opwright_diagnostics::diag::Diagnostic;
use opwright_schema::model::{OpSet, Overload, Span, Type};
use proc_macro2::TokenStream;
use quote::quote;

use crate::helper::{GradientFunction, Helper};
use crate::others::Others;
use crate::print::rust::path::{marker_path, marker_path_in};
use crate::ty::Ty;

/// What can be called, by name.
pub(crate) struct Callables<'a> {
    helpers: BTreeMap<&'a str, &'a Helper>,
    /// Functions that annotations name as gradients.
    functions: BTreeMap<String, &'a GradientFunction>,
    /// Those of the crate first.
    operators: BTreeMap<&'a str, Vec<Callable<'a>>>,
    /// Base names by the operators of Python that they implement: `__mul__`.
    signs: BTreeMap<&'a str, Vec<&'a str>>,
    /// All functions of the crate, and where they are.
    plain: &'a [(String, Span)],
    /// The crate could have more operators to call, but does not depend on these.
    is_alone: bool,
}

/// An operator, and whose it is.
#[derive(Clone, Copy)]
pub(super) struct Callable<'a> {
    pub(super) overload: &'a Overload,
    is_own: bool,
}

impl Callable<'_> {
    /// The path of its marker.
    pub(super) fn path(&self) -> TokenStream {
        match self.is_own {
            true => marker_path(self.overload),
            false => marker_path_in(&quote!(crate::ops::__operators), self.overload),
        }
    }
}

impl<'a> Callables<'a> {
    pub(crate) fn new(
        ops: &'a OpSet,
        helpers: &'a [Helper],
        functions: impl Iterator<Item = &'a GradientFunction>,
        others: &'a Others,
        plain: &'a [(String, Span)],
    ) -> Callables<'a> {
        let mut callables = Callables {
            helpers: helpers.iter().map(|it| (it.name(), it)).collect(),
            functions: functions.map(|it| (it.key(), it)).collect(),
            operators: BTreeMap::new(),
            signs: BTreeMap::new(),
            plain,
            is_alone: matches!(others, Others::None),
        };
        callables.add(ops, true);
        if let Others::Known(others, helpers) = others {
            callables.add_helpers(helpers);
            callables.add(others, false);
        }
        callables
    }

    /// Adds those of another crate, behind what the crate itself calls so.
    fn add_helpers(&mut self, helpers: &'a [Helper]) {
        for helper in helpers {
            if !self.operators.contains_key(helper.name()) {
                self.helpers.entry(helper.name()).or_insert(helper);
            }
        }
    }

    fn add(&mut self, ops: &'a OpSet, is_own: bool) {
        for overload in &ops.overloads {
            let name = &overload.schema.name.base;
            if name.dunder || overload.schema.params.iter().any(|it| it.writes()) {
                continue;
            }
            self.operators.entry(&name.root).or_default().push(Callable { overload, is_own });
            for sign in &overload.python.operators {
                let names = self.signs.entry(sign.value.as_str()).or_default();
                if !names.contains(&name.root.as_str()) {
                    names.push(&name.root);
                }
            }
        }
    }

    pub(super) fn helper(&self, name: &str) -> Option<&'a Helper> {
        self.helpers.get(name).copied()
    }

    /// A function that an annotation names as a gradient.
    pub(super) fn function(&self, key: &str) -> Option<&'a GradientFunction> {
        self.functions.get(key).copied()
    }

    /// Overloads of a base name that return new tensors or views.
    pub(super) fn overloads(&self, name: &str) -> &[Callable<'a>] {
        self.operators.get(name).map_or(&[], Vec::as_slice)
    }

    /// The base names of operators that Python calls for this: `__mul__`.
    pub(super) fn of_sign(&self, word: &str) -> &[&'a str] {
        self.signs.get(word).map_or(&[], Vec::as_slice)
    }

    /// Where the crate has a function of this name, which formulas could call if it said so.
    pub(super) fn plain(&self, name: &str) -> Option<&'a Span> {
        self.plain.iter().find(|(known, _)| known == name).map(|(_, span)| span)
    }

    /// Says how there would be more operators to call, if the crate has none but its own.
    pub(super) fn suggest_others(&self, finding: &mut Diagnostic) {
        if self.is_alone {
            finding.help(
                "to call operators and helpers of opwright-ops, give `opwright` the feature `ops` in \
                 `Cargo.toml`",
            );
        }
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
