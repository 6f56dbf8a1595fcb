//! One overload in two versions, as programs in C and in Go see it.

use std::collections::BTreeMap;

use opwright_codegen::print::c::model::{CArgument, CFunction};
use opwright_codegen::print::c::types::CType;
use opwright_schema::model::Overload;

use super::change::Breaks;

type BreakList = Vec<(String, Breaks)>;

/// What functions are called in Go, by the names of their schemas.
pub(super) type GoNames = BTreeMap<String, String>;

/// The functions of both versions, in C and in Go.
pub(super) struct Both<'a> {
    old: Option<CFunction<'a>>,
    new: Option<CFunction<'a>>,
    old_in_go: Option<&'a str>,
    new_in_go: Option<&'a str>,
}

impl<'a> Both<'a> {
    pub(super) fn of(old: &'a Overload, new: &'a Overload, go: &'a [GoNames; 2]) -> Self {
        let named = |go: &'a GoNames, it: &Overload| {
            go.get(&it.schema.name.to_string()).map(String::as_str)
        };
        let (old_in_go, new_in_go) = (named(&go[0], old), named(&go[1], new));
        Both { old: function(old), new: function(new), old_in_go, new_in_go }
    }

    /// Without those that never had a function to call.
    pub(super) fn limited(&self, breaks: Breaks) -> Breaks {
        let (c, go) = (self.old.is_some(), self.old_in_go.is_some());
        Breaks { c: breaks.c && c, go: breaks.go && go, ..breaks }
    }

    /// Functions that are gone, or are called otherwise.
    pub(super) fn names(&self) -> BreakList {
        let shown = |it: &CFunction<'_>| format!("ow_{}", it.name);
        let c = [self.old.as_ref().map(shown), self.new.as_ref().map(shown)];
        let go = [self.old_in_go, self.new_in_go].map(|it| it.map(str::to_owned));
        [renamed("C", c, Breaks::C), renamed("Go", go, Breaks::GO)].into_iter().flatten().collect()
    }

    /// Whether the parameter that was at one place has other types at the other.
    pub(super) fn are_other_types(&self, old: usize, new: usize) -> bool {
        let (Some(before), Some(after)) = (&self.old, &self.new) else { return false };
        types(before.arguments.get(old)) != types(after.arguments.get(new))
    }
}

/// Whether there is a function of an overload.
pub(super) fn is_there(overload: &Overload) -> bool {
    function(overload).is_some()
}

/// Its name without a prefix begins with an underscore.
fn function(overload: &Overload) -> Option<CFunction<'_>> {
    CFunction::new("", overload)
}

fn renamed(
    language: &str,
    [old, new]: [Option<String>; 2],
    breaks: Breaks,
) -> Option<(String, Breaks)> {
    match (old, new) {
        (Some(old), Some(new)) if old == new => None,
        (Some(old), Some(new)) => Some((format!("is `{new}` in {language}, not `{old}`"), breaks)),
        (Some(old), None) => Some((format!("`{old}` is gone in {language}"), breaks)),
        (None, Some(new)) => Some((format!("is `{new}` in {language}, too"), Breaks::NOTHING)),
        (None, None) => None,
    }
}

fn types<'a>(argument: Option<&'a CArgument<'_>>) -> Vec<&'a CType> {
    argument.into_iter().flat_map(|it| &it.parts).map(|it| &it.ty).collect()
}
