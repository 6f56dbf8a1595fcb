//! Two operator sets: what is gone, what is new, what has another name.

use std::collections::BTreeMap;

use opwright_schema::OpSet;
use opwright_schema::model::{OpName, Overload};

use super::change::{Breaks, Change};
use super::{foreign, overload};

/// All differences, those that break something first, then by name.
pub(super) fn compare(old: &OpSet, new: &OpSet) -> Vec<Change> {
    let (before, mut after) = (by_name(old), by_name(new));
    let mut changes = Vec::new();
    let mut gone = Vec::new();
    for (name, old) in before {
        match after.remove(name) {
            Some(new) => changes.extend(overload::compare(old, new)),
            None => gone.push(old),
        }
    }
    for old in gone {
        let renamed = after.values().find(|it| is_renamed(old, it)).copied();
        match renamed {
            Some(new) => {
                after.remove(&new.schema.name);
                changes.push(renaming(old, new));
                changes.extend(overload::compare(old, new));
            }
            None => changes.push(removal(old)),
        }
    }
    changes.extend(after.values().map(|it| Change {
        operator: it.schema.name.to_string(),
        what: "is new".to_owned(),
        breaks: Breaks::NOTHING,
    }));
    changes.sort_by(|a, b| {
        let key = |it: &Change| (!it.breaks.any(), it.operator.clone());
        key(a).cmp(&key(b))
    });
    changes
}

fn by_name(ops: &OpSet) -> BTreeMap<&OpName, &Overload> {
    ops.overloads.iter().map(|it| (&it.schema.name, it)).collect()
}

/// Whether nothing but the name of the overload differs.
fn is_renamed(old: &Overload, new: &Overload) -> bool {
    let shape = |it: &Overload| {
        let text = it.schema.to_string();
        text.split_once('(').map(|(_, rest)| rest.to_owned())
    };
    let (a, b) = (&old.schema.name, &new.schema.name);
    a.base == b.base && a.namespace == b.namespace && shape(old) == shape(new)
}

fn renaming(old: &Overload, new: &Overload) -> Change {
    Change {
        operator: old.schema.name.to_string(),
        what: format!("is called `{}` now", new.schema.name),
        // In C, `foreign` says it of the name there.
        breaks: Breaks::RUST | Breaks::STORED,
    }
}

fn removal(old: &Overload) -> Change {
    let is_bound = !overload::places(old).is_empty();
    let in_c = (Breaks::C | Breaks::GO).when(foreign::is_there(old));
    Change {
        operator: old.schema.name.to_string(),
        what: "is gone".to_owned(),
        breaks: Breaks::RUST | Breaks::STORED | Breaks::PYTHON.when(is_bound) | in_c,
    }
}
