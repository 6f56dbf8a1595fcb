//! Every name that generated code shares with somebody, made in one place.
//!
//! | schema | Rust | Python | C, with the prefix `ow` |
//! |---|---|---|---|
//! | `add.Tensor` | module `add`, marker `Tensor` | `add` | `ow_add_tensor` |
//! | `relu` | module `relu`, marker `Default_` | `relu` | `ow_relu` |
//! | `where.self` | module `r#where`, marker `self_` | `where` | `ow_where_self` |
//! | `add_.Tensor` | module `add_`, marker `Tensor` | `add_` | `ow_add_tensor_` |
//! | `__and__.Scalar` | module `__and__`, marker `Scalar` | `__and__` | `ow_dunder_and_scalar` |
//! | `_softmax` | module `_softmax` | `_softmax` | `ow_internal_softmax` |
//! | overload `a.b` | marker `a_b` | | `a_b` |
//! | overload `rt` | marker `rt_`: beside it, `rt` is the runtime | | `rt` |
//! | parameter `self` | `self_` | `input` in a function if it is a `Tensor`, else `self` | `self` |
//! | parameter `from`, `default` | `from`, `default` | `from`, `default` | `from`, `default_` |
//!
//! Names in Go have a table of their own, in `names/go.rs`.
//!
//! What these functions return can be used as it is: Rust names are valid
//! identifiers, with `r#` where Rust needs it.

use std::collections::BTreeSet;

mod go;

pub use go::{GoName, go_base, go_field, go_functions, go_param, go_receiver, is_integers};

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

/// What no parameter in C can be called: keywords of C and C++, and macros of headers and compilers.
#[rustfmt::skip]
const C_WORDS: [&str; 127] = [
    "EOF", "I", "NULL", "_Alignas", "_Alignof", "_Atomic", "_Bool", "_Complex", "_Generic",
    "_Imaginary", "_Noreturn", "_Static_assert", "_Thread_local", "alignas", "alignof", "and",
    "and_eq", "asm", "assert", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
    "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl",
    "complex", "concept", "const", "const_cast", "consteval", "constexpr", "constinit", "continue",
    "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "errno",
    "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "i386", "if",
    "imaginary", "inline", "int", "linux", "long", "major", "makedev", "minor", "mutable",
    "namespace", "new", "noexcept", "noreturn", "not", "not_eq", "nullptr", "offsetof", "operator",
    "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast", "requires",
    "restrict", "return", "setjmp", "short", "signed", "sizeof", "static", "static_assert",
    "static_cast", "stderr", "stdin", "stdout", "struct", "switch", "template", "this",
    "thread_local", "throw", "true", "try", "typedef", "typeid", "typename", "typeof",
    "typeof_unqual", "union", "unix", "unsigned", "using", "va_arg", "va_copy", "va_end",
    "va_start", "virtual", "void", "volatile", "wchar_t", "while", "xor",
];

/// The function of an overload in a library for C with this prefix. An entry may say another
/// `base` name.
pub fn c_function(prefix: &str, name: &OpName, base: Option<&str>) -> String {
    let mut words = vec![prefix];
    words.extend(name.namespace.as_deref().filter(|it| *it != "aten"));
    match base {
        Some(base) => words.push(base),
        None => {
            let BaseName { root, dunder, functional, .. } = &name.base;
            words.extend(dunder.then_some("dunder"));
            words.extend(root.starts_with('_').then_some("internal"));
            words.push(root);
            words.extend(functional.then_some("functional"));
        }
    }
    let overload = name.overload.to_lowercase();
    words.extend((!overload.is_empty()).then_some(overload.as_str()));
    // C++ keeps double underscores for itself.
    let all = words.join("_").replace('.', "_");
    let parts: Vec<&str> = all.split('_').filter(|it| !it.is_empty()).collect();
    let end = if name.base.inplace || all.ends_with('_') { "_" } else { "" };
    format!("{}{end}", parts.join("_"))
}

/// The name of a type of a crate in C, without the prefix: `LabelledArc` is `labelled_arc`.
pub fn c_struct(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let mut word = String::new();
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map_or('_', |it| letters[it]);
        let ends = letters.get(at + 1).is_some_and(|it| it.is_lowercase());
        let begins = letter.is_uppercase() && (!before.is_uppercase() || ends);
        if (begins || *letter == '_') && !word.is_empty() && !word.ends_with('_') {
            word.push('_');
        }
        word.extend(letter.to_lowercase().filter(|it| *it != '_'));
    }
    word
}

/// The name of a parameter in C, if no result is called so.
pub fn c_param(name: &str) -> String {
    match C_WORDS.binary_search(&name) {
        Ok(_) => format!("{name}_"),
        Err(_) => name.to_owned(),
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
    use opwright_diagnostics::diag::Diagnostics;

    use super::*;
    use crate::model::{SourceId, Span};
    use crate::parse::parse_op_name;

    fn named(text: &str) -> OpName {
        let (mut cx, span) = (Diagnostics::new(), Span::new(SourceId(0), 0..text.len()));
        let name = parse_op_name(&mut cx, text, &span).expect("a name");
        assert!(cx.finish().is_ok());
        name.value
    }

    #[test]
    fn words_of_c_are_sorted() {
        assert!(C_WORDS.is_sorted());
        assert_eq!((c_param("default"), c_param("self")), ("default_".into(), "self".into()));
    }

    #[test]
    fn types_of_a_crate_have_words_in_c() {
        for (name, word) in [
            ("Interval", "interval"),
            ("LabelledArc", "labelled_arc"),
            ("HTTPServer", "http_server"),
            ("Vec2D", "vec2_d"),
            ("_Odd__one", "odd_one"),
        ] {
            assert_eq!(c_struct(name), word);
        }
    }

    #[test]
    fn operators_become_functions_of_c() {
        let table = [
            ("add.Tensor", "ow_add_tensor"),
            ("add_.Tensor", "ow_add_tensor_"),
            ("relu_", "ow_relu_"),
            ("_softmax.out", "ow_internal_softmax_out"),
            ("_foreach_add_.List", "ow_internal_foreach_add_list_"),
            ("__and__.Tensor", "ow_dunder_and_tensor"),
            ("__iand__.Scalar", "ow_dunder_and_scalar_"),
            ("range.out_", "ow_range_out_"),
            ("my::op", "ow_my_op"),
            ("sum.dim_IntList", "ow_sum_dim_intlist"),
            ("where.a__b", "ow_where_a_b"),
        ];
        for (schema, function) in table {
            assert_eq!(c_function("ow", &named(schema), None), function);
        }
        assert_eq!(c_function("ow", &named("mm.out"), Some("product")), "ow_product_out");
    }

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
