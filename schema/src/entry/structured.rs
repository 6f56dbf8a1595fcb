//! The keys of structured operators: `structured`, `structured_delegate`,
//! `structured_inherits`, `precomputed`, `ufunc_inner_loop`.

use opwright_diagnostics::diag::Diagnostics;

use crate::codes;
use crate::keys::{Field, split};
use crate::model::{OpName, Param, Span, Spanned, Structured};
use crate::parse::{is_identifier, parse_op_name, parse_param};
use crate::yaml::YamlValue;

/// `structured: True`, `False`, the name of a rule, or of the out overload that
/// has it.
pub(super) fn structured(cx: &mut Diagnostics, field: &Field<'_, '_>) -> Structured {
    match (field.node.bool(), field.node.string()) {
        (Some(true), _) => Structured::Function(field.key_span.clone()),
        (Some(false), _) => Structured::No,
        (None, Some(rule)) if is_identifier(rule) => {
            Structured::Rule(Spanned::new(rule.to_owned(), field.node.text_span()))
        }
        (None, Some(name)) if name.contains('.') => {
            let name = parse_op_name(cx, name, &field.node.text_span());
            name.map_or(Structured::No, Structured::As)
        }
        (None, _) => {
            field.wrong(cx, "`True`, `False` or the name of a rule");
            Structured::No
        }
    }
}

/// `structured_delegate: <operator>`.
pub(super) fn delegate(cx: &mut Diagnostics, field: &Field<'_, '_>) -> Option<Spanned<OpName>> {
    let text = field.str(cx)?;
    let name = parse_op_name(cx, text.value, &text.span)?;
    if name.value.namespace.is_some() {
        cx.error(codes::NAMESPACE, &name.span, "a structured delegate takes no namespace")
            .help("it is looked up in the namespace of the entry itself");
        return None;
    }
    Some(name)
}

/// `structured_inherits: <class>`: a C++ class, checked and forgotten.
pub(super) fn inherits(cx: &mut Diagnostics, field: &Field<'_, '_>) {
    let Some(text) = field.str(cx) else { return };
    if text.value.contains("::") {
        cx.error(codes::NAMESPACE, &text.span, "the inherited class takes no namespace")
            .help("write the name alone");
    } else if !is_identifier(text.value) {
        let message = format!("`{}` is not the name of a class", text.value);
        cx.error(codes::NAME, &text.span, message);
    }
}

/// Parameters that `precomputed` replaces, by name.
pub(super) fn precomputed(cx: &mut Diagnostics, field: &Field<'_, '_>) -> Vec<Spanned<String>> {
    let items = field.list(cx);
    let mut replaced = Vec::new();
    let last = items.len().saturating_sub(1);
    for (idx, item) in items.iter().enumerate() {
        let parts: Vec<_> = split(&item.value, &item.span, " -> ").collect();
        let values = match parts.as_slice() {
            [arg, values] => {
                if is_identifier(arg.value) {
                    replaced.push(arg.owned());
                } else {
                    not_a_parameter(cx, arg);
                }
                values
            }
            [values] if idx == last => values,
            [_] => {
                cx.error(codes::PRECOMPUTED, &item.span, "this item replaces no parameter")
                    .note("only the last item may add values without replacing a parameter")
                    .help("write `<parameter> -> <type> <name>`");
                continue;
            }
            _ => {
                cx.error(codes::PRECOMPUTED, &item.span, "there is more than one ` -> `")
                    .help("write one item per parameter");
                continue;
            }
        };
        for value in split(values.value, &values.span, ",") {
            precomputed_value(cx, &value.trimmed());
        }
    }
    if items.is_empty() && matches!(&field.node.value, YamlValue::Sequence(_)) {
        field.wrong(cx, "at least one parameter");
    }
    replaced
}

fn not_a_parameter(cx: &mut Diagnostics, arg: &Spanned<&str>) {
    let message = format!("`{}` is not the name of a parameter", arg.value);
    cx.error(codes::PRECOMPUTED, &arg.span, message);
}

fn precomputed_value(cx: &mut Diagnostics, text: &Spanned<&str>) -> Option<Param> {
    let param = parse_param(cx, text.value, &text.span)?;
    let name = &param.name;
    if name.value == name.value.to_uppercase() {
        let message = format!("`{}` is written in capitals", name.value);
        cx.error(codes::PRECOMPUTED, &name.span, message)
            .note("names in capitals belong to the generated class")
            .help(format_args!("call it `{}`", name.value.to_lowercase()));
    }
    Some(param)
}

/// Keys of an inner loop.
const LOOPS: [&str; 7] = [
    "Generic",
    "ScalarOnly",
    "CPUScalar",
    "CPUVector",
    "CUDAFunctor",
    "CUDAFunctorOnOther",
    "CUDAFunctorOnSelf",
];

/// Groups of dtypes and single dtypes.
const DTYPES: [&str; 32] = [
    "All",
    "AllAndComplex",
    "Floating",
    "Integral",
    "Complex",
    "FloatingAndComplex",
    "IntegralAndBool",
    "Byte",
    "Char",
    "Short",
    "Int",
    "Long",
    "Half",
    "Float",
    "Double",
    "ComplexHalf",
    "ComplexFloat",
    "ComplexDouble",
    "Bool",
    "BFloat16",
    "Float8_e5m2",
    "Float8_e5m2fnuz",
    "Float8_e4m3fn",
    "Float8_e4m3fnuz",
    "Float8_e8m0fnu",
    "Float4_e2m1fn_x2",
    "UInt16",
    "UInt32",
    "UInt64",
    "Int8",
    "Int16",
    "Int32",
];

/// `ufunc_inner_loop: name (Dtypes)`, or a mapping of loops to that.
pub(super) fn inner_loop(cx: &mut Diagnostics, field: &Field<'_, '_>) {
    let YamlValue::Mapping(pairs) = &field.node.value else {
        if let Some(text) = field.str(cx) {
            inner_loop_value(cx, &text);
        }
        return;
    };
    for (key, value) in pairs {
        match key.text() {
            Some(text) if LOOPS.contains(&text) => {}
            text => {
                let text = text.unwrap_or_default();
                let message = format!("unknown inner loop `{text}`");
                cx.error(codes::UFUNC, &key.span, message).choose(text, &LOOPS);
            }
        }
        match value.string() {
            Some(text) => {
                inner_loop_value(cx, &Spanned::new(text, value.text_span()));
            }
            None => {
                let message = format!("expected a function, found {}", value.describe());
                cx.error(codes::UFUNC, &value.span, message);
            }
        }
    }
}

/// `name (AllAndComplex, BFloat16)`.
fn inner_loop_value(cx: &mut Diagnostics, text: &Spanned<&str>) {
    let shape = text.value.split_once(" (").and_then(|(name, rest)| {
        rest.strip_suffix(')').filter(|_| is_identifier(name)).map(|rest| (name, rest))
    });
    let Some((name, dtypes)) = shape else {
        let message = format!("`{}` is not an inner loop", text.value);
        cx.error(codes::UFUNC, &text.span, message).help("write `name (Dtype, Dtype)`");
        return;
    };
    let start = text.span.range.start + name.len() + 2;
    let span = match text.span.range.len() == text.value.len() {
        true => Span::new(text.span.source, start..start + dtypes.len()),
        false => text.span.clone(),
    };
    for dtype in split(dtypes, &span, ", ") {
        if !DTYPES.contains(&dtype.value) {
            let message = format!("unknown dtype `{}`", dtype.value);
            cx.error(codes::UFUNC, &dtype.span, message).suggest(dtype.value, DTYPES);
        }
    }
}
