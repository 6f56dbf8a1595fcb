//! Docstrings in the form of numpydoc: one signature in the form that `inspect` reads, every
//! overload with its description, then the sections of parameters and of examples.

use opwright_schema::names::is_python_keyword;
use opwright_schema::numpydoc;

use super::kind;
use crate::literal;
use crate::markdown;
use crate::signature::{Home, Parameter, PythonFunction, Signature};

/// The docstring of a function under one of its names.
pub(super) fn print(function: &PythonFunction, name: &str) -> String {
    let mut text = String::new();
    if let Some(signature) = text_signature(function, name) {
        text.push_str(&signature);
        text.push_str("\n--\n\n");
    }
    let groups = function.described();
    let mut examples = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        for signature in &group.signatures {
            text.push_str(&kind::text(function, signature));
            if signature.deprecated {
                text.push_str("  (deprecated)");
            }
            text.push('\n');
        }
        let (described, shown) = markdown::docstring(group.doc);
        if !described.is_empty() {
            text.push_str(&format!("\n{described}\n"));
        }
        examples.extend((!shown.is_empty()).then_some(shown));
    }
    for (title, section) in
        [("Parameters", parameters(function)), ("Examples", examples.join("\n\n"))]
    {
        text.push_str(&numpydoc::section(title, &section));
    }
    text
}

/// The parameters of all overloads but older ones, a line each: `alpha : Number, default 1`.
fn parameters(function: &PythonFunction) -> String {
    let signatures: Vec<&Signature> = function.shown().filter(|it| !it.deprecated).collect();
    let mut names: Vec<&str> = Vec::new();
    for param in signatures.iter().flat_map(|it| &it.params) {
        if !names.contains(&param.name.as_str()) {
            names.push(&param.name);
        }
    }
    let lines = names.into_iter().map(|name| {
        let found: Vec<&Parameter> = signatures
            .iter()
            .filter_map(|it| it.params.iter().find(|it| it.name == name))
            .collect();
        described(&found, found.len() < signatures.len())
    });
    lines.collect::<Vec<String>>().join("\n")
}

/// A parameter, as overloads have it; some have none of that name if it `may_lack`.
fn described(found: &[&Parameter], may_lack: bool) -> String {
    let mut types: Vec<String> = Vec::new();
    for ty in found.iter().map(|it| kind::shown(it)) {
        if !types.contains(&ty) {
            types.push(ty);
        }
    }
    let default = found.iter().find_map(|it| it.default.as_ref());
    numpydoc::parameter(&spelt(&found[0].name), &types.join(" or "), default, may_lack)
}

/// `add($self, /, other, *, alpha=1)`: one signature for all, but for older ones.
///
/// It is what type checkers make of overloads, and takes whatever one of them
/// takes. What stands behind the first parameter with a default has one, too.
fn text_signature(function: &PythonFunction, name: &str) -> Option<String> {
    let signatures: Vec<&Signature> = function.shown().filter(|it| !it.deprecated).collect();
    let mut parts = Vec::new();
    if function.home == Home::Method {
        parts.push("$self".to_owned());
        parts.push("/".to_owned());
    }
    let variadic = signatures.iter().find(|it| it.varargs).map(|it| &it.params[0].name);
    let mut positional = positional(&signatures);
    positional.retain(|it| Some(&it.name) != variadic);
    // Nobody can give these by name.
    let nameless = positional.iter().rposition(|it| is_python_keyword(&it.name));
    let mut has_default = false;
    for (at, param) in positional.iter().enumerate() {
        let default = default(&signatures, param, has_default)?;
        has_default |= default.is_some();
        parts.push(declared(param, default));
        if nameless == Some(at) {
            parts.retain(|it| it != "/");
            parts.push("/".to_owned());
        }
    }
    let is_placed = |it: &Parameter| {
        Some(&it.name) == variadic || positional.iter().any(|other| other.name == it.name)
    };
    let mut by_name: Vec<&Parameter> = Vec::new();
    for param in signatures.iter().flat_map(|it| &it.params).filter(|it| !is_placed(it)) {
        if !by_name.iter().any(|it| it.name == param.name) {
            by_name.push(param);
        }
    }
    match variadic {
        Some(name) => parts.push(format!("*{}", spelt(name))),
        None if !by_name.is_empty() => parts.push("*".to_owned()),
        None => {}
    }
    for param in by_name {
        parts.push(declared(param, default(&signatures, param, false)?));
    }
    Some(format!("{name}({})", parts.join(", ")))
}

/// What any signature takes by position, in the order of the last place that
/// each parameter has in one.
fn positional<'a>(signatures: &[&'a Signature]) -> Vec<&'a Parameter> {
    let mut places: Vec<(usize, &Parameter)> = Vec::new();
    for signature in signatures {
        for (at, param) in signature.params[..signature.positional()].iter().enumerate() {
            match places.iter_mut().find(|(_, it)| it.name == param.name) {
                Some((last, _)) => *last = at.max(*last),
                None => places.push((at, param)),
            }
        }
    }
    places.sort_by_key(|(last, _)| *last);
    places.into_iter().map(|(_, it)| it).collect()
}

/// The default of a parameter as Python writes it, if it has one, or must have one.
fn default(signatures: &[&Signature], param: &Parameter, must: bool) -> Option<Option<String>> {
    let of = |it: &&Signature| it.params.iter().find(|it| it.name == param.name).cloned();
    let found: Vec<Option<Parameter>> = signatures.iter().map(of).collect();
    let own = found.iter().flatten().find_map(|it| it.default.as_ref());
    if let Some(own) = own {
        // What has no literal is hidden, as in the stubs.
        return Some(Some(literal::python(own).unwrap_or_else(|| "...".to_owned())));
    }
    if !must && found.iter().all(Option::is_some) {
        return Some(None);
    }
    let nullable = found.iter().flatten().any(|it| it.nullable);
    Some(Some(if nullable { "None" } else { "..." }.to_owned()))
}

fn declared(param: &Parameter, default: Option<String>) -> String {
    let default = default.map_or(String::new(), |it| format!("={it}"));
    format!("{}{default}", spelt(&param.name))
}

/// Python has keywords of its own, for instance `from`.
fn spelt(name: &str) -> String {
    if is_python_keyword(name) { format!("{name}_") } else { name.to_owned() }
}
