//! Prints docstrings: the signature in the form that `inspect` reads, then
//! every overload, then the description.

use opwright_schema::model::Default;
use opwright_schema::names::is_python_keyword;

use super::kind;
use crate::markdown;
use crate::signature::{Function, Home, Section, Signature};

/// The docstring of a function under one of its names.
pub(super) fn print(function: &Function, name: &str) -> String {
    let mut text = String::new();
    if let Some(signature) = text_signature(function, name) {
        text.push_str(&signature);
        text.push_str("\n--\n\n");
    }
    for signature in function.shown() {
        text.push_str(&kind::text(function, signature));
        if signature.deprecated {
            text.push_str("  (deprecated)");
        }
        text.push('\n');
    }
    if !function.doc.is_empty() {
        text.push('\n');
        text.push_str(&markdown::docstring(function.doc.trim_end()));
        text.push('\n');
    }
    text
}

/// `add($self, other, *, alpha=1)`, if there is one signature, but for older ones, and Python
/// can read it.
fn text_signature(function: &Function, name: &str) -> Option<String> {
    let mut signatures = function.shown().filter(|it| !it.deprecated);
    let signature = signatures.next()?;
    if signature.varargs || signatures.next().is_some() {
        return None;
    }
    let mut parts = Vec::new();
    if function.home == Home::Method {
        parts.push("$self".to_owned());
        parts.push("/".to_owned());
    }
    parts.extend(parameters(signature)?);
    Some(format!("{name}({})", parts.join(", ")))
}

fn parameters(signature: &Signature) -> Option<Vec<String>> {
    let mut parts = Vec::new();
    let mut keyword_only = false;
    for param in &signature.params {
        if param.section != Section::Positional && !keyword_only {
            keyword_only = true;
            parts.push("*".to_owned());
        }
        // Python has keywords of its own, for instance `from`.
        if is_python_keyword(&param.name) {
            return None;
        }
        let default = match &param.default {
            Some(default) => format!("={}", python(default)?),
            None => String::new(),
        };
        parts.push(format!("{}{default}", param.name));
    }
    Some(parts)
}

/// A default as a Python literal.
fn python(default: &Default) -> Option<String> {
    match default {
        Default::None => Some("None".to_owned()),
        Default::Bool(true) => Some("True".to_owned()),
        Default::Bool(false) => Some("False".to_owned()),
        Default::Int(value) => Some(value.to_string()),
        Default::Float(_, text) => Some(text.clone()),
        Default::IntList(values) => {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            let comma = if values.len() == 1 { "," } else { "" };
            Some(format!("({}{comma})", values.join(", ")))
        }
        Default::Str(text, quote) => Some(format!("{quote}{text}{quote}")),
        Default::Name(name) => crate::literal::reduction(name).map(|it| it.to_string()),
    }
}
