//! Formulas as their authors wrote them, for people.

use opwright_schema::derivatives::{AutogradKey, Derivative};
use opwright_schema::model::Overload;

/// What an entry says of some inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Their names: `self, other`.
    pub inputs: String,
    /// The formula, on one line, or `non_differentiable`.
    pub formula: String,
}

/// What an entry says of the gradients of its operator, in the order of the file.
pub fn shown(entry: &Derivative, overload: &Overload) -> Vec<Shown> {
    let formulas = entry.formulas.iter().find(|(key, _)| *key == AutogradKey::Default);
    let Some((_, formulas)) = formulas else { return Vec::new() };
    let name = |it: &usize| overload.schema.params[*it].name.value.clone();
    let named = |inputs: &[usize]| inputs.iter().map(name).collect::<Vec<_>>().join(", ");
    let backward = formulas
        .backward
        .iter()
        .map(|it| Shown { inputs: named(&it.inputs), formula: one_line(&it.formula.text.value) });
    let none = formulas
        .non_differentiable
        .iter()
        .map(|it| Shown { inputs: name(it), formula: "non_differentiable".to_owned() });
    backward.chain(none).collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
