//! Docstrings in the form of numpydoc: sections of what a schema takes and returns.

use crate::model::{Default, Param, Return, Role, Schema, Type};
use crate::types::Values;

/// The titles of sections, in their order.
const TITLES: [&str; 10] = [
    "Parameters",
    "Returns",
    "Yields",
    "Raises",
    "Warns",
    "See Also",
    "Notes",
    "References",
    "Examples",
    "Attributes",
];

/// A type as messages and docstrings show it: `int|tuple[int]`.
pub fn shown_type(ty: &Type) -> String {
    match &*ty.plain() {
        Type::Base(base) => base.row().shown.to_owned(),
        Type::Optional(inner) => shown_type(inner),
        Type::List(element, size) => {
            let integers = element.base().row().values == Values::Int;
            let alone = if size.is_some() && integers { "int|" } else { "" };
            match &**element {
                Type::Optional(inner) if inner.is_tensor() => "tuple[Tensor|None]".to_owned(),
                element => format!("{alone}tuple[{}]", shown_type(element)),
            }
        }
    }
}

/// A line of the section of parameters: `alpha : Number, default 1`. What `may_lack` need not be
/// passed, though it has no default.
pub fn parameter(name: &str, types: &str, default: Option<&Default>, may_lack: bool) -> String {
    let default = match default {
        Some(Default::None) => ", optional".to_owned(),
        Some(default) => format!(", default {default}"),
        None if may_lack => ", optional".to_owned(),
        None => String::new(),
    };
    format!("{name} : {types}{default}")
}

/// A section with its title; an empty text if it says nothing.
pub fn section(title: &str, body: &str) -> String {
    match body.is_empty() {
        true => String::new(),
        false => format!("\n{title}\n{}\n{body}\n", "-".repeat(title.len())),
    }
}

/// The docstring of an operator: its schema, what its author says, and the sections of parameters
/// and results, unless the author has written them.
pub fn docstring(schema: &Schema, own: &str) -> String {
    let mut text = schema.to_string() + "\n";
    if !own.is_empty() {
        text += &format!("\n{}\n", own.trim_end());
    }
    let params: Vec<String> = schema.params.iter().map(declared).collect();
    let returns: Vec<String> = schema.returns.iter().map(returned).collect();
    insert(&mut text, "Parameters", &params.join("\n"));
    insert(&mut text, "Returns", &returns.join("\n"));
    text
}

fn declared(param: &Param) -> String {
    let ty = &param.ty.value;
    let may_be_none = matches!(ty, Type::Optional(_)) && param.role == Role::Positional;
    let types = shown_type(ty) + if may_be_none { "|None" } else { "" };
    parameter(&param.name.value, &types, param.default.as_ref().map(|it| &it.value), false)
}

fn returned(ret: &Return) -> String {
    let ty = shown_type(&ret.ty.value);
    match &ret.name {
        Some(name) => format!("{} : {ty}", name.value),
        None => ty,
    }
}

/// Puts a section where it belongs among those that are there, if it is not.
fn insert(text: &mut String, title: &str, body: &str) {
    let rank = |title: &str| TITLES.iter().position(|it| *it == title);
    let headings = headings(text);
    if headings.iter().any(|(_, it)| *it == title) {
        return;
    }
    let next = headings.iter().find(|(_, it)| rank(it) > rank(title)).map(|(at, _)| *at);
    let section = section(title, body);
    match next {
        // The empty line before the next section is there already.
        Some(at) if !section.is_empty() => {
            text.insert_str(at, &format!("{}\n", section.trim_start()))
        }
        _ => text.push_str(&section),
    }
}

/// Where sections begin, and their titles.
fn headings(text: &str) -> Vec<(usize, &str)> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut found = Vec::new();
    let mut at = 0;
    for (index, line) in lines.iter().enumerate() {
        let title = line.trim_end();
        let below = lines.get(index + 1).map_or("", |it| it.trim_end());
        let is_ruled = below.len() == title.len() && below.bytes().all(|it| it == b'-');
        if TITLES.contains(&title) && is_ruled {
            found.push((at, title));
        }
        at += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::docstring;
    use crate::parse_one;

    #[track_caller]
    fn check(own: &str, expected: &str) {
        let schema =
            "my::scale(Tensor x, float by=2.0, *, int[2]? dim=None) -> (Tensor y, int count)";
        let schema = parse_one(schema).expect("a schema");
        let text = docstring(&schema, own);
        assert_eq!(text.split_once('\n').map(|(_, rest)| rest), Some(expected));
    }

    const PARAMETERS: &str = "\nParameters\n----------\nx : Tensor\nby : float, default 2.0\n\
                              dim : int|tuple[int], optional\n";

    #[test]
    fn sections_follow_the_text() {
        let returns = "\nReturns\n-------\ny : Tensor\ncount : int\n";
        check("", &format!("{PARAMETERS}{returns}"));
        check("Scales.", &format!("\nScales.\n{PARAMETERS}{returns}"));
        let examples = "\nExamples\n--------\n>>> 1\n1\n";
        check(
            &format!("Scales.\n{examples}"),
            &format!("\nScales.\n{PARAMETERS}{returns}{examples}"),
        );
    }

    #[test]
    fn sections_of_the_author_stay() {
        let own =
            "Scales.\n\nParameters\n----------\nx\n    What is scaled.\n\nReturns\n-------\nBoth.";
        check(own, &format!("\n{own}\n"));
    }
}
