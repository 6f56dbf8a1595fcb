//! Words that do not go together.

use opwright_schema::names;
use proc_macro2::{Ident, Span};
use syn::Error;

use super::attribute::{OfField, OfStruct};

/// What is wrong with what is said of the struct.
pub(super) fn of_struct(own: &OfStruct) -> Option<Error> {
    let c = own.c.as_ref()?;
    let text = c.value();
    let starts = text.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_');
    let is_word = starts && text.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    let wrong = if !is_word {
        format!("`{text}` is no name of C: letters, digits, `_`")
    } else if names::c_param(&text) != text {
        format!("`{text}` is a word of C or C++: call the struct otherwise")
    } else {
        return None;
    };
    Some(Error::new(c.span(), wrong))
}

/// What is wrong with what is said of a field.
pub(super) fn field(said: &OfField, own: &OfStruct, ident: &Ident) -> Vec<Error> {
    let mut errors = Vec::new();
    let mut wrong = |place: Span, message: &str| errors.push(Error::new(place, message));
    if let (Some(set), Some(_)) = (said.set, own.frozen) {
        wrong(set, "`set` on a frozen struct: leave it out, or `frozen` above the struct");
    }
    if let (Some(hide_c), None) = (said.hide_c, &own.c) {
        let message = "`hide_c` without `c`: C sees nothing of the struct; leave it out, or say \
                       `#[native(c = \"...\")]` above the struct";
        wrong(hide_c, message);
    }
    if let Some(skip) = said.skip {
        if said.default.is_none() {
            wrong(skip, "`skip` without `default`: say what is in the field of a new value");
        }
        let seen = [said.set, said.hide_c, said.name.as_ref().map(syn::LitStr::span)];
        for place in seen.into_iter().flatten() {
            wrong(place, "nothing is seen of a field with `skip`: leave this out, or `skip`");
        }
        return errors;
    }
    let name = said.name_of(ident);
    let place = said.name.as_ref().map_or_else(|| ident.span(), syn::LitStr::span);
    if !is_name(&name) {
        wrong(place, &format!("`{name}` is no name of Python: say another one, `name = \"...\"`"));
    }
    errors
}

/// What is wrong with the fields beside each other, and with the struct.
pub(super) fn together(fields: &[(&Ident, &OfField)]) -> Vec<Error> {
    let mut errors = Vec::new();
    let seen: Vec<_> = fields.iter().filter(|(_, said)| said.skip.is_none()).collect();
    for (at, (ident, said)) in seen.iter().enumerate() {
        let name = said.name_of(ident);
        if seen[..at].iter().any(|(other, said)| said.name_of(other) == name) {
            let message = format_args!("there are two fields `{name}`: call one otherwise");
            errors.push(Error::new(ident.span(), message));
        }
        let before = seen[..at].iter().find(|(_, said)| said.default.is_some());
        if let (Some((before, _)), None) = (before, &said.default) {
            let message = format_args!(
                "`{ident}` needs a default, because `{before}` before it has one; or move it in \
                 front"
            );
            errors.push(Error::new(ident.span(), message));
        }
    }
    errors
}

/// Whether attributes and keywords of Python can be called so.
fn is_name(name: &str) -> bool {
    let starts = name.starts_with(|it: char| it.is_alphabetic() || it == '_');
    let is_word = starts && name.chars().all(|it| it.is_alphanumeric() || it == '_');
    is_word && !name.starts_with("__") && !names::is_python_keyword(name)
}
