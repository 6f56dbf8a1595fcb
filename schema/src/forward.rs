//! The key `alias_of`: the call of another operator that does all the work.
//!
//! ```text
//! clip(Tensor self, Scalar? min=None) -> Tensor       alias_of: clamp
//! mul.Scalar(Tensor self, Scalar other) -> Tensor     alias_of: mul.Tensor
//! square(Tensor self) -> Tensor                       alias_of: pow.Tensor_Scalar(self, 2)
//! squeeze_(Tensor(a!) self) -> Tensor(a!)             alias_of: squeeze
//! ```
//!
//! Without arguments, parameters are passed on by their names. Numbers become
//! tensors where the other operator takes tensors, and tensors of one element numbers where it takes
//! these. What the other operator
//! returns is copied to `out`, or becomes what `self` shows; what a view returns is copied by an
//! alias that is none.

use opwright_diagnostics::diag::Diagnostics;

use crate::codes;
use crate::derive::inplace_name;
use crate::index::Index;
use crate::keys::{Field, split_commas};
use crate::model::{
    AliasCall, BaseType, Default, Forward, Group, Kind, OpName, Overload, Param, Passed, Role,
    Schema, Spanned, Type,
};
use crate::parse::{parse_default, parse_op_name};

/// `name.overload` or `name.overload(self, 2)`.
pub(crate) fn read(cx: &mut Diagnostics, field: &Field<'_, '_>) -> Option<AliasCall> {
    let text = field.str(cx)?;
    let name = text.value.split('(').next().unwrap_or_default().len();
    let part = |start: usize, end: usize| {
        let mut span = text.span.clone();
        if span.range.len() == text.value.len() {
            span.range = span.range.start + start..span.range.start + end;
        }
        Spanned::new(&text.value[start..end], span)
    };
    let called = part(0, name);
    let target = parse_op_name(cx, called.value, &called.span)?;
    if name == text.value.len() {
        return Some(AliasCall { target, arguments: None, of_variant: false });
    }
    if !text.value.ends_with(')') {
        cx.error(codes::FORWARD, &text.span, format_args!("`{}` is not a call", text.value))
            .help("write `name.overload(self, 2)`, or the name alone");
        return None;
    }
    let inner = part(name + 1, text.value.len() - 1);
    let arguments = split_commas(inner.value, &inner.span).map(|it| it.trimmed().owned());
    let arguments = arguments.filter(|it| !it.value.is_empty()).collect();
    Some(AliasCall { target, arguments: Some(arguments), of_variant: false })
}

/// What each operator hands on, by its index.
pub(crate) fn resolve(
    cx: &mut Diagnostics,
    index: &Index<'_>,
    groups: &[Group],
) -> Vec<(usize, Forward)> {
    let mut found = Vec::new();
    for (idx, overload) in index.overloads().iter().enumerate() {
        let Some(written) = &overload.alias_of else { continue };
        let target = match written.of_variant {
            true => variant_of_target(cx, overload, &written.target, index, groups),
            false => named(cx, &written.target, index),
        };
        let Some((target, other)) = target else { continue };
        if let Some(arguments) = call(cx, overload, written, other) {
            found.push((idx, Forward { target, arguments }));
        }
    }
    found
}

fn named<'o>(
    cx: &mut Diagnostics,
    target: &Spanned<OpName>,
    index: &Index<'o>,
) -> Option<(usize, &'o Overload)> {
    let found = index.get(&target.value);
    if found.is_none() {
        unknown(cx, target, index);
    }
    found
}

/// What a variant of an alias calls: of what the alias calls, the variant of its own kind. If that
/// has no out variant that does the work, the results are copied.
fn variant_of_target<'o>(
    cx: &mut Diagnostics,
    overload: &Overload,
    target: &Spanned<OpName>,
    index: &Index<'o>,
    groups: &[Group],
) -> Option<(usize, &'o Overload)> {
    // A target that does not exist is reported where the alias is.
    let functional = index.get(&target.value)?;
    let group = groups.iter().find(|it| it.functional == Some(functional.0));
    let found = |idx: usize| (idx, &index.overloads()[idx]);
    if overload.schema.name.base.inplace {
        let name = || Spanned::new(inplace_name(&target.value), target.span.clone());
        group.and_then(|it| it.inplace).map(found).or_else(|| named(cx, &name(), index))
    } else {
        let out = group.and_then(|it| it.out).map(found);
        out.filter(|(_, it)| it.alias_of.is_none()).or(Some(functional))
    }
}

fn unknown(cx: &mut Diagnostics, target: &Spanned<OpName>, index: &Index<'_>) {
    if !index.is_broken(&target.value) {
        let message = format!("there is no operator `{}`", target.value);
        cx.error(codes::FORWARD, &target.span, message)
            .suggest(&target.value.to_string(), index.names().iter().map(String::as_str));
    }
}

fn call(
    cx: &mut Diagnostics,
    overload: &Overload,
    written: &AliasCall,
    target: &Overload,
) -> Option<Vec<Passed>> {
    let (own, theirs) = (&overload.schema, &target.schema);
    if let Some(why) = why_not(overload, target) {
        let message = format!("`{}` cannot stand for `{}`", theirs.name, own.name);
        cx.error(codes::FORWARD, &written.target.span, message)
            .also(&theirs.name_span, "declared here")
            .note(why)
            .help("name one that can, or give the entry a kernel instead");
        return None;
    }
    match &written.arguments {
        None => by_name(cx, own, written, theirs),
        Some(arguments) => by_place(cx, own, written, arguments, theirs),
    }
}

/// Why what one operator writes and returns cannot come from another.
fn why_not(overload: &Overload, target: &Overload) -> Option<&'static str> {
    if target.alias_of.is_some() {
        return Some("it is an alias itself: name the operator that it stands for");
    }
    let (own, theirs) = (&overload.schema, &target.schema);
    let types =
        |it: &Schema| -> Vec<Type> { it.returns.iter().map(|it| it.ty.value.clone()).collect() };
    match (own.kind(), theirs.kind()) {
        (one, other) if one == other && own.outs().count() == theirs.outs().count() => {
            (types(own) != types(theirs)).then_some("they return different things")
        }
        (Kind::Out, Kind::Functional) => {
            let outs: Vec<Type> = own.outs().map(|it| it.ty.value.clone()).collect();
            (outs != types(theirs)).then_some("it does not return what `out` is to be given")
        }
        (Kind::Inplace, Kind::Functional) if target.is_view() && overload.alters_shape() => None,
        (Kind::Inplace, Kind::Functional) => {
            Some("it changes nothing in place, and returns no view that `self` could become")
        }
        _ => Some("they do not write to the same parameters"),
    }
}

/// Each parameter goes to the one of its name, and none is left over.
fn by_name(
    cx: &mut Diagnostics,
    own: &Schema,
    written: &AliasCall,
    theirs: &Schema,
) -> Option<Vec<Passed>> {
    let inputs = own.params.iter().filter(|it| it.role != Role::Out);
    if let Some(left) = inputs.clone().find(|it| theirs.param(&it.name.value).is_none()) {
        let message = format!("`{}` has no parameter `{}`", theirs.name, left.name.value);
        cx.error(codes::FORWARD_ARGUMENT, &written.target.span, message)
            .also(&left.name.span, "the parameter")
            .help(format_args!("say what is passed: `{}(self, ...)`", theirs.name));
        return None;
    }
    let named = |param: &Param| inputs.clone().find(|it| it.name.value == param.name.value);
    let mut outs = own.outs();
    let mut arguments = Vec::new();
    for param in &theirs.params {
        let given = if param.role == Role::Out { outs.next() } else { named(param) };
        let place = &written.target.span;
        let value = match given {
            Some(given) => Spanned::new(ForwardedValue::Param(given), place.clone()),
            None => Spanned::new(ForwardedValue::Default, place.clone()),
        };
        arguments.push(argument(cx, own, &value, theirs, param)?);
    }
    Some(arguments)
}

/// Arguments in the order of the other operator; out parameters go without
/// saying.
fn by_place(
    cx: &mut Diagnostics,
    own: &Schema,
    written: &AliasCall,
    arguments: &[Spanned<String>],
    theirs: &Schema,
) -> Option<Vec<Passed>> {
    let inputs = theirs.params.iter().filter(|it| it.role != Role::Out).count();
    if let Some(extra) = arguments.get(inputs) {
        let message = format!("`{}` takes {inputs} arguments", theirs.name);
        cx.error(codes::FORWARD_ARGUMENT, &extra.span, message)
            .also(&theirs.name_span, "declared here")
            .help("remove what is too much");
        return None;
    }
    let (mut outs, mut given) = (own.outs(), arguments.iter());
    let mut values = Vec::new();
    for param in &theirs.params {
        let value = if param.role == Role::Out {
            let out = outs.next().map_or(ForwardedValue::Default, ForwardedValue::Param);
            Spanned::new(out, written.target.span.clone())
        } else {
            match given.next() {
                Some(text) => Spanned::new(value(cx, own, text)?, text.span.clone()),
                None => Spanned::new(ForwardedValue::Default, written.target.span.clone()),
            }
        };
        values.push(argument(cx, own, &value, theirs, param)?);
    }
    Some(values)
}

/// What is to be passed.
enum ForwardedValue<'a> {
    Param(&'a Param),
    Literal(Default),
    Default,
}

/// The parameter of a name, or a literal.
fn value<'a>(
    cx: &mut Diagnostics,
    own: &'a Schema,
    text: &Spanned<String>,
) -> Option<ForwardedValue<'a>> {
    if let Some((_, param)) = own.param(&text.value) {
        return Some(ForwardedValue::Param(param));
    }
    let starts_like_a_name = text.value.starts_with(|it: char| it.is_ascii_lowercase());
    if starts_like_a_name {
        let message = format!("`{}` has no parameter `{}`", own.name, text.value);
        cx.error(codes::FORWARD_ARGUMENT, &text.span, message)
            .suggest(&text.value, own.params.iter().map(|it| it.name.value.as_str()))
            .note("an argument is a parameter's name or a literal");
        return None;
    }
    parse_default(cx, &text.value, &text.span, "").map(|it| ForwardedValue::Literal(it.value))
}

fn argument(
    cx: &mut Diagnostics,
    own: &Schema,
    value: &Spanned<ForwardedValue<'_>>,
    theirs: &Schema,
    param: &Param,
) -> Option<Passed> {
    let wanted = &param.ty.value;
    let (what, argument) = match &value.value {
        ForwardedValue::Param(given) => {
            let at = own.params.iter().position(|it| it.name.value == given.name.value)?;
            let fits = becomes(&given.ty.value, wanted) && (given.writes() || !param.writes());
            (format!("`{}`", given.name.value), fits.then_some(Passed::Param(at)))
        }
        ForwardedValue::Literal(literal) => {
            let number = Type::Base(BaseType::Scalar);
            let fits = wanted.admits(literal) || (wanted.is_tensor() && number.admits(literal));
            (format!("`{literal}`"), fits.then(|| Passed::Literal(literal.clone())))
        }
        ForwardedValue::Default => {
            let fits = param.default.is_some();
            (String::new(), fits.then_some(Passed::TargetDefault))
        }
    };
    if argument.is_none() {
        let (name, parameter) = (&theirs.name, &param.name.value);
        let message = match &value.value {
            ForwardedValue::Default => format!("`{name}` needs a `{parameter}`"),
            _ => format!("{what} is not what `{name}` takes as `{parameter}`"),
        };
        cx.error(codes::FORWARD_ARGUMENT, &value.span, message)
            .also(&param.ty.span, format_args!("it takes `{wanted}`"))
            .help("pass a parameter of this type, or a literal");
    }
    argument
}

/// Whether a value of one type can be passed for another.
fn becomes(given: &Type, wanted: &Type) -> bool {
    match (given, wanted) {
        (one, other) if one == other => true,
        (Type::List(one, _), Type::List(other, _)) => becomes_element(one, other),
        (Type::Optional(one), Type::Optional(other)) => becomes_element(one, other),
        (one, Type::Optional(other)) => becomes(one, other),
        (one, Type::List(other, _)) => becomes_element(one, other),
        (Type::Base(one), Type::Base(other)) => match other {
            BaseType::Tensor => is_number(one),
            BaseType::Scalar => is_number(one) || *one == BaseType::Tensor,
            BaseType::Float => *one == BaseType::Tensor,
            BaseType::Int | BaseType::SymInt => is_integer(one),
            _ => false,
        },
        _ => false,
    }
}

/// Elements of lists and of options are passed as they are.
fn becomes_element(given: &Type, wanted: &Type) -> bool {
    let integers = is_integer(given.base()) && is_integer(wanted.base());
    let plain = matches!((given, wanted), (Type::Base(_), Type::Base(_)));
    given == wanted || (plain && integers)
}

fn is_integer(base: &BaseType) -> bool {
    matches!(base, BaseType::Int | BaseType::SymInt)
}

fn is_number(base: &BaseType) -> bool {
    is_integer(base) || matches!(base, BaseType::Scalar | BaseType::Float | BaseType::Bool)
}
