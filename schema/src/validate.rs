//! Validation of single schemas, beside their form.

use opwright_diagnostics::diag::{Diagnostic, Diagnostics, nearest};

use crate::codes;
use crate::model::{
    AliasTarget, BaseType, Default, Kind, Param, Return, Role, Schema, Spanned, Type,
};
use crate::names::is_python_keyword;
use crate::types::Values;

/// Reports everything that is wrong with a schema that could be parsed.
pub fn validate(cx: &mut Diagnostics, schema: &Schema) {
    parts(cx, &schema.params, &schema.returns);
    too_many(cx, schema);
    unwritten_outs(cx, schema);
    out_parameters(cx, schema);
    mutable_parameters(cx, schema);
    returns(cx, schema);
    if schema.name.base.inplace {
        inplace(cx, schema);
    }
    kinds(cx, schema);
}

/// Reports what is wrong with parameters and returns whatever else the schema
/// holds, so that a part that could not be read hides none of it.
pub(crate) fn parts(cx: &mut Diagnostics, params: &[Param], returns: &[Return]) {
    parameters(cx, params);
    defaults(cx, params);
    return_names(cx, returns);
}

/// Each name once, and what has a default last.
fn parameters(cx: &mut Diagnostics, params: &[Param]) {
    let mut defaulted: Option<&Param> = None;
    for (idx, param) in params.iter().enumerate() {
        let name = &param.name;
        // A second set of tensor options is reported as such.
        let same = |it: &&Param| it.name.value == name.value && it.role != Role::Option;
        if let Some(first) = params[..idx].iter().find(same) {
            let message = format!("two parameters are called `{}`", name.value);
            cx.error(codes::DUPLICATE_PARAMETER, &name.span, message)
                .also(&first.name.span, "the first one")
                .help("rename one of them");
        }
        if param.role != Role::Positional {
            continue;
        }
        match (&param.default, defaulted) {
            (None, Some(before)) => {
                let message = format!(
                    "`{}` needs a default, because `{}` has one",
                    name.value, before.name.value
                );
                cx.error(codes::DEFAULT_ORDER, &name.span, message)
                    .also(&before.name.span, "this one may be left out")
                    .help("give it one, or move it in front, or after `*`");
            }
            (Some(_), None) => defaulted = Some(param),
            _ => {}
        }
    }
}

fn defaults(cx: &mut Diagnostics, params: &[Param]) {
    for param in params {
        let Some(default) = &param.default else { continue };
        let ty = &param.ty.value;
        if ty.admits(&default.value) {
            continue;
        }
        let message = format!("`{}` is not a value of type `{ty}`", default.value);
        let error = cx.error(codes::DEFAULT_TYPE, &default.span, message);
        error.also(&param.ty.span, "the type");
        default_help(error, &default.value, ty);
    }
}

/// What was probably meant.
fn default_help(error: &mut Diagnostic, default: &Default, ty: &Type) {
    let names = ty.base().words();
    match (default, ty) {
        (Default::None, _) => error.help(format_args!("make it optional: `{ty}?`")),
        (Default::Name(name), _) if ty.base().is_text() => {
            error.help(format_args!("write it in quotes: `'{name}'`"))
        }
        (Default::Str(..), _) if matches!(ty.base().row().values, Values::StrEnum(_)) => {
            error.help(format_args!("it is one of `'{}'`", names.join("'`, `'")))
        }
        (Default::Name(name), _) if nearest(name, names.iter().copied()).is_some() => {
            error.choose(name, &names)
        }
        (Default::Name(name), _) if name.eq_ignore_ascii_case("none") => {
            let optional = if matches!(ty, Type::Optional(_)) { "" } else { "?" };
            error.help(format_args!("write `None`, which is a value of type `{ty}{optional}`"))
        }
        // Numbers have few names, which say nothing to whoever meant none of them.
        (Default::Name(name), _) if !ty.base().is_number() && !names.is_empty() => {
            error.choose(name, &names)
        }
        (value, Type::List(element, None)) if element.admits(value) => {
            error.help(format_args!("write a list, or give the type a size: `{element}[1]`"))
        }
        (_, Type::Base(BaseType::Bool)) => error.help("write `True` or `False`"),
        (_, Type::Base(BaseType::Int | BaseType::SymInt)) => error.help("write a whole number"),
        (_, Type::Base(base)) if base.is_number() => error.help("write a number"),
        _ => error.help("write a value of that type, or change the type"),
    };
}

/// What a signature of Python has room for, without the `out` and the
/// `requires_grad` that it may get besides.
const MAX_PARAMS: usize = 30;

fn too_many(cx: &mut Diagnostics, schema: &Schema) {
    let Some(first) = schema.params.get(MAX_PARAMS) else { return };
    let message =
        format!("an operator takes {MAX_PARAMS} parameters at most, not {}", schema.params.len());
    cx.error(codes::TOO_MANY_PARAMETERS, &first.name.span, message)
        .label("the first one too many")
        .help("make a list of some of them, or several operators");
}

/// A keyword tensor called `out`, or that of an overload called `out`, is
/// written to.
fn unwritten_outs(cx: &mut Diagnostics, schema: &Schema) {
    let overload = schema.name.overload.as_str();
    let says_out = overload == "out" || overload.ends_with("_out");
    let wanted = says_out && !schema.params.iter().any(Param::writes);
    let tensors = || schema.keywords().filter(|it| it.ty.value.is_tensor_like());
    let mut called_out = tensors().filter(|it| is_called_out(&it.name.value)).peekable();
    if called_out.peek().is_some() {
        called_out.for_each(|it| unwritten_out(cx, it));
    } else if let (true, Some(last)) = (wanted, tensors().last()) {
        unwritten_out(cx, last);
    } else if wanted {
        let message = format!("overload `{}` has no out parameter", schema.name);
        cx.error(codes::UNWRITTEN_OUT, &schema.name_span, message)
            .help("add `*, Tensor(a!) out` and return `Tensor(a!)`, or give it another name");
    }
}

/// `out`, `out0`, `out1`.
fn is_called_out(name: &str) -> bool {
    name.strip_prefix("out").is_some_and(|it| it.bytes().all(|it| it.is_ascii_digit()))
}

fn unwritten_out(cx: &mut Diagnostics, param: &Param) {
    let name = &param.name.value;
    let written = param.ty.value.to_string().replacen("Tensor", "Tensor(a!)", 1);
    cx.error(codes::UNWRITTEN_OUT, &param.ty.span, format_args!("`{name}` is not written to"))
        .help(format_args!("write `{written} {name}`, and return `{written}`"));
}

/// Out parameters and returns are the same values in the same order.
fn out_parameters(cx: &mut Diagnostics, schema: &Schema) {
    let outs: Vec<&Param> = schema.outs().collect();
    if outs.is_empty() {
        return;
    }
    let returns = &schema.returns;
    for (out, ret) in outs.iter().zip(returns) {
        if out.alias() != ret.alias() {
            let message = format!("this return is not the out parameter `{}`", out.name.value);
            let error = cx.error(codes::OUT_RETURN, &ret.ty.span, message);
            error.also(&out.ty.span, "its place in the order");
            error.help("return out parameters in their order, with their annotations");
        }
    }
    let list = outs.iter().find(|it| !matches!(it.ty.value, Type::Base(_)));
    if let (Some(list), Some(first)) = (list, returns.first()) {
        let message = format!("`{}` is no single tensor, so nothing is returned", list.name.value);
        cx.error(codes::OUT_RETURN, &first.ty.span, message)
            .also(&list.ty.span, "the out parameter")
            .help("return `()`");
    } else if list.is_none() {
        let counted = outs.iter().filter(|it| !it.is_scratch()).count();
        if counted != returns.len() {
            let message =
                format!("{counted} out parameters and {} returns are not the same", returns.len());
            cx.error(codes::OUT_RETURN, &schema.name_span, message)
                .help("return each out parameter, but for those called `_scratch_...`");
        }
    }
}

/// What is mutated, and may or may not be returned.
fn mutable_parameters(cx: &mut Diagnostics, schema: &Schema) {
    let receiver = schema.self_index();
    for (idx, param) in schema.params.iter().enumerate() {
        if param.role != Role::Positional || !param.writes() || Some(idx) == receiver {
            continue;
        }
        let name = &param.name.value;
        if receiver.is_some_and(|it| idx < it) {
            let message = format!("`{name}` is mutated, but stands before `self`");
            cx.error(codes::MUTABLE_BEFORE_SELF, &param.ty.span, message)
                .help("move it behind `self`");
        } else if let Some(ret) = schema.returns.iter().find(|it| param.is_returned_as(it)) {
            let message = format!("`{name}` is mutated and returned");
            let error = cx.error(codes::RETURNED_MUTABLE, &ret.ty.span, message);
            error.also(&param.ty.span, "the parameter");
            error.note("of what an operator mutates, only `self` and out parameters are returned");
            match schema.name.base.inplace && receiver.is_none() {
                true => error.help(format_args!("call the parameter `self`, not `{name}`")),
                false => error.help("return `()`, or make it an out parameter"),
            };
        }
    }
}

/// Returns are all mutated or all fresh, and bound to parameters.
fn returns(cx: &mut Diagnostics, schema: &Schema) {
    let mutable: Vec<&Return> = schema.returns.iter().filter(|it| it.writes()).collect();
    let fresh = schema.returns.iter().find(|it| !it.writes());
    // What must not be returned at all is reported there.
    let mixed =
        mutable.iter().find(|it| !schema.mutable_params().any(|param| param.is_returned_as(it)));
    if let (Some(one), Some(other)) = (mixed, fresh) {
        let message = "some returns are mutated parameters and some are not";
        cx.error(codes::MIXED_RETURNS, &one.ty.span, message)
            .also(&other.ty.span, "this one is fresh")
            .help("do not return what is mutated");
    }
    for ret in mutable {
        let bound = schema.outs().chain(schema.receiver()).any(|it| it.is_returned_as(ret));
        // A mutable positional parameter that is returned is reported there.
        if !bound && !schema.mutable_params().any(|it| it.is_returned_as(ret)) {
            let message = "this return is neither `self` nor an out parameter";
            cx.error(codes::UNBOUND_RETURN, &ret.ty.span, message)
                .help("give the parameter the same annotation; out parameters follow `*`");
        }
    }
    dangling(cx, schema);
}

/// An alias set of a return is one that some parameter is in.
fn dangling(cx: &mut Diagnostics, schema: &Schema) {
    for ret in schema.returns.iter().filter(|it| !it.writes()) {
        let Some(annotation) = &ret.annotation else { continue };
        let entered = |letter: char| schema.params.iter().any(|it| it.is_in_set(letter));
        for letter in annotation.value.before.iter().filter(|it| !entered(**it)) {
            let message = format!("no parameter is in alias set `{letter}`");
            cx.error(codes::DANGLING_ALIAS, &annotation.span, message)
                .help("annotate the parameter that the return is a view of");
        }
    }
}

/// All returns have names, or none, and each its own.
fn return_names(cx: &mut Diagnostics, returns: &[Return]) {
    let named = returns.iter().find_map(|it| it.name.as_ref());
    let unnamed = returns.iter().find(|it| it.name.is_none());
    if let (Some(named), Some(unnamed)) = (named, unnamed) {
        cx.error(codes::PARTLY_NAMED_RETURNS, &unnamed.ty.span, "this return has no name")
            .also(&named.span, "this one has")
            .help("name all of them, or none");
    }
    let names: Vec<_> = returns.iter().filter_map(|it| it.name.as_ref()).collect();
    for name in &names {
        result_name(cx, name);
    }
    for (idx, name) in names.iter().enumerate() {
        if let Some(first) = names[..idx].iter().find(|it| it.value == name.value) {
            let message = format!("two returns are called `{}`", name.value);
            cx.error(codes::DUPLICATE_RETURN, &name.span, message)
                .also(&first.span, "the first one")
                .help("rename one of them");
        }
    }
}

/// Named results are fields of a tuple with names, as Python has them.
fn result_name(cx: &mut Diagnostics, name: &Spanned<String>) {
    let text = &name.value;
    if is_python_keyword(text) {
        let message = format!("result `{text}` is a keyword of Python");
        cx.error(codes::RESULT_NAME, &name.span, message).help(format_args!("call it `{text}_`"));
    } else if text.starts_with('_') {
        let message = format!("result `{text}` starts with an underscore");
        cx.error(codes::RESULT_NAME, &name.span, message)
            .note("no field of a named tuple does, in Python")
            .help("remove it");
    }
}

fn inplace(cx: &mut Diagnostics, schema: &Schema) {
    let Some(receiver) = schema.receiver() else {
        // `same` mutable parameters are reported with a better hint.
        let message = format!("in-place operator `{}` has no `self`", schema.name);
        if schema
            .mutable_params()
            .all(|it| !schema.returns.iter().any(|ret| it.is_returned_as(ret)))
        {
            cx.error(codes::INPLACE_SELF, &schema.name_span, message)
                .help("add `Tensor(a!) self`, or drop the underscore at the end of the name");
        }
        return;
    };
    if !receiver.writes() {
        let message = format!("in-place operator `{}` does not mutate `self`", schema.name);
        cx.error(codes::INPLACE_SELF, &receiver.ty.span, message)
            .help("write `Tensor(a!) self`, or drop the underscore at the end of the name");
        return;
    }
    let annotation = receiver.alias().map(ToString::to_string).unwrap_or_default();
    if !receiver.ty.value.is_tensor() {
        if let Some(ret) = schema.returns.first() {
            cx.error(codes::INPLACE_RETURN, &ret.ty.span, "nothing is returned here")
                .also(&receiver.ty.span, "because `self` is no single tensor")
                .help("return `()`");
        }
        return;
    }
    let returns_self = matches!(schema.returns.as_slice(), [only] if receiver.is_returned_as(only));
    if !returns_self {
        let span = schema.returns.first().map_or(&schema.name_span, |it| &it.ty.span);
        let message = format!("in-place operator `{}` does not return `self` alone", schema.name);
        cx.error(codes::INPLACE_RETURN, span, message)
            .help(format_args!("return `Tensor({annotation})`"));
    }
}

/// What only some kinds of operator may have.
fn kinds(cx: &mut Diagnostics, schema: &Schema) {
    let kind = schema.kind();
    let option = schema.params.iter().find(|it| it.role == Role::Option);
    if let (Some(option), true) = (option, kind != Kind::Functional) {
        let message = "only a functional operator takes tensor options";
        cx.error(codes::OPTIONS_NOT_FUNCTIONAL, &option.name.span, message)
            .note(format_args!(
                "this one is of kind {kind}: it gets tensors that have these already"
            ))
            .help("remove `dtype`, `layout`, `device` and `pin_memory`");
    }
    if schema.name.overload.contains("functional") && kind != Kind::Functional {
        let message = format!("overload `{}` is not functional", schema.name.overload);
        cx.error(codes::FUNCTIONAL_OVERLOAD, &schema.name_span, message)
            .note(format_args!("this operator is of kind {kind}"))
            .help("give it another overload name");
    }
    let mixed = schema.returns.iter().any(|it| !it.writes());
    let receiver = schema.receiver().filter(|it| !schema.name.base.inplace && it.writes());
    let Some(receiver) = receiver.filter(|_| !mixed) else { return };
    if let Some(ret) = schema.returns.iter().find(|it| receiver.is_returned_as(it)) {
        let message = format!("`{}` mutates and returns `self`", schema.name);
        cx.error(codes::HIDDEN_INPLACE, &ret.ty.span, message)
            .also(&receiver.ty.span, "mutated here")
            .help(format_args!("call it `{}_`, or return `()`", schema.name.base));
    }
}

impl Param {
    /// Whether it is in an alias set, on entry or afterwards.
    fn is_in_set(&self, letter: char) -> bool {
        let Some(annotation) = self.alias() else { return false };
        let after = match &annotation.after {
            Some(AliasTarget::Sets(sets)) => sets.as_slice(),
            Some(AliasTarget::Wildcard) | None => &[],
        };
        annotation.before.contains(&letter) || after.contains(&letter)
    }
}
