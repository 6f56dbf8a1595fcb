//! The key `ranges`: between which numbers parameters are.

use opwright_diagnostics::diag::Diagnostics;

use crate::codes;
use crate::keys::Field;
use crate::model::{BaseType, Default, ParamRange, Schema, Spanned, Type};
use crate::types::Values;

/// Reads ranges such as `steps=1..=8`; what is none is reported.
pub(super) fn read(cx: &mut Diagnostics, field: &Field<'_, '_>) -> Vec<ParamRange> {
    let texts = field.texts(cx);
    texts.into_iter().filter_map(|it| one(cx, it)).collect()
}

fn one(cx: &mut Diagnostics, text: Spanned<String>) -> Option<ParamRange> {
    let parsed = parts(&text.value);
    if parsed.is_none() {
        let message = format!("`{}` is no range of a parameter", text.value);
        let error = cx.error(codes::WRONG_VALUE, &text.span, message);
        error.help("write the parameter and both ends, which belong to it: `steps=1..=8`");
    }
    let (param, low, high) = parsed?;
    Some(ParamRange { param: Spanned::new(param, text.span), low, high })
}

fn parts(text: &str) -> Option<(String, Default, Default)> {
    let (param, ends) = text.split_once('=')?;
    let (low, high) = ends.split_once("..=")?;
    let (low, high) = (number(low.trim())?, number(high.trim())?);
    let is_ordered = match (&low, &high) {
        (Default::Int(low), Default::Int(high)) => low <= high,
        (Default::Float(low, _), Default::Float(high, _)) => low <= high,
        _ => false,
    };
    is_ordered.then(|| (param.trim().to_owned(), low, high))
}

/// An integer, or a finite real number.
fn number(text: &str) -> Option<Default> {
    if let Ok(value) = text.parse() {
        return Some(Default::Int(value));
    }
    let value: f64 = text.parse().ok().filter(|it: &f64| it.is_finite())?;
    Some(Default::Float(value, text.to_owned()))
}

/// Ranges of parameters that the schema does not have, or whose type has no such numbers.
pub(super) fn check(cx: &mut Diagnostics, ranges: &[ParamRange], schema: &Schema) {
    for range in ranges {
        let name = &range.param.value;
        let Some(param) = schema.params.iter().find(|it| it.name.value == *name) else {
            let message = format!("there is no parameter `{name}`");
            cx.error(codes::WRONG_VALUE, &range.param.span, message);
            continue;
        };
        if !has(&param.ty.value, &range.low) {
            let message = format!("`{name}` is of type `{}`, not such a number", param.ty.value);
            cx.error(codes::WRONG_VALUE, &range.param.span, message)
                .help("an `int` has a range of integers, `1..=8`, a `float` of reals, `0.0..=1.0`");
        }
    }
}

fn has(ty: &Type, number: &Default) -> bool {
    match ty {
        Type::Base(base) => has_base(base, number),
        Type::Optional(inner) => has(inner, number),
        Type::List(..) => false,
    }
}

fn has_base(base: &BaseType, number: &Default) -> bool {
    match base.row().values {
        Values::Int => matches!(number, Default::Int(_)),
        Values::Float => matches!(number, Default::Float(..)),
        Values::Number => true,
        _ => false,
    }
}
