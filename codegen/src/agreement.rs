//! Agreement of kernels with their schemas: parameters and results.
//!
//! rustc compares types, too, and sees through other names for them. But it
//! knows no names of parameters, and it speaks of the closure around the
//! kernel. So what is certainly wrong is reported here, before rustc looks:
//! other names, another number, and types of which every word is known.

use opwright_diagnostics::diag::Diagnostics;
use opwright_schema::model::{Overload, Param, Role, Schema};
use proc_macro2::TokenStream;
use syn::spanned::Spanned;
use syn::{FnArg, Pat, PatType, ReturnType, Type};

use crate::attribute::Subject;
use crate::codes;
use crate::form::{ArrayParam, ElementParam, Form, words};
use crate::scan::AnnotatedFunction;
use crate::types;

/// Reports what a kernel of an overload has and its schema has not.
pub(crate) fn check(cx: &mut Diagnostics, overload: &Overload, function: &AnnotatedFunction) {
    if matches!(function.attribute.subject, Subject::Signature(_)) {
        // The schema is made of the signature; rustc knows its result.
        return result(cx, overload, function);
    }
    let mut expected = expected(overload, function);
    let mut found: Vec<&PatType> = function.inputs().collect();
    let together = function.form.tensors_together();
    if let Form::Core(it) = &function.form {
        // Behind the others stand results, which follow from the form.
        found.truncate(found.len().saturating_sub(it.outs()));
    }
    if together > 0 && together <= expected.len() {
        // One parameter stands for all tensors, which come first.
        expected.drain(..together);
        found.remove(0);
    }
    if found.is_empty() && together == 0 && matches!(function.signature.output, ReturnType::Default)
    {
        // `fn kernel() {}` is not written yet: rustc says all that there is to say.
        return;
    }
    if expected.len() != found.len() {
        return count(cx, overload, &expected, &found, function);
    }
    if names(cx, overload, &expected, function, &found) {
        // The types of parameters in another order are no news.
        return;
    }
    for (idx, (param, arg)) in expected.iter().zip(&found).enumerate() {
        if takes_the_schemas_type(&function.form, together + idx) {
            parameter(cx, param, arg, function);
        }
    }
    result(cx, overload, function);
}

/// The operator as the author names it; the variant with `out=`, which follows
/// from a kernel, nobody has named.
fn operator(overload: &Overload, function: &AnnotatedFunction) -> String {
    match &function.attribute.subject {
        Subject::Entry { name, .. } => name.clone(),
        Subject::Inline { .. } | Subject::Signature(_) => overload.schema.name.base.to_string(),
    }
}

/// The parameters of the schema that the function has.
fn expected<'a>(overload: &'a Overload, function: &AnnotatedFunction) -> Vec<&'a Param> {
    let inputs_only = match function.form {
        Form::Elementwise(_) | Form::Core(_) => true,
        Form::Plain | Form::Filling | Form::Arrays(_) => !function.attribute.part.is_kernel(),
    };
    let all = overload.schema.params.iter();
    all.filter(|it| !inputs_only || it.role != Role::Out).collect()
}

/// Elements and views stand for tensors; a number may have the type of elements.
fn takes_the_schemas_type(form: &Form, idx: usize) -> bool {
    match form {
        Form::Plain | Form::Filling => true,
        Form::Elementwise(it) => matches!(it.params.get(idx), Some(ElementParam::Value(_))),
        Form::Arrays(it) => matches!(it.params.get(idx), Some(ArrayParam::Value(_))),
        Form::Core(it) => matches!(it.params.get(idx), Some(ElementParam::Value(_))),
    }
}

fn count(
    cx: &mut Diagnostics,
    overload: &Overload,
    expected: &[&Param],
    found: &[&PatType],
    function: &AnnotatedFunction,
) {
    let place = function.place(function.signature.paren_token.span.join());
    let (wanted, got) = (expected.len(), found.len());
    let plural = if wanted == 1 { "" } else { "s" };
    let operator = operator(overload, function);
    let message =
        format_args!("`{operator}` has {wanted} parameter{plural} in its schema, its kernel {got}");
    let error = cx.error(codes::PARAMETER_COUNT, &place, message);
    error.label(format_args!("expected {wanted} parameter{plural}, found {got}"));
    let names: Vec<String> = found.iter().filter_map(|it| name_of(it)).map(|it| it.0).collect();
    let has = |param: &Param| names.iter().any(|own| is_exactly(param, own));
    let missing = expected.iter().filter(|it| !has(it));
    let missing: Vec<String> = missing.map(|it| written(it)).collect();
    let in_schema = |own: &String| expected.iter().any(|it| is_exactly(it, own));
    let more: Vec<String> =
        names.iter().filter(|it| !in_schema(it)).map(|it| format!("`{it}`")).collect();
    if !missing.is_empty() && got < wanted {
        error.help(format_args!("add `{}`", missing.join("`, `")));
    } else if !more.is_empty() && got > wanted {
        error.help(format_args!("remove {}, or add it to the schema", more.join(", ")));
    }
}

/// Arguments are passed by their place: another name is another meaning.
/// Whether the parameters are in another order.
fn names(
    cx: &mut Diagnostics,
    overload: &Overload,
    expected: &[&Param],
    function: &AnnotatedFunction,
    found: &[&PatType],
) -> bool {
    if function.attribute.style.any_names {
        return false;
    }
    // Where results follow from the form, nobody has named them.
    let named = |param: &Param| param.role != Role::Out || matches!(function.form, Form::Plain);
    let mut wrong = expected.iter().zip(found).filter_map(|(param, arg)| {
        let (name, place) = name_of(arg)?;
        let other = expected.iter().any(|it| it.name != param.name && is_exactly(it, &name));
        let agrees = agrees(param, &name) && !other;
        (named(param) && !agrees).then(|| (*param, name, function.place(place)))
    });
    let Some((param, name, place)) = wrong.next() else { return false };
    let rust = rust_name(param);
    let known = expected.iter().any(|it| is_exactly(it, &name));
    let message = format_args!(
        "`{name}` stands where `{}` has `{}`",
        operator(overload, function),
        param.name.value
    );
    let error = cx.error(codes::NAMES, &place, message);
    error.label(format_args!("gets what callers pass as `{}`", param.name.value));
    for (param, _, place) in wrong {
        error.also(&place, format_args!("gets `{}`", param.name.value));
    }
    match known {
        true => error.help("put the parameters in the order of the schema, by its names"),
        false => error.help(format_args!("call it `{rust}`")),
    };
    error.help("if only the names differ, say so in the annotation: `names = any`");
    known
}

fn parameter(cx: &mut Diagnostics, param: &Param, arg: &PatType, function: &AnnotatedFunction) {
    let expected = parsed(&types::parameter(param));
    let Some(expected) = expected.filter(|it| words::differ(it, &arg.ty)) else { return };
    let (wanted, found) = (words::shown(&expected), words::shown(&arg.ty));
    let place = function.place(arg.ty.span());
    let message = format_args!(
        "`{} {}` is `{wanted}` in Rust, not `{found}`",
        param.ty.value, param.name.value
    );
    let error = cx.error(codes::TYPES, &place, message);
    error.label(format_args!("expected `{wanted}`, found `{found}`"));
    if matches!(function.attribute.subject, Subject::Inline { .. }) {
        error.also(&param.ty.span, "the schema's type");
    }
}

/// Of kernels that return what the schema says; rules and arrays have results
/// of their own.
fn result(cx: &mut Diagnostics, overload: &Overload, function: &AnnotatedFunction) {
    if !function.form.is_plain() || !function.attribute.part.is_kernel() {
        return;
    }
    let expected = parsed(&types::result(&returned(&overload.schema, &function.form)));
    let Some(expected) = expected else { return };
    // What returns nothing is told well by rustc.
    let ReturnType::Type(_, found) = &function.signature.output else { return };
    if !words::differ(&expected, found) {
        return;
    }
    let (wanted, place) = (words::shown(&expected), function.place(found.span()));
    let found = words::shown(found);
    let name = operator(overload, function);
    let message = format_args!("a kernel of `{name}` returns `{wanted}`, not `{found}`");
    cx.error(codes::TYPES, &place, message)
        .label(format_args!("expected `{wanted}`, found `{found}`"));
}

fn returned(schema: &Schema, form: &Form) -> TokenStream {
    match form {
        Form::Filling => types::tuple(&[]),
        Form::Plain | Form::Elementwise(_) | Form::Arrays(_) | Form::Core(_) => {
            types::returned(schema)
        }
    }
}

fn parsed(tokens: &TokenStream) -> Option<Type> {
    syn::parse2(tokens.clone()).ok()
}

/// `alpha: Scalar`, as it would stand in the function.
fn written(param: &Param) -> String {
    let ty = parsed(&types::parameter(param)).map(|it| words::shown(&it)).unwrap_or_default();
    format!("{}: {ty}", rust_name(param))
}

fn rust_name(param: &Param) -> String {
    opwright_schema::names::param(&param.name.value)
}

/// A parameter's name and its place; a pattern has none, nor has `_`.
fn name_of(arg: &PatType) -> Option<(String, proc_macro2::Span)> {
    match &*arg.pat {
        Pat::Ident(it) => Some((it.ident.to_string(), it.ident.span())),
        _ => None,
    }
}

/// `_rows` and `r#rows` agree with `rows`, and `a` with `A`, which Rust does
/// not like as a name. No function has a parameter `self`: what stands there
/// may have any name that is no other's.
fn agrees(param: &Param, name: &str) -> bool {
    param.name.value == "self" || plain(name).eq_ignore_ascii_case(plain(&param.name.value))
}

fn is_exactly(param: &Param, name: &str) -> bool {
    plain(name) == plain(&param.name.value)
}

fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name).trim_matches('_')
}

impl AnnotatedFunction {
    /// The parameters; a receiver is refused elsewhere.
    fn inputs(&self) -> impl Iterator<Item = &PatType> {
        self.signature.inputs.iter().filter_map(|it| match it {
            FnArg::Typed(arg) => Some(arg),
            FnArg::Receiver(_) => None,
        })
    }
}
