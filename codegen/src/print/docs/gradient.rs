//! Prints what becomes of the gradients of operators.

use opwright_schema::model::{Kind, OpSet, Overload};

use super::table::table;
use crate::formula::{Differentiability, shown};

/// The text of the section for these overloads; those that write to `out=` are left out, and those
/// in place that have the formulas of another one.
pub(super) fn section(
    ops: &OpSet,
    known: &[Differentiability],
    overloads: &[(usize, &Overload)],
) -> String {
    let is_recorded = |it: &Overload| !matches!(it.schema.kind(), Kind::Out | Kind::Scratch);
    let overloads = overloads.iter().filter(|(_, it)| is_recorded(it));
    let mut rows: Vec<[String; 3]> = Vec::new();
    let mut entries = Vec::new();
    for (idx, overload) in overloads {
        let Some(differentiability) = known.get(*idx) else { continue };
        let name = format!("`{}`", overload.schema.name);
        match differentiability {
            Differentiability::Formulas(entry) if entries.contains(entry) => {}
            Differentiability::Formulas(entry) => {
                entries.push(*entry);
                let formulas = shown(&ops.derivatives[*entry], overload).into_iter();
                rows.extend(formulas.map(|it| {
                    [name.clone(), format!("`{}`", it.inputs), format!("`{}`", it.formula)]
                }));
            }
            other => rows.push([name, String::new(), other.words().to_owned()]),
        }
    }
    // Several overloads of which there is but one thing to say.
    let words: Vec<&String> = rows.iter().map(|[_, _, words]| words).collect();
    match (words.as_slice(), rows.iter().all(|[_, inputs, _]| inputs.is_empty())) {
        ([first, others @ ..], true) if others.iter().all(|it| it == first) => {
            format!("{}.\n", capitalized(first))
        }
        ([], _) => String::new(),
        _ => table(["overload", "input", "gradient"], &rows),
    }
}

fn capitalized(words: &str) -> String {
    let mut chars = words.chars();
    let first = chars.next().map(|it| it.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}
