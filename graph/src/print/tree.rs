//! Tree output: what is computed above what it is computed from.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::sync::Arc;

use opwright_runtime::types::TensorType;

use crate::model::apply::Apply;
use crate::model::text;
use crate::model::variable::{Variable, VariableKey};

/// What is shown of a graph.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// The types.
    pub types: bool,
    /// What is known of shapes.
    pub shape: bool,
    /// Letters by which something is found that was shown before.
    pub ids: bool,
    /// So many levels, if they are limited.
    pub depth: Option<usize>,
    /// The numbers of nodes in the order in which they run, by their ids.
    pub order: Option<&'a HashMap<u64, usize>>,
}

/// The trees of some variables.
///
/// ```text
/// add.Tensor{alpha=2} [id A] <TensorType(float64, (3,))> 1
///  ├─ exp [id B] <TensorType(float64, (?,))> 0
///  │  └─ x [id C] <TensorType(float64, (?,))>
///  └─ exp [id B] <TensorType(float64, (?,))> 0
///     └─ ···
/// ```
pub fn tree(variables: &[Variable], shown: &Shown<'_>) -> String {
    let mut printer =
        TreePrinter { shown, text: String::new(), ids: HashMap::new(), opened: HashSet::new() };
    for variable in variables {
        printer.root(variable);
    }
    printer.text
}

struct TreePrinter<'a> {
    shown: &'a Shown<'a>,
    text: String,
    /// The letters of what was shown; results of one node have the same.
    ids: HashMap<Id, usize>,
    /// The nodes whose inputs were shown.
    opened: HashSet<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Id {
    Node(u64),
    Leaf(VariableKey),
}

/// A line to come.
struct Line {
    variable: Variable,
    level: usize,
    /// What stands in front of its own branch.
    before: String,
    is_last: bool,
}

impl TreePrinter<'_> {
    fn root(&mut self, root: &Variable) {
        let root = Line { variable: root.clone(), level: 0, before: String::new(), is_last: true };
        let mut pending = vec![root];
        while let Some(line) = pending.pop() {
            if self.shown.depth.is_none_or(|it| line.level < it) {
                self.line(line, &mut pending);
            }
        }
    }

    fn line(&mut self, line: Line, pending: &mut Vec<Line>) {
        let Line { variable, level, before, is_last } = line;
        let branch = match (level, is_last) {
            (0, _) => "",
            (_, true) => "└─ ",
            (_, false) => "├─ ",
        };
        let text = self.described(&variable);
        let _ = writeln!(self.text, "{before}{branch}{text}");
        let Some((node, _)) = variable.owner() else { return };
        let before = match (level, is_last) {
            (0, _) => " ".to_owned(),
            (_, true) => format!("{before}   "),
            (_, false) => format!("{before}│  "),
        };
        let is_deeper = self.shown.depth.is_none_or(|it| level + 1 < it);
        if !self.opened.insert(node.id()) {
            if is_deeper && !node.inputs().is_empty() {
                let _ = writeln!(self.text, "{before}└─ ···");
            }
            return;
        }
        let uses: Vec<&Variable> = node.uses().collect();
        let last = uses.len();
        pending.extend(uses.into_iter().enumerate().rev().map(|(at, input)| Line {
            variable: input.clone(),
            level: level + 1,
            before: before.clone(),
            is_last: at + 1 == last,
        }));
    }

    fn described(&mut self, variable: &Variable) -> String {
        let owner = variable.owner();
        let mut text = match owner {
            Some((node, index)) => text::result(node, index),
            None => text::leaf(variable),
        };
        if self.shown.ids {
            let id = owner.map_or(Id::Leaf(variable.key()), |(node, _)| Id::Node(node.id()));
            let next = self.ids.len();
            let number = *self.ids.entry(id).or_insert(next);
            let _ = write!(text, " [id {}]", letters(number));
        }
        if self.shown.types {
            let _ = write!(text, " <{}>", variable.ty());
        }
        if self.shown.shape
            && let Some(ty) = variable.ty().downcast::<TensorType>()
        {
            let _ = write!(text, " shape={}", text::extents(ty));
        }
        if let (Some(_), Some(name)) = (owner, variable.label().name()) {
            let _ = write!(text, " '{name}'");
        }
        let place = |(node, _): (&Arc<Apply>, _)| self.shown.order?.get(&node.id());
        if let Some(place) = owner.and_then(place) {
            let _ = write!(text, " {place}");
        }
        text
    }
}

/// `A` to `Z`, `AA` and so on.
fn letters(number: usize) -> String {
    let mut letters = Vec::new();
    let mut left = number + 1;
    while left > 0 {
        letters.push(char::from(b'A' + ((left - 1) % 26) as u8));
        left = (left - 1) / 26;
    }
    letters.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::letters;

    #[test]
    fn letters_go_on_behind_z() {
        let shown = [0, 25, 26, 51, 52, 701, 702].map(letters);
        assert_eq!(shown, ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
    }
}
