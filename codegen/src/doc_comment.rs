//! Doc comments of items.

use syn::{Attribute, Expr, Lit, Meta};

/// The lines of `///` and `#[doc = "..."]`, without the blank after the slashes.
pub(crate) fn doc_comment(attrs: &[Attribute]) -> String {
    let lines: Vec<String> = attrs
        .iter()
        .filter(|it| it.path().is_ident("doc"))
        .filter_map(string_value)
        .map(|line| line.strip_prefix(' ').unwrap_or(&line).trim_end().to_owned())
        .collect();
    lines.join("\n").trim().to_owned()
}

/// The text of `#[name = "text"]`.
pub(crate) fn string_value(attr: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attr.meta else { return None };
    let Expr::Lit(value) = &pair.value else { return None };
    let Lit::Str(text) = &value.lit else { return None };
    Some(text.value())
}
