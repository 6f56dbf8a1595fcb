//! Two operator sets: what is gone, what is new, what has another name.

use std::collections::BTreeMap;

use opwright_schema::OpSet;
use opwright_schema::model::{OpName, Overload};
use opwright_schema::names;

use super::change::{Breaks, Change};
use super::foreign::GoNames;
use super::{foreign, overload};

/// All differences, those that break something first, then by name.
pub(super) fn compare(old: &OpSet, new: &OpSet) -> Vec<Change> {
    let (before, mut after) = (by_name(old), by_name(new));
    let go = [go_names(old), go_names(new)];
    let compare = |old: &Overload, new: &Overload| overload::compare(old, new, &go);
    let mut changes = Vec::new();
    let mut gone = Vec::new();
    for (name, old) in before {
        match after.remove(name) {
            Some(new) => changes.extend(compare(old, new)),
            None => gone.push(old),
        }
    }
    for old in gone {
        let renamed = after.values().find(|it| is_renamed(old, it)).copied();
        match renamed {
            Some(new) => {
                after.remove(&new.schema.name);
                changes.push(renaming(old, new));
                changes.extend(compare(old, new));
            }
            None => changes.push(removal(old, &go[0])),
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

/// What functions are called in Go, by the names of their schemas: others may have a say in it.
fn go_names(ops: &OpSet) -> GoNames {
    let names = names::go_functions(&ops.overloads, &ops.groups).into_iter().zip(&ops.overloads);
    let named = names.filter(|(_, it)| foreign::is_there(it));
    named.filter_map(|(go, it)| Some((it.schema.name.to_string(), go?.name))).collect()
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

fn removal(old: &Overload, go: &GoNames) -> Change {
    let is_bound = !overload::places(old).is_empty();
    let in_c = Breaks::C.when(foreign::is_there(old));
    let in_go = Breaks::GO.when(go.contains_key(&old.schema.name.to_string()));
    Change {
        operator: old.schema.name.to_string(),
        what: "is gone".to_owned(),
        breaks: Breaks::RUST | Breaks::STORED | Breaks::PYTHON.when(is_bound) | in_c | in_go,
    }
}
