//! Prints the structures of what calls may leave out.
//!
//! ```text
//! // TopKOpts are the options of [TopK].
//! type TopKOpts struct {
//!     Dim     *int64 // default -1
//!     Largest *bool  // default true
//! }
//! ```

use std::fmt::Write;

use opwright_schema::model::Default;

use super::model::{GoFunction, GoParameter};
use super::value;

/// The file's text behind its first line.
pub(super) fn print(functions: &[GoFunction<'_>]) -> String {
    let mut out = String::new();
    for function in functions {
        let Some(name) = function.options() else { continue };
        let _ = write!(out, "\n// {name} are the options of [{}].\n", function.name);
        let _ = writeln!(out, "type {name} struct {{");
        let rows: Vec<[String; 3]> = function.fields().map(row).collect();
        // As `gofmt` aligns them.
        let width = |at: usize| rows.iter().map(|it| it[at].chars().count()).max().unwrap_or(0);
        let (first, second) = (width(0), width(1));
        for [field, ty, default] in &rows {
            let _ = writeln!(out, "\t{field:first$} {ty:second$} // {default}");
        }
        out += "}\n";
    }
    out
}

fn row(input: &GoParameter<'_>) -> [String; 3] {
    let ty = input.ty.field(input.argument.shape);
    [input.name.clone(), ty.to_string(), format!("default {}", default(input))]
}

/// What is taken if nothing is said, in words.
pub(super) fn default(input: &GoParameter<'_>) -> String {
    let written = input.argument.param.default.as_ref().map(|it| &it.value);
    match (value::default(input.argument.param), written) {
        (Some(value), Some(Default::Int(_) | Default::Float(..) | Default::Bool(_))) => {
            value.trim_start_matches("Num(").trim_end_matches(')').to_owned()
        }
        (Some(value), _) => value,
        (None, _) => "none".to_owned(),
    }
}
