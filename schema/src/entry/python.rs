//! The key `python`: what a Python binding says beside the schema.

use opwright_diagnostics::diag::Diagnostics;

use super::functional;
use super::python_name::check_name;
use crate::codes;
use crate::keys::{Field, Keys};
use crate::model::{Python, Spanned};
use crate::parse::is_identifier;
use crate::yaml::YamlValue;

/// Submodules that Python bindings can be in.
pub const MODULES: [&str; 6] = ["nn", "fft", "linalg", "special", "sparse", "nested"];

/// Every key below `python`.
pub const KEYS: [&str; 6] =
    ["name", "operators", "aliases", "keyword_aliases", "numbers", "functional"];

/// Reads `skip` or a mapping.
pub(super) fn read(cx: &mut Diagnostics, field: &Field<'_, '_>) -> Python {
    let mut python = Python::default();
    if let YamlValue::Scalar { .. } = &field.node.value {
        python.skip = field.choice(cx, &[("skip", true)]).unwrap_or_default();
        return python;
    }
    let Some(mut keys) = Keys::open(cx, field.node, "`skip` or details of the Python binding")
    else {
        return python;
    };
    if let Some(name) = keys.take("name") {
        python.name = name.string(cx).filter(|it| check_name(cx, it));
    }
    if let Some(operators) = keys.take("operators") {
        python.operators = operators.texts(cx);
        python.operators.retain(|it| check_operator(cx, it));
    }
    if let Some(aliases) = keys.take("aliases") {
        python.aliases = aliases.texts(cx);
        python.aliases.retain(|it| check_name(cx, it));
    }
    if let Some(aliases) = keys.take("keyword_aliases") {
        python.keyword_aliases = keyword_aliases(cx, &aliases);
    }
    if let Some(numbers) = keys.take("numbers") {
        python.numbers = numbers.bool(cx).unwrap_or_default();
    }
    if let Some(function) = keys.take("functional") {
        python.functional = functional::read(cx, &function);
    }
    keys.finish(cx, &KEYS);
    python
}

/// `{dim: [axis], keepdim: keepdims}`.
fn keyword_aliases(
    cx: &mut Diagnostics,
    field: &Field<'_, '_>,
) -> Vec<(Spanned<String>, Vec<Spanned<String>>)> {
    let Some(keys) = Keys::open(cx, field.node, "parameters and their further names") else {
        return Vec::new();
    };
    let mut all = Vec::new();
    for field in keys.rest() {
        let mut aliases = field.texts(cx);
        aliases.retain(|it| check_name(cx, it));
        all.push((Spanned::new(field.key.to_owned(), field.key_span.clone()), aliases));
    }
    all
}

fn check_operator(cx: &mut Diagnostics, name: &Spanned<String>) -> bool {
    let core = name.value.strip_prefix("__").and_then(|it| it.strip_suffix("__"));
    if core.is_some_and(is_identifier) {
        return true;
    }
    let message = format!("`{}` is not an operator method of Python", name.value);
    cx.error(codes::NAME, &name.span, message)
        .help("operator methods have two underscores on both sides, such as `__matmul__`");
    false
}
