//! Counts of derivative entries.

use std::collections::HashMap;

use opwright_codegen::formula::{Shown, shown};
use opwright_schema::OpSet;
use opwright_schema::derivatives::Derivative;

use super::count::{CoverageRow, CoverageState};

/// The entries of another library, and those of them for operators that this one has; there are
/// those with the same formulas, with others those that are `different`. Nothing if the other
/// library has no entries.
pub(super) fn count(upstream: &OpSet, library: &OpSet) -> Vec<CoverageRow> {
    if upstream.derivatives.is_empty() {
        return Vec::new();
    }
    let own = by_schema(library);
    let schemas: Vec<String> = library.overloads.iter().map(|it| it.schema.to_string()).collect();
    let mut rows =
        [CoverageRow::new("all entries"), CoverageRow::new("of operators that are there")];
    for entry in &upstream.derivatives {
        let overload = &upstream.overloads[entry.operator];
        let schema = overload.schema.to_string();
        let state = match own.get(&schema) {
            Some(formulas) if *formulas == shown(entry, overload) => CoverageState::There,
            Some(_) => CoverageState::Different,
            None => CoverageState::Missing,
        };
        rows[0].add(state);
        if !entry.generated && schemas.contains(&schema) {
            rows[1].add(state);
        }
    }
    rows.to_vec()
}

/// The formulas of each operator that has an entry.
fn by_schema(library: &OpSet) -> HashMap<String, Vec<Shown>> {
    let own = library.derivatives.iter().filter(|it| !it.generated);
    let formulas = own.map(|entry: &Derivative| {
        let overload = &library.overloads[entry.operator];
        (overload.schema.to_string(), shown(entry, overload))
    });
    formulas.collect()
}
