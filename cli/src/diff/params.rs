//! The parameters of one overload in two versions.

use opwright_codegen::types;
use opwright_schema::model::{BaseType, Overload, Param, Role, Type};
use opwright_schema::types::Values;

use super::change::Breaks;
use super::foreign::Both;

type Breaking = Vec<(String, Breaks)>;

/// What differs about the parameters, one by one and in their order.
pub(super) fn compare(old: &Overload, new: &Overload, foreign: &Both<'_>) -> Breaking {
    let (before, after) = (&old.schema.params, &new.schema.params);
    let mut found = Breaking::new();
    let mut matched: Vec<usize> = Vec::new();
    for (at, param) in before.iter().enumerate() {
        let same = after.iter().position(|it| it.name.value == param.name.value);
        let same = same.or_else(|| renamed(before, after, at));
        let Some(other) = same else {
            found.push((format!("parameter `{}` is gone", param.name.value), Breaks::ALL));
            continue;
        };
        matched.push(other);
        found.extend(name(param, &after[other], new));
        found.extend(ty(param, &after[other], foreign.are_other_types(at, other)));
        found.extend(default(param, &after[other]));
        found.extend(role(param, &after[other]));
    }
    found.extend(order(&matched, after));
    for (at, param) in after.iter().enumerate().filter(|(at, _)| !matched.contains(at)) {
        let follows = |it: &usize| *it > at && after[*it].role == Role::Positional;
        found.push(added(param, matched.iter().any(follows), is_variadic(before)));
    }
    found
}

/// The parameter in the same place, if its name is new and its type is not.
fn renamed(before: &[Param], after: &[Param], at: usize) -> Option<usize> {
    let candidate = after.get(at)?;
    let is_new = before.iter().all(|it| it.name.value != candidate.name.value);
    (is_new && candidate.ty.value == before[at].ty.value).then_some(at)
}

fn name(old: &Param, new: &Param, overload: &Overload) -> Breaking {
    let (before, after) = (&old.name.value, &new.name.value);
    if before == after {
        return Breaking::new();
    }
    let aliases = overload.python.keyword_aliases.iter();
    let mut of_new = aliases.filter(|(it, _)| it.value == *after).flat_map(|(_, it)| it);
    let is_kept = of_new.any(|it| it.value == *before);
    // Go knows those alone by their names that may be left out.
    let in_go = Breaks::GO.when(old.default.is_some());
    let breaks = Breaks::STORED | Breaks::PYTHON.when(!is_kept) | in_go;
    vec![(format!("parameter `{before}` is called `{after}` now"), breaks)]
}

/// `is_other` if C sees other types.
fn ty(old: &Param, new: &Param, is_other: bool) -> Breaking {
    let (before, after) = (&old.ty.value, &new.ty.value);
    if old.writes() != new.writes() {
        let verb = if new.writes() { "is written to now" } else { "is not written to any more" };
        return vec![(format!("parameter `{}` {verb}", old.name.value), Breaks::ALL)];
    }
    if before == after {
        return Breaking::new();
    }
    let rust = types::parameter(old).to_string() != types::parameter(new).to_string();
    let (calls, foreign) = (Breaks::PYTHON | Breaks::STORED, Breaks::C | Breaks::GO);
    let narrows = !takes_all_of(after, before);
    let breaks = Breaks::RUST.when(rust) | calls.when(narrows) | foreign.when(is_other || narrows);
    vec![(format!("parameter `{}` is `{after}`, not `{before}`", old.name.value), breaks)]
}

/// Whether every argument for the type `old` is one for the type `new`, and means the same.
fn takes_all_of(new: &Type, old: &Type) -> bool {
    match (old, new) {
        (old, new) if old == new => true,
        (Type::Optional(old), Type::Optional(new)) => takes_all_of(new, old),
        (old, Type::Optional(new)) => takes_all_of(new, old),
        // A list with a size also takes one element for all.
        (Type::List(old, size), Type::List(new, wanted)) => {
            takes_all_of(new, old) && (size == wanted || size.is_none())
        }
        (Type::Base(old), Type::Base(new)) => is_wider(new, old),
        _ => false,
    }
}

fn is_wider(new: &BaseType, old: &BaseType) -> bool {
    use BaseType::{Bool, Float, Int, Scalar, Str, SymInt};
    matches!(
        (old, new),
        (Int, SymInt | Float | Scalar) | (SymInt, Int | Float | Scalar) | (Float | Bool, Scalar)
    ) || (matches!(old.row().values, Values::StrEnum(_)) && *new == Str)
}

fn default(old: &Param, new: &Param) -> Breaking {
    let parameter = format!("parameter `{}`", old.name.value);
    let (before, after) = (&old.default, &new.default);
    match (before.as_ref().map(|it| &it.value), after.as_ref().map(|it| &it.value)) {
        (Some(before), Some(after)) if before != after => {
            vec![(
                format!("{parameter} is `{after}` if left out, not `{before}`"),
                Breaks::ALL_BUT_C,
            )]
        }
        (Some(before), None) => {
            vec![(format!("{parameter} has lost its default `{before}`"), Breaks::ALL_BUT_C)]
        }
        // Methods of Rust take the parameters without a default; Go has the others among options.
        (None, Some(after)) => {
            vec![(format!("{parameter} has the default `{after}`"), Breaks::RUST | Breaks::GO)]
        }
        (Some(_), Some(_)) | (None, None) => Breaking::new(),
    }
}

fn role(old: &Param, new: &Param) -> Breaking {
    let is_positional = |it: &Param| it.role == Role::Positional;
    match (is_positional(old), is_positional(new)) {
        (true, false) => {
            let what = format!("parameter `{}` cannot be given by position now", old.name.value);
            vec![(what, Breaks::PYTHON)]
        }
        (false, true) => {
            let what = format!("parameter `{}` can be given by position, too", old.name.value);
            vec![(what, Breaks::NOTHING)]
        }
        (true, true) | (false, false) => Breaking::new(),
    }
}

/// Parameters that were there before, in another order.
fn order(matched: &[usize], after: &[Param]) -> Breaking {
    if matched.is_sorted() {
        return Breaking::new();
    }
    let mut sorted = matched.to_vec();
    sorted.sort_unstable();
    let names: Vec<&str> = sorted.iter().map(|it| after[*it].name.value.as_str()).collect();
    let positional = |it: &&usize| after[**it].role == Role::Positional;
    let by_position: Vec<&usize> = matched.iter().filter(positional).collect();
    let is_required = |it: &&usize| after[**it].default.is_none();
    let required: Vec<&usize> = matched.iter().filter(is_required).collect();
    let breaks = Breaks::RUST
        | Breaks::C
        | Breaks::PYTHON.when(!by_position.is_sorted())
        | Breaks::GO.when(!required.is_sorted());
    vec![(format!("the parameters are in the order `{}`", names.join("`, `")), breaks)]
}

/// Whether Go takes the elements of a list one by one: there is nothing else beside `self`.
fn is_variadic(params: &[Param]) -> bool {
    let mut others = params.iter().filter(|it| it.name.value != "self");
    let (Some(only), None) = (others.next(), others.next()) else { return false };
    let is_list = matches!(&only.ty.value, Type::List(element, _)
        if matches!(**element, Type::Base(BaseType::Int | BaseType::SymInt)));
    is_list && only.default.is_none()
}

/// A parameter that was not there before; `shifts` if it takes the place of an older one, and
/// `was_variadic` if Go then takes a list, and options.
fn added(param: &Param, shifts: bool, was_variadic: bool) -> (String, Breaks) {
    let name = &param.name.value;
    let Some(default) = &param.default else {
        return (format!("parameter `{name}` is new and has no default"), Breaks::ALL);
    };
    let breaks =
        Breaks::RUST | Breaks::C | Breaks::PYTHON.when(shifts) | Breaks::GO.when(was_variadic);
    (format!("parameter `{name}` is new, with the default `{}`", default.value), breaks)
}
