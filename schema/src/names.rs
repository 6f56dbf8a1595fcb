//! Every name that generated code shares with somebody, made in one place.
//!
//! | schema | Rust | Python |
//! |---|---|---|
//! | `add.Tensor` | module `add`, marker `Tensor` | `add` |
//! | `relu` | module `relu`, marker `Default_` | `relu` |
//! | `where.self` | module `r#where`, marker `self_` | `where` |
//! | `add_.Tensor` | module `add_`, marker `Tensor` | `add_` |
//! | `__and__.Scalar` | module `__and__`, marker `Scalar` | `__and__` |
//! | overload `a.b` | marker `a_b` | |
//! | overload `rt` | marker `rt_`: beside it, `rt` is the runtime | |
//! | parameter `self` | `self_` | `input` in a function if it is a `Tensor`, else `self` |
//! | parameter `from` | `from` | `from` |
//!
//! What these functions return can be used as it is: Rust names are valid
//! identifiers, with `r#` where Rust needs it.

use std::collections::BTreeSet;

use crate::model::{BaseName, BaseType, OpName, OpSet, Param, Type};

/// The marker of the overload without a name.
const DEFAULT_MARKER: &str = "Default_";

/// What the runtime is called where markers stand.
const RUNTIME: &str = "rt";

/// Words that Rust keeps for itself but accepts with `r#`.
const RAW_KEYWORDS: [&str; 46] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where",
];

/// Words that Rust accepts in no form, and the lonely underscore.
const NEVER: [&str; 5] = ["self", "Self", "super", "crate", "_"];

/// The Rust identifier for a word of a schema.
pub fn ident(word: &str) -> String {
    let word = word.replace('.', "_");
    if NEVER.contains(&word.as_str()) {
        return format!("{word}_");
    }
    match RAW_KEYWORDS.contains(&word.as_str()) || word == "yield" {
        true => format!("r#{word}"),
        false => word,
    }
}

/// The Rust module of all overloads of a base name.
pub fn module(name: &OpName) -> String {
    ident(&name.base.to_string())
}

/// The marker type of an overload, inside of its [`module`].
pub fn marker(name: &OpName) -> String {
    match name.overload.as_str() {
        "" => DEFAULT_MARKER.to_owned(),
        RUNTIME => format!("{RUNTIME}_"),
        overload => ident(overload),
    }
}

/// Whether the Rust path of an operator is not made of its base name and its
/// overload name as they are, so that another operator may have the same.
pub(crate) fn is_renamed(name: &OpName) -> bool {
    let overload = name.overload.as_str();
    let kept = overload == DEFAULT_MARKER || overload == RUNTIME;
    let clash = overload.contains('.') || NEVER.contains(&overload) || kept;
    clash || name.namespace.is_some()
}

/// The Rust name of a parameter.
pub fn param(name: &str) -> String {
    ident(name)
}

/// The name of a parameter in a Python function or, if `function` is false,
/// in a method.
pub fn python_param(param: &Param, function: bool) -> &str {
    let name = param.name.value.as_str();
    let is_tensor = param.ty.value == Type::Base(BaseType::Tensor);
    match name == "self" && function && is_tensor {
        true => "input",
        false => name,
    }
}

/// The Python name of all overloads of a base name, if no entry says another.
pub fn python(name: &BaseName) -> String {
    name.to_string()
}

/// Whether Python keeps this word for itself.
#[rustfmt::skip]
pub fn is_python_keyword(word: &str) -> bool {
    matches!(
        word,
        "False" | "None" | "True" | "and" | "as" | "assert" | "async" | "await" | "break" | "class"
            | "continue" | "def" | "del" | "elif" | "else" | "except" | "finally" | "for" | "from"
            | "global" | "if" | "import" | "in" | "is" | "lambda" | "nonlocal" | "not" | "or"
            | "pass" | "raise" | "return" | "try" | "while" | "with" | "yield"
    )
}

/// The name of each overload's Rust method, by index; `None` for those that
/// are no methods. The first method of a base name is called like it, the
/// others `base_overload` in lower case.
pub fn methods(ops: &OpSet) -> Vec<Option<String>> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut names = vec![None; ops.overloads.len()];
    // Plain names first, so that no `base_overload` can take one away.
    for (name, overload) in names.iter_mut().zip(&ops.overloads) {
        let plain = overload.schema.name.base.to_string();
        if overload.method && taken.insert(plain.clone()) {
            *name = Some(ident(&plain));
        }
    }
    for (name, overload) in names.iter_mut().zip(&ops.overloads) {
        if name.is_some() || !overload.method {
            continue;
        }
        let op = &overload.schema.name;
        let mut long = format!("{}_{}", op.base, marker(op).trim_start_matches("r#"));
        long = long.to_lowercase().replace('.', "_");
        while !taken.insert(long.clone()) {
            long.push('_');
        }
        *name = Some(ident(&long));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schema_words_become_identifiers() {
        let table = [
            ("other", "other"),
            ("where", "r#where"),
            ("self", "self_"),
            ("Self", "Self_"),
            ("crate", "crate_"),
            ("yield", "r#yield"),
            ("a.b", "a_b"),
            ("_", "__"),
        ];
        for (word, rust) in table {
            assert_eq!(ident(word), rust);
        }
    }
}
