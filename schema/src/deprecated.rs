//! Older signatures that still work: `deprecated.yaml`, and the key
//! `deprecated` of an entry.
//!
//! An item gives the old schema, and the call of an operator that replaces
//! it. The call may be left out; then each parameter keeps its name.

use opwright_diagnostics::diag::Diagnostics;
use opwright_diagnostics::source::Sources;

use crate::codes;
use crate::index::Index;
use crate::keys::{Keys, split_commas};
use crate::model::{
    BaseType, Default, Deprecated, Overload, Param, Passed, Role, Schema, SourceId, Spanned, Type,
};
use crate::parse::{is_identifier, parse_schema};
use crate::types::Natives;
use crate::yaml::{self, YamlNode, YamlValue};

/// Reads the file, and the keys of the operators that have one.
pub(crate) fn read(
    cx: &mut Diagnostics,
    sources: &Sources,
    file: Option<SourceId>,
    index: &Index<'_>,
    natives: Natives<'_>,
    keys: &[YamlNode<'_>],
) -> Vec<Deprecated> {
    let mut found = Vec::new();
    for node in file.map(|it| yaml::entries(cx, sources, it)).unwrap_or_default() {
        if let Some(item) = item(cx, natives, &node) {
            found.extend(resolve(cx, &item, index));
        }
    }
    for node in keys {
        let items = match &node.value {
            YamlValue::Sequence(items) => items.as_slice(),
            YamlValue::Scalar { .. } | YamlValue::Mapping(_) => std::slice::from_ref(node),
        };
        for node in items {
            if let Some(item) = item(cx, natives, node) {
                found.extend(resolve(cx, &item, index));
            }
        }
    }
    found
}

/// An old signature as written.
struct DeprecatedParam {
    schema: Schema,
    call: Option<DeprecatedCall>,
}

/// `name_out(out, self, other, 1)`.
struct DeprecatedCall {
    function: Spanned<String>,
    arguments: Vec<Spanned<String>>,
}

/// A mapping with `name` and `aten`, or a schema alone.
fn item(
    cx: &mut Diagnostics,
    natives: Natives<'_>,
    node: &YamlNode<'_>,
) -> Option<DeprecatedParam> {
    if let Some(text) = node.string() {
        let schema = parse_schema(cx, natives, text, &node.text_span()).sound()?;
        return Some(DeprecatedParam { schema, call: None });
    }
    let mut keys = Keys::open(cx, node, "a deprecated signature")?;
    let name = keys.take("name");
    let call = keys.take("aten").or_else(|| keys.take("call"));
    let start =
        name.as_ref().or(call.as_ref()).map_or_else(|| keys.start(), |it| it.key_span.clone());
    keys.finish(cx, &["name", "aten", "call"]);
    let Some(name) = name else {
        cx.error(codes::MISSING_KEY, &start, "this deprecated signature has no `name`")
            .help("it holds the old schema");
        return None;
    };
    let text = name.str(cx);
    let call = call.map(|it| it.string(cx).and_then(|it| parse_call(cx, &it)));
    let schema = text.and_then(|it| parse_schema(cx, natives, it.value, &it.span).sound())?;
    match call {
        Some(call) => Some(DeprecatedParam { schema, call: Some(call?) }),
        None => Some(DeprecatedParam { schema, call: None }),
    }
}

fn parse_call(cx: &mut Diagnostics, text: &Spanned<String>) -> Option<DeprecatedCall> {
    let open = text.value.find('(').filter(|_| text.value.ends_with(')'));
    let name = open.map(|at| &text.value[..at]).filter(|it| is_identifier(it));
    let (Some(open), Some(name)) = (open, name) else {
        let message = format!("`{}` is not a call", text.value);
        cx.error(codes::DEPRECATED_CALL, &text.span, message).help("write `name(self, other, 1)`");
        return None;
    };
    let part = |start: usize, end: usize| {
        let mut span = text.span.clone();
        if span.range.len() == text.value.len() {
            span.range = span.range.start + start..span.range.start + end;
        }
        Spanned::new(text.value[start..end].to_owned(), span)
    };
    let inner = part(open + 1, text.value.len() - 1);
    let arguments = match inner.value.trim().is_empty() {
        true => Vec::new(),
        false => split_commas(&inner.value, &inner.span).map(|it| it.trimmed().owned()).collect(),
    };
    Some(DeprecatedCall { function: part(0, name.len()), arguments })
}

/// Every operator that the signature stands for, usually one.
fn resolve(cx: &mut Diagnostics, item: &DeprecatedParam, index: &Index<'_>) -> Vec<Deprecated> {
    let Some(values) = values(cx, item) else { return Vec::new() };
    let schema = &item.schema;
    let called = item.call.as_ref().map(|it| it.function.value.as_str());
    let base = schema.name.base.to_string();
    let base = called.map_or(base.as_str(), |it| it.strip_suffix("_out").unwrap_or(it));
    let is_out = schema.outs().next().is_some();
    let mut found = Vec::new();
    let mut same_name = Vec::new();
    for (idx, overload) in index.overloads().iter().enumerate() {
        if overload.schema.name.base.to_string() != base {
            continue;
        }
        same_name.push(overload);
        if let Some(arguments) = bind(item, values.as_deref(), &overload.schema, is_out) {
            let schema = schema.clone();
            let span = schema.span.clone();
            found.push(Deprecated { schema, span, target: idx, arguments });
        }
    }
    if found.is_empty() && !index.has_broken_base(base) {
        no_target(cx, item, base, &same_name, index);
    }
    found
}

/// What a call passes, in its order; nothing if parameters keep their names.
fn values(cx: &mut Diagnostics, item: &DeprecatedParam) -> Option<Option<Vec<Passed>>> {
    let Some(call) = &item.call else { return Some(None) };
    let mut values = Vec::new();
    for argument in &call.arguments {
        if let Some((idx, _)) = item.schema.param(&argument.value) {
            values.push(Passed::Param(idx));
        } else if let Ok(number) = argument.value.parse::<i64>() {
            values.push(Passed::Literal(Default::Int(number)));
        } else {
            let message = format!("`{}` is no parameter of the old signature", argument.value);
            let names = item.schema.params.iter().map(|it| it.name.value.as_str());
            cx.error(codes::DEPRECATED_CALL, &argument.span, message)
                .suggest(&argument.value, names)
                .note("an argument is a parameter's name or an integer");
            return None;
        }
    }
    Some(Some(values))
}

/// Where each of the target's parameters gets its value, if the types agree.
fn bind(
    item: &DeprecatedParam,
    values: Option<&[Passed]>,
    target: &Schema,
    is_out: bool,
) -> Option<Vec<Passed>> {
    let types = |schema: &Schema| -> Vec<_> {
        schema.returns.iter().map(|it| (it.ty.value.clone(), it.alias().cloned())).collect()
    };
    let same_returns = types(&item.schema) == types(target);
    if !same_returns || is_out != target.outs().next().is_some() {
        return None;
    }
    let Some(values) = values else { return bind_by_name(item, target) };
    if values.len() > target.params.len() {
        return None;
    }
    // A call of an out variant passes the out arguments first.
    let mut order: Vec<usize> = (0..target.params.len()).collect();
    order.sort_by_key(|idx| target.params[*idx].role != Role::Out);
    let mut arguments = vec![Passed::TargetDefault; target.params.len()];
    for (position, idx) in order.into_iter().enumerate() {
        let param = &target.params[idx];
        match values.get(position) {
            Some(value) if fits(value, &item.schema, param) => arguments[idx] = value.clone(),
            Some(_) => return None,
            None if param.default.is_none() => return None,
            None => {}
        }
    }
    Some(arguments)
}

fn bind_by_name(item: &DeprecatedParam, target: &Schema) -> Option<Vec<Passed>> {
    let unknown = item.schema.params.iter().any(|it| target.param(&it.name.value).is_none());
    if unknown {
        return None;
    }
    let value = |param: &Param| match item.schema.param(&param.name.value) {
        Some((idx, _)) => {
            let value = Passed::Param(idx);
            fits(&value, &item.schema, param).then_some(value)
        }
        None => param.default.as_ref().map(|_| Passed::TargetDefault),
    };
    target.params.iter().map(value).collect()
}

fn fits(value: &Passed, old: &Schema, param: &Param) -> bool {
    match value {
        Passed::Param(idx) => {
            let given = &old.params[*idx];
            given.ty.value == param.ty.value && given.alias() == param.alias()
        }
        Passed::Literal(_) => {
            matches!(param.ty.value, Type::Base(BaseType::Scalar | BaseType::Int))
        }
        Passed::TargetDefault => param.default.is_some(),
    }
}

fn no_target(
    cx: &mut Diagnostics,
    item: &DeprecatedParam,
    base: &str,
    same_name: &[&Overload],
    index: &Index<'_>,
) {
    let span = item.call.as_ref().map_or(&item.schema.name_span, |it| &it.function.span);
    let message = match same_name {
        [] => format!("there is no operator `{base}`"),
        _ => format!("no overload of `{base}` takes these arguments"),
    };
    let error = cx.error(codes::DEPRECATED_TARGET, span, message);
    if same_name.is_empty() {
        error.suggest(base, index.base_names().iter().map(String::as_str));
    }
    for overload in same_name {
        error.also(&overload.schema.name_span, "not this one");
    }
    if !same_name.is_empty() {
        error
            .note("types and annotations must be the same, and what is not passed needs a default")
            .help("pass the arguments of one of these overloads, in its order");
    }
}
