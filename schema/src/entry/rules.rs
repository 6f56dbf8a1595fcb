//! Rules among the keys of one entry and its schema.

use opwright_diagnostics::diag::Diagnostics;

use super::draft::Draft;
use super::functional;
use super::python::MODULES;
use crate::codes;
use crate::dispatch_key::Fills;
use crate::model::{
    BaseType, DispatchKey, Kind, OptionsCategory, Param, Role, Schema, Span, Spanned, Structured,
};
use crate::names::is_python_keyword;

/// Kernels of a structured operator, which its variants must not have.
const STRUCTURED_KEYS: [&str; 5] = ["CPU", "CUDA", "MPS", "XPU", "MTIA"];

/// Part of the name of operators that draw random numbers.
const RANDOM: &str = "rand";

/// The same, or part of the name of a parameter; but what such an operator
/// left out is known to its backward form.
const DROPOUT: &str = "dropout";

/// The tag of operators that draw random numbers.
const SEEDED: &str = "nondeterministic_seeded";

/// Rules that hold whatever the schema is.
pub(super) fn check_keys(cx: &mut Diagnostics, draft: &Draft<'_>, tags: &[&str]) {
    module(cx, draft);
    operators(cx, draft);
    structured_keys(cx, draft);
    structured_dispatch(cx, draft);
    manual_kernel(cx, draft);
    forwarded(cx, draft);
    two_composites(cx, draft);
    known_tags(cx, draft, tags);
}

/// Rules among the keys and the schema. An entry of a file has its kernels in
/// its dispatch table; those of an annotated function are what it is.
pub(super) fn check(cx: &mut Diagnostics, draft: &Draft<'_>, schema: &Schema, from_file: bool) {
    namespace(cx, schema);
    keyword(cx, draft, schema);
    method(cx, draft, schema);
    parameters(cx, draft, schema);
    structured(cx, draft, schema);
    if from_file {
        redundant_dispatch(cx, draft, schema);
        missing_dispatch(cx, draft, schema);
    }
    if let Some(function) = &draft.python.functional {
        functional::check(cx, function, schema);
    }
    missing_tags(cx, draft, schema);
    lists(cx, draft, schema);
}

fn namespace(cx: &mut Diagnostics, schema: &Schema) {
    let levels = schema.name.namespace.as_ref().map_or(0, |it| it.split("::").count());
    if levels > 1 {
        let message = format!("`{}` has more than one namespace", schema.name);
        cx.error(codes::NAMESPACE, &schema.name_span, message).help("write one, or none");
    }
}

/// An operator that Python has has a name that Python can say.
fn keyword(cx: &mut Diagnostics, draft: &Draft<'_>, schema: &Schema) {
    let name = schema.name.base.to_string();
    let bound = draft.python.name.is_none() && !draft.python.skip && !draft.manual_binding;
    if bound && is_python_keyword(&name) {
        let message = format!("`{name}` is a keyword of Python, so nobody could call it");
        cx.error(codes::KEYWORD_OPERATOR, &schema.name_span, message)
            .help("call it something else")
            .help("in an entry, `python: {name: ...}` gives it another name in Python alone");
    }
}

/// A method has a receiver and no out parameters.
fn method(cx: &mut Diagnostics, draft: &Draft<'_>, schema: &Schema) {
    let name = &schema.name;
    if draft.method && schema.receiver().is_none() {
        cx.error(codes::METHOD, &schema.name_span, format_args!("method `{name}` has no `self`"))
            .help("call the parameter that stands before the dot `self`, or remove `variants`");
    }
    if draft.method && schema.outs().next().is_some() {
        let message = format!("`{name}` has out parameters and cannot be a method");
        cx.error(codes::METHOD, &schema.name_span, message).help("remove `variants`");
    }
}

/// Python calls methods for its operators.
fn operators(cx: &mut Diagnostics, draft: &Draft<'_>) {
    if let (Some(first), false) = (draft.python.operators.first(), draft.method) {
        let message = format!("`{}` is a method of Python, and this is none", first.value);
        cx.error(codes::KEYS_CLASH, &first.span, message)
            .help("write `variants: function, method`, or remove `operators`");
    }
}

/// The module of a function, of which there are a few.
fn module(cx: &mut Diagnostics, draft: &Draft<'_>) {
    let Some(module) = &draft.python_module else { return };
    if draft.method {
        let message = format!("a method cannot be in module `{}`", module.value);
        cx.error(codes::KEYS_CLASH, &module.span, message)
            .help("remove `python_module`, or `method` from `variants`");
    }
    if !MODULES.contains(&module.value.as_str()) {
        let message = format!("unknown module `{}`", module.value);
        cx.error(codes::UNKNOWN_VALUE, &module.span, message).choose(&module.value, &MODULES);
    }
}

/// Names of parameters, and keys that name parameters.
fn parameters(cx: &mut Diagnostics, draft: &Draft<'_>, schema: &Schema) {
    for param in &schema.params {
        let name = &param.name;
        if is_python_keyword(&name.value) && !is_lower_bound(schema, param) {
            let message = format!("parameter `{}` is a keyword of Python", name.value);
            cx.error(codes::KEYWORD_PARAMETER, &name.span, message)
                .help(format_args!("call it `{}_`", name.value));
        }
        if name.value.starts_with("__") {
            let message = format!("the name `{}` is reserved", name.value);
            cx.error(codes::RESERVED_PARAMETER, &name.span, message)
                .note("for Python, two underscores in front mean that nobody passes it by name")
                .help("remove one of them");
        }
        if name.value == "requires_grad" && draft.options(schema) != OptionsCategory::None {
            let message = "the name `requires_grad` is reserved";
            cx.error(codes::RESERVED_PARAMETER, &name.span, message)
                .note("operators that make tensors get this keyword in Python by themselves")
                .help("remove the parameter, or call it something else");
        }
    }
    for name in &draft.no_default {
        no_default(cx, name, schema);
    }
    keyword_aliases(cx, draft, schema);
    if let Some((_, replaced)) = &draft.precomputed {
        for name in replaced {
            if schema.param(&name.value).is_none() {
                unknown_parameter(cx, name, schema);
            }
        }
    }
}

/// `from` is a good name beside a `to`, and does no harm in private operators:
/// both are called by position.
fn is_lower_bound(schema: &Schema, param: &Param) -> bool {
    let private = schema.name.base.root.starts_with('_');
    let positional = param.role == Role::Positional && param.name.value == "from";
    positional && (private || schema.param("to").is_some())
}

fn no_default(cx: &mut Diagnostics, name: &Spanned<String>, schema: &Schema) {
    match schema.param(&name.value) {
        None => unknown_parameter(cx, name, schema),
        Some((_, param)) if param.default.is_none() => {
            let message = format!("`{}` has no default to leave out", name.value);
            cx.error(codes::UNKNOWN_PARAMETER, &name.span, message)
                .also(&param.name.span, "declared here")
                .help("remove it from the list");
        }
        Some(_) => {}
    }
}

fn unknown_parameter(cx: &mut Diagnostics, name: &Spanned<String>, schema: &Schema) {
    let message = format!("`{}` has no parameter `{}`", schema.name, name.value);
    cx.error(codes::UNKNOWN_PARAMETER, &name.span, message)
        .suggest(&name.value, schema.params.iter().map(|it| it.name.value.as_str()));
}

/// Further names of parameters, which must not be those of others.
fn keyword_aliases(cx: &mut Diagnostics, draft: &Draft<'_>, schema: &Schema) {
    let mut seen: Vec<&Spanned<String>> = Vec::new();
    for (param, aliases) in &draft.python.keyword_aliases {
        if schema.param(&param.value).is_none() {
            unknown_parameter(cx, param, schema);
        }
        for alias in aliases {
            let declared = schema.param(&alias.value).map(|(_, it)| &it.name);
            let other =
                declared.or_else(|| seen.iter().copied().find(|it| it.value == alias.value));
            if let Some(other) = other {
                let message = format!("alias `{}` is the name of another parameter", alias.value);
                cx.error(codes::DUPLICATE_PARAMETER, &alias.span, message)
                    .also(&other.span, "this one")
                    .help("choose another alias");
            }
            seen.push(alias);
        }
    }
}

/// Only an out variant is structured; the others delegate to it.
fn structured(cx: &mut Diagnostics, draft: &Draft<'_>, schema: &Schema) {
    let is_out = matches!(schema.kind(), Kind::Out | Kind::Scratch);
    if let (Some(span), false) = (draft.structured_span(), is_out || draft.derive.has_out()) {
        cx.error(codes::STRUCTURED, span, "only an out variant can be structured")
            .help("put `structured` on the out variant, and `structured_delegate` here");
    }
    if let (Some(delegate), true) = (&draft.delegate, is_out) {
        let message = "an out variant cannot delegate to a structured operator";
        cx.error(codes::STRUCTURED, &delegate.span, message)
            .help("did you mean `structured: True`?");
    }
}

/// Keys that need `structured`, or that it excludes.
fn structured_keys(cx: &mut Diagnostics, draft: &Draft<'_>) {
    let own = draft.structured_span();
    let takes_part = own.is_some() || draft.delegate.is_some();
    let guard = draft.device_guard.as_ref().filter(|it| !it.value && takes_part);
    if let Some(guard) = guard {
        let message = "`device_guard: False` has no effect on a structured operator";
        cx.error(codes::STRUCTURED, &guard.span, message).help("remove it");
    }
    let needs = [
        ("structured_inherits", draft.inherits.as_ref()),
        ("precomputed", draft.precomputed.as_ref().map(|(span, _)| span)),
        ("ufunc_inner_loop", draft.inner_loop.as_ref()),
    ];
    for (key, span) in needs {
        if let (Some(span), None) = (span, own) {
            cx.error(codes::STRUCTURED, span, format_args!("`{key}` needs `structured: True`"))
                .help("put it on a structured out variant, or remove it");
        }
    }
}

/// Kernels that come from elsewhere must not be listed.
fn structured_dispatch(cx: &mut Diagnostics, draft: &Draft<'_>) {
    if draft.delegate.is_none() && draft.inner_loop.is_none() {
        return;
    }
    for entry in &draft.dispatch {
        let key = entry.key.value.to_string();
        if draft.delegate.is_some() && STRUCTURED_KEYS.contains(&key.as_str()) {
            let message = format!("the kernel for `{key}` comes from the structured delegate");
            cx.error(codes::STRUCTURED, &entry.key.span, message)
                .help("remove this line, or `structured_delegate`");
        }
        if draft.inner_loop.is_some() && ["CPU", "CUDA"].contains(&key.as_str()) {
            let message = format!("the kernel for `{key}` comes from `ufunc_inner_loop`");
            cx.error(codes::UFUNC, &entry.key.span, message).help("remove this line");
        }
    }
}

/// A kernel that is registered by hand stands in no table.
fn manual_kernel(cx: &mut Diagnostics, draft: &Draft<'_>) {
    if let (Some(manual), Some(dispatch)) = (&draft.manual_kernel, &draft.dispatch_span) {
        let message = "`manual_kernel_registration` and `dispatch` exclude each other";
        cx.error(codes::KEYS_CLASH, dispatch, message)
            .also(manual, "the kernel is not from here")
            .help("remove one of them");
    }
}

/// An operator that another one does the work of has no kernels.
fn forwarded(cx: &mut Diagnostics, draft: &Draft<'_>) {
    let Some((forward, _)) = &draft.alias_of else { return };
    let others = [
        ("dispatch", draft.dispatch_span.as_ref()),
        ("structured", draft.structured_span()),
        ("structured_delegate", draft.delegate.as_ref().map(|it| &it.span)),
        ("manual_kernel_registration", draft.manual_kernel.as_ref()),
    ];
    for (key, span) in others {
        if let Some(span) = span {
            let message = format_args!("`alias_of` and `{key}` exclude each other");
            cx.error(codes::KEYS_CLASH, span, message)
                .also(forward, "the kernel follows from here")
                .help("remove one of them");
        }
    }
}

/// A composite implicit kernel needs no table if there is nothing else.
fn redundant_dispatch(cx: &mut Diagnostics, draft: &Draft<'_>, schema: &Schema) {
    let [only] = draft.dispatch.as_slice() else { return };
    if only.key.value != DispatchKey::CompositeImplicit {
        return;
    }
    let expected = kernel_name(schema);
    if only.kernel.value == expected {
        cx.error(codes::REDUNDANT_DISPATCH, &only.key.span, "this dispatch table says nothing")
            .note("without one, an operator has this very kernel")
            .help("remove `dispatch`");
    } else if draft.delegate.is_none() && !only.kernel.value.contains("_symint") {
        let message = format!("expected kernel `{expected}`, found `{}`", only.kernel.value);
        cx.error(codes::REDUNDANT_DISPATCH, &only.kernel.span, message)
            .help(format_args!("call the kernel `{expected}`, and remove `dispatch`"));
    }
}

/// What the kernel of an entry without a dispatch table is called.
fn kernel_name(schema: &Schema) -> String {
    match schema.outs().next() {
        Some(_) => format!("{}_out", schema.name.base),
        None => schema.name.base.to_string(),
    }
}

/// There is at most one composite kernel.
fn two_composites(cx: &mut Diagnostics, draft: &Draft<'_>) {
    const NESTED: &str = "CompositeImplicitAutogradNestedTensor";
    let is_composite = |key: &DispatchKey| match key {
        DispatchKey::Other(name) => {
            name == NESTED || name == "CompositeExplicitAutogradNonFunctional"
        }
        key => key.row().is_some_and(|it| !matches!(it.fills, Fills::Own(_))),
    };
    let composites: Vec<_> =
        draft.dispatch.iter().filter(|it| is_composite(&it.key.value)).collect();
    let [first, others @ ..] = composites.as_slice() else { return };
    let nested = |key: &DispatchKey| *key == DispatchKey::Other(NESTED.to_owned());
    let full = |key: &DispatchKey| {
        *key == DispatchKey::Other("CompositeExplicitAutogradNonFunctional".to_owned())
    };
    for second in others {
        let (one, two) = (&first.key.value, &second.key.value);
        let beside = (nested(one) != nested(two)) && !full(one) && !full(two);
        if beside && composites.len() == 2 {
            continue;
        }
        let message = format!("`{one}` and `{two}` exclude each other");
        cx.error(codes::COMPOSITE_DISPATCH, &second.key.span, message)
            .also(&first.key.span, "the first composite kernel")
            .note("a composite kernel serves every backend, so there can be one only")
            .help(
                "use `CompositeImplicit` if other operators do the work, else `CompositeExplicit`",
            );
    }
}

/// Operators that must not fall apart into others need kernels of their own.
fn missing_dispatch(cx: &mut Diagnostics, draft: &Draft<'_>, schema: &Schema) {
    let structured = draft.structured != Structured::No || draft.delegate.is_some();
    if draft.dispatch_span.is_some() || draft.alias_of.is_some() || structured {
        return;
    }
    let name = &schema.name.base;
    let why = if name.is_new() {
        "its name starts with `new_`"
    } else if name.is_like() {
        "its name ends in `_like`"
    } else if schema.has_options() && !schema.takes_tensors() && schema.kind() == Kind::Functional {
        "it makes a tensor from nothing"
    } else {
        return;
    };
    let message = format!("`{}` needs a dispatch table", schema.name);
    cx.error(codes::MISSING_DISPATCH, &schema.name_span, message)
        .note(format_args!("{why}, so it must not be taken apart into other operators"))
        .help(format_args!("add `dispatch:` with `CompositeExplicitAutograd: {name}`"));
}

fn known_tags(cx: &mut Diagnostics, draft: &Draft<'_>, tags: &[&str]) {
    for tag in &draft.tags {
        if tags.contains(&tag.value.as_str()) {
            continue;
        }
        cx.error(codes::UNKNOWN_TAG, &tag.span, format_args!("unknown tag `{}`", tag.value))
            .suggest(&tag.value, tags.iter().copied())
            .help("tags are declared in `tags.yaml`");
    }
}

fn missing_tags(cx: &mut Diagnostics, draft: &Draft<'_>, schema: &Schema) {
    let has = |tag: &str| draft.tags.iter().any(|it| it.value == tag);
    if has(SEEDED) {
        return;
    }
    let name = &schema.name;
    let name_has = |part: &str| name.base.root.contains(part) || name.overload.contains(part);
    let generator = schema.params.iter().find(|it| *it.ty.value.base() == BaseType::Generator);
    // What a key decides is not random: the same key draws the same numbers.
    let keyed = schema.param("key").is_some_and(|(_, it)| it.ty.value.is_tensor());
    let forward = !name_has("backward");
    let drops = schema.params.iter().find(|it| it.name.value.contains(DROPOUT));
    let (span, why): (&Span, String) = match (generator, drops.filter(|_| forward)) {
        (Some(param), _) => (&param.ty.span, "it takes a generator".to_owned()),
        _ if name_has(RANDOM) && !keyed => {
            (&schema.name_span, format!("its name contains `{RANDOM}`"))
        }
        _ if name_has(DROPOUT) && forward => {
            (&schema.name_span, format!("its name contains `{DROPOUT}`"))
        }
        (None, Some(param)) => {
            (&param.name.span, format!("it takes a probability `{}`", param.name.value))
        }
        (None, None) => return,
    };
    cx.error(codes::MISSING_TAG, span, format_args!("`{name}` lacks the tag `{SEEDED}`"))
        .note(format_args!("{why}, so it draws random numbers"))
        .help(format_args!("add `tags: {SEEDED}`"));
}

/// Operators on lists of tensors do not check devices.
fn lists(cx: &mut Diagnostics, draft: &Draft<'_>, schema: &Schema) {
    if draft.device_check && schema.name.base.root.starts_with("_foreach") {
        let message = format!("`{}` must not check devices", schema.name);
        cx.error(codes::DEVICE_CHECK, &schema.name_span, message)
            .note("tensors of a list may be on different devices")
            .help("add `device_check: NoCheck`");
    }
}
