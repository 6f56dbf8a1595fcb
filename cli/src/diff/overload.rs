//! One overload in two versions.

use std::collections::BTreeSet;

use opwright_schema::model::{Overload, PythonModule, Return};
use opwright_schema::names;

use super::change::{Breaks, Change};
use super::foreign::{Both, GoNames};
use super::params;

/// All differences that callers can notice.
pub(super) fn compare(old: &Overload, new: &Overload, go: &[GoNames; 2]) -> Vec<Change> {
    let foreign = Both::of(old, new, go);
    let mut found = python_places(old, new);
    found.extend(foreign.names());
    if old.method && !new.method {
        found.push(("is no method any more".to_owned(), Breaks::RUST | Breaks::GO));
    }
    found.extend(params::compare(old, new, &foreign));
    found.extend(returns(old, new));
    let operator = old.schema.name.to_string();
    let change = |(what, breaks): (String, Breaks)| Change {
        operator: operator.clone(),
        what,
        breaks: foreign.limited(breaks),
    };
    found.into_iter().map(change).collect()
}

/// Where Python finds the operator: `linalg.norm`, `Tensor.__add__`.
pub(super) fn places(overload: &Overload) -> BTreeSet<String> {
    let mut places = BTreeSet::new();
    if overload.python.skip {
        return places;
    }
    let python = &overload.python;
    let own = names::python(&overload.schema.name.base);
    let name = python.name.as_ref().map_or(own, |it| it.value.clone());
    let aliases = python.aliases.iter().map(|it| it.value.clone());
    let all: Vec<String> = std::iter::once(name).chain(aliases).collect();
    if overload.function {
        let prefix = match &overload.python_module {
            PythonModule::Root => String::new(),
            PythonModule::Sub(module) => format!("{module}."),
        };
        places.extend(all.iter().map(|it| format!("{prefix}{it}")));
    }
    if overload.method {
        places.extend(all.iter().map(|it| format!("Tensor.{it}")));
        places.extend(python.operators.iter().map(|it| format!("Tensor.{}", it.value)));
    }
    places
}

type BreakList = Vec<(String, Breaks)>;

fn python_places(old: &Overload, new: &Overload) -> BreakList {
    let (before, after) = (places(old), places(new));
    let gone = before.difference(&after);
    let added = after.difference(&before);
    gone.map(|it| (format!("`{it}` is gone in Python"), Breaks::PYTHON))
        .chain(added.map(|it| (format!("is `{it}` in Python, too"), Breaks::NOTHING)))
        .collect()
}

fn returns(old: &Overload, new: &Overload) -> BreakList {
    let (before, after) = (&old.schema.returns, &new.schema.returns);
    let types = |all: &[Return]| -> Vec<String> {
        all.iter()
            .map(|it| format!("{}{}", it.ty.value, if it.writes() { "!" } else { "" }))
            .collect()
    };
    if types(before) != types(after) {
        let what = format!("returns `{}`, not `{}`", shown(after), shown(before));
        return vec![(what, Breaks::ALL)];
    }
    let fields = |all: &[Return]| -> Vec<Option<String>> {
        all.iter().map(|it| it.name.as_ref().map(|it| it.value.clone())).collect()
    };
    // Fields of a named tuple; there is none for a single result.
    if before.len() > 1 && fields(before) != fields(after) {
        let what = format!("returns `{}`, not `{}`", shown(after), shown(before));
        let were_named = before.iter().any(|it| it.name.is_some());
        return vec![(what, Breaks::PYTHON.when(were_named))];
    }
    Vec::new()
}

fn shown(returns: &[Return]) -> String {
    let all: Vec<String> = returns.iter().map(ToString::to_string).collect();
    format!("({})", all.join(", "))
}
