//! Fit of entries of another library: those that this one could take as they stand.

use opwright_diagnostics::diag::{Diagnostic, Diagnostics};
use opwright_schema::derivatives::Derivative;
use opwright_schema::model::OpSet;

use crate::formula::{Callables, translated};
use crate::library::Library;
use crate::others::Others;

/// An entry of another library for an operator that this one has.
#[derive(Clone, Debug)]
pub struct Fitting<'a> {
    /// The entry.
    pub entry: &'a Derivative,
    /// The operator, by its index in this library.
    pub operator: usize,
    /// Why it cannot be taken as it stands; empty if it can.
    pub problems: Vec<Diagnostic>,
}

/// The entries of another library for operators that this one has with the same schemas, each
/// translated to calls of this one's operators and helpers.
pub fn fit<'a>(theirs: &'a OpSet, library: &Library) -> Vec<Fitting<'a>> {
    let callables = Callables::new(&library.ops, &library.helpers, [].iter(), &Others::Never, &[]);
    let schemas: Vec<String> =
        library.ops.overloads.iter().map(|it| it.schema.to_string()).collect();
    let entries = theirs.derivatives.iter().filter(|it| !it.generated).filter_map(|entry| {
        let schema = theirs.overloads[entry.operator].schema.to_string();
        let operator = schemas.iter().position(|it| *it == schema)?;
        let mut cx = Diagnostics::new();
        let overload = &library.ops.overloads[operator];
        translated(&mut cx, &callables, overload, entry, "");
        let problems = cx.finish().err().unwrap_or_default();
        Some(Fitting { entry, operator, problems })
    });
    entries.collect()
}
