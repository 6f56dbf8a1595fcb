//! The keys `c` and `go`: what a function in C or Go is called, if there is one.

use opwright_diagnostics::diag::Diagnostics;

use crate::codes;
use crate::keys::{Field, Keys};
use crate::model::{Foreign, Spanned};
use crate::parse::is_identifier;
use crate::yaml::YamlValue;

/// Every key below `c`.
pub const C_KEYS: [&str; 2] = ["name", "skip"];

/// Every key below `go`.
pub const GO_KEYS: [&str; 3] = ["name", "overload", "skip"];

/// Reads the key `c`.
pub(super) fn c(cx: &mut Diagnostics, field: &Field<'_, '_>) -> Foreign {
    let mut foreign = read(cx, field, &C_KEYS, "`skip` or a `name`");
    foreign.name = checked(cx, foreign.name, "C", is_identifier, "letters, digits and `_`");
    foreign
}

/// Reads the key `go`, whose names begin with capitals: others are not seen by those who import.
///
/// A name alone is the base name.
pub(super) fn go(cx: &mut Diagnostics, field: &Field<'_, '_>) -> Foreign {
    let shape = "a capital letter, then letters and digits";
    if field.node.text().is_some_and(|it| it.starts_with(|it: char| it.is_ascii_uppercase())) {
        let name = field.string(cx);
        return Foreign { name: checked(cx, name, "Go", is_exported, shape), ..Foreign::default() };
    }
    let mut foreign = read(cx, field, &GO_KEYS, "`skip`, a `name` or an `overload`");
    foreign.name = checked(cx, foreign.name, "Go", is_exported, shape);
    foreign.overload = checked(cx, foreign.overload, "Go", is_exported, shape);
    foreign
}

fn is_exported(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_uppercase())
        && name.bytes().all(|it| it.is_ascii_alphanumeric())
}

/// Reads `skip` or a mapping.
fn read(cx: &mut Diagnostics, field: &Field<'_, '_>, known: &[&str], expected: &str) -> Foreign {
    let mut foreign = Foreign::default();
    if let YamlValue::Scalar { .. } = &field.node.value {
        foreign.skip = field.choice(cx, &[("skip", true)]).unwrap_or_default();
        return foreign;
    }
    let Some(mut keys) = Keys::open(cx, field.node, expected) else {
        return foreign;
    };
    let mut text = |cx: &mut Diagnostics, key: &str| {
        let field = known.contains(&key).then(|| keys.take(key)).flatten();
        field.and_then(|it| it.string(cx))
    };
    foreign.name = text(cx, "name");
    foreign.overload = text(cx, "overload");
    if let Some(skip) = keys.take("skip") {
        foreign.skip = skip.bool(cx).unwrap_or_default();
    }
    keys.finish(cx, known);
    let named = foreign.name.as_ref().or(foreign.overload.as_ref());
    if let Some(named) = named.filter(|_| foreign.skip) {
        let message = format!("`{}` names what `skip` leaves out", named.value);
        cx.error(codes::KEYS_CLASH, &named.span, message).help("remove one of them");
    }
    foreign
}

/// A name that a language takes.
fn checked(
    cx: &mut Diagnostics,
    name: Option<Spanned<String>>,
    language: &str,
    is_taken: fn(&str) -> bool,
    shape: &str,
) -> Option<Spanned<String>> {
    let name = name?;
    if is_taken(&name.value) {
        return Some(name);
    }
    let message = format!("`{}` is not a name in {language}", name.value);
    cx.error(codes::NAME, &name.span, message).help(format_args!("a name consists of {shape}"));
    None
}
