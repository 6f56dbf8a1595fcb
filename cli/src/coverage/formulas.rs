//! How many entries of derivatives there are.

use std::collections::HashMap;

use opwright_codegen::formula::{Shown, shown};
use opwright_schema::OpSet;
use opwright_schema::derivatives::Derivative;

use super::count::{Row, State};

/// The entries of another library, and those of them for operators that this one has; there are
/// those with the same formulas, with others those that are `different`. Nothing if the other
/// library has no entries.
pub(super) fn count(upstream: &OpSet, library: &OpSet) -> Vec<Row> {
    if upstream.derivatives.is_empty() {
        return Vec::new();
    }
    let own = by_schema(library);
    let schemas: Vec<String> = library.overloads.iter().map(|it| it.schema.to_string()).collect();
    let mut rows = [Row::new("all entries"), Row::new("of operators that are there")];
    for entry in &upstream.derivatives {
        let overload = &upstream.overloads[entry.operator];
        let schema = overload.schema.to_string();
        let state = match own.get(&schema) {
            Some(formulas) if *formulas == shown(entry, overload) => State::There,
            Some(_) => State::Different,
            None => State::Missing,
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
