//! One overload in two versions, as programs in C and in Go see it.

use opwright_codegen::print::c::model::{Argument, Function};
use opwright_codegen::print::c::types::CType;
use opwright_schema::model::Overload;

use super::change::Breaks;

type Found = Vec<(String, Breaks)>;

/// The functions of both versions; Go's call them.
pub(super) struct Both<'a> {
    old: Option<Function<'a>>,
    new: Option<Function<'a>>,
}

impl<'a> Both<'a> {
    pub(super) fn of(old: &'a Overload, new: &'a Overload) -> Self {
        Both { old: function(old), new: function(new) }
    }

    /// Without those that never had a function to call.
    pub(super) fn limited(&self, breaks: Breaks) -> Breaks {
        match self.old.is_some() {
            true => breaks,
            false => Breaks { c: false, go: false, ..breaks },
        }
    }

    /// A function that is gone, or is called otherwise.
    pub(super) fn names(&self) -> Found {
        match (&self.old, &self.new) {
            (Some(old), None) => {
                vec![(format!("`{}` is gone in C and in Go", shown(old)), Breaks::C | Breaks::GO)]
            }
            (None, Some(new)) => {
                vec![(format!("is `{}` in C, too", shown(new)), Breaks::NOTHING)]
            }
            (Some(old), Some(new)) if old.name != new.name => {
                vec![(format!("is `{}` in C, not `{}`", shown(new), shown(old)), Breaks::C)]
            }
            (Some(_), Some(_)) | (None, None) => Found::new(),
        }
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
fn function(overload: &Overload) -> Option<Function<'_>> {
    Function::new("", overload)
}

fn shown(function: &Function<'_>) -> String {
    format!("ow_{}", function.name)
}

fn types<'a>(argument: Option<&'a Argument<'_>>) -> Vec<&'a CType> {
    argument.into_iter().flat_map(|it| &it.parts).map(|it| &it.ty).collect()
}
