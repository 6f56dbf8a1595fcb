//! Schema defaults as expressions of Rust and of Python.

use opwright_schema::model::{BaseType, Default, Type};
use opwright_schema::tables::Reduction;
use opwright_schema::types::Values;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use crate::types::{lent, runtime};

/// The default of a parameter of this type, as an argument for it.
///
/// The schema crate has checked that the default fits the type; what does not
/// fit nevertheless has no expression.
pub fn rust(default: &Default, ty: &Type) -> Option<TokenStream> {
    match ty {
        Type::Optional(inner) => match default {
            Default::None => Some(quote!(::core::option::Option::None)),
            some => {
                let inner = rust(some, inner)?;
                Some(quote!(::core::option::Option::Some(#inner)))
            }
        },
        Type::List(element, size) => list(default, element, *size),
        Type::Base(base) => single(default, base),
    }
}

/// A single value for a sized list is repeated.
fn list(default: &Default, element: &Type, size: Option<u32>) -> Option<TokenStream> {
    let elements = match default {
        Default::IntList(values) => values
            .iter()
            .map(|it| rust(&Default::Int(*it), element))
            .collect::<Option<Vec<TokenStream>>>()?,
        Default::List(values) => {
            values.iter().map(|it| rust(it, element)).collect::<Option<Vec<TokenStream>>>()?
        }
        one => vec![rust(one, element)?; size.unwrap_or(1) as usize],
    };
    Some(quote!(&[#(#elements),*]))
}

fn single(default: &Default, base: &BaseType) -> Option<TokenStream> {
    match (base.row().values, default) {
        (Values::Int, _) => integer(default, base),
        (Values::Float, _) => float(default),
        (Values::Bool, Default::Bool(value)) => Some(quote!(#value)),
        (Values::Number, _) => scalar(default),
        (Values::Str, Default::Str(text, _)) => {
            let value = unescape(text);
            Some(quote!(#value))
        }
        (
            Values::Named | Values::Numbered | Values::StrEnum(_) | Values::Object,
            Default::Name(name) | Default::Str(name, _),
        ) => {
            let (of, variant) = (lent(base), format_ident!("{}", base.word(name)?));
            Some(quote!(#of::#variant))
        }
        _ => None,
    }
}

fn integer(default: &Default, base: &BaseType) -> Option<TokenStream> {
    let value = match default {
        Default::Int(value) => *value,
        Default::Name(name) => base.word(name)?.parse().ok()?,
        _ => return None,
    };
    let value = Literal::i64_unsuffixed(value);
    Some(quote!(#value))
}

fn float(default: &Default) -> Option<TokenStream> {
    let value = match default {
        Default::Float(value, _) => *value,
        Default::Int(value) => *value as f64,
        _ => return None,
    };
    Some(real(value))
}

/// A real number as an expression.
pub fn real(value: f64) -> TokenStream {
    if value.is_nan() {
        return quote!(::core::f64::NAN);
    }
    match value.is_finite() {
        true => {
            let value = Literal::f64_unsuffixed(value);
            quote!(#value)
        }
        false if value > 0.0 => quote!(::core::f64::INFINITY),
        false => quote!(::core::f64::NEG_INFINITY),
    }
}

/// A real number as Python and its `inspect` read it: there is no word for what is not finite.
fn python_real(value: f64, text: &str) -> String {
    match value.is_finite() {
        true => text.to_owned(),
        false if value.is_nan() => "1e999-1e999".to_owned(),
        false if value > 0.0 => "1e999".to_owned(),
        false => "-1e999".to_owned(),
    }
}

fn scalar(default: &Default) -> Option<TokenStream> {
    let scalar = runtime("Scalar");
    match default {
        Default::Bool(value) => Some(quote!(#scalar::Bool(#value))),
        Default::Int(value) => {
            let value = Literal::i64_unsuffixed(*value);
            Some(quote!(#scalar::Int(#value)))
        }
        Default::Float(..) => float(default).map(|it| quote!(#scalar::Float(#it))),
        Default::Complex(re, im, _) => {
            let (complex, re, im) = (runtime("Complex"), real(*re), real(*im));
            Some(quote!(#scalar::Complex(#complex { re: #re, im: #im })))
        }
        _ => None,
    }
}

/// A default as a Python literal; objects such as dtypes have none. `inspect` reads it.
pub fn python(default: &Default) -> Option<String> {
    Some(match default {
        Default::None => "None".to_owned(),
        Default::Bool(true) => "True".to_owned(),
        Default::Bool(false) => "False".to_owned(),
        Default::Int(value) => value.to_string(),
        Default::Float(value, text) => python_real(*value, text),
        Default::Complex(_, _, text) => text.clone(),
        Default::List(values) => {
            let texts = values.iter().map(python).collect::<Option<Vec<String>>>()?;
            let comma = if texts.len() == 1 { "," } else { "" };
            format!("({}{comma})", texts.join(", "))
        }
        Default::IntList(values) => {
            let texts: Vec<String> = values.iter().map(i64::to_string).collect();
            let comma = if texts.len() == 1 { "," } else { "" };
            format!("({}{comma})", texts.join(", "))
        }
        Default::Str(text, quote) => format!("{quote}{text}{quote}"),
        // A reduction is its word, and a number has a name, too; objects have no literals.
        Default::Name(name) => match Reduction::from_name(name) {
            Some(reduction) => format!("'{reduction}'"),
            None => BaseType::Int.word(name)?.to_owned(),
        },
    })
}

/// The value of a string default: its escapes are Python's.
pub fn unescape(text: &str) -> String {
    let mut value = String::new();
    let mut chars = text.chars();
    while let Some(ch) = chars.next() {
        if ch != '\\' {
            value.push(ch);
            continue;
        }
        match chars.next() {
            Some('a') => value.push('\u{7}'),
            Some('b') => value.push('\u{8}'),
            Some('f') => value.push('\u{c}'),
            Some('n') => value.push('\n'),
            Some('r') => value.push('\r'),
            Some('t') => value.push('\t'),
            Some('v') => value.push('\u{b}'),
            Some(itself @ ('\\' | '\'' | '"')) => value.push(itself),
            // Any other pair stands for itself, in Python too.
            other => {
                value.push('\\');
                value.extend(other);
            }
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::{rust, unescape};
    use opwright_schema::model::{BaseType, Default, Type};

    #[track_caller]
    fn check(default: Default, ty: Type, expected: &str) {
        let printed = rust(&default, &ty).map(|it| it.to_string()).unwrap_or_default();
        assert_eq!(printed.replace(' ', ""), expected);
    }

    #[test]
    fn a_single_value_fills_a_sized_list() {
        let pair = Type::List(Box::new(Type::Base(BaseType::Int)), Some(2));
        check(Default::Int(-1), pair.clone(), "&[-1,-1]");
        check(Default::IntList(vec![0, 1]), pair.clone(), "&[0,1]");
        check(Default::IntList(vec![]), pair.clone(), "&[]");
        let optional = Type::Optional(Box::new(pair));
        check(Default::None, optional.clone(), "::core::option::Option::None");
        check(Default::Int(0), optional, "::core::option::Option::Some(&[0,0])");
    }

    #[test]
    fn an_integer_fits_a_float() {
        check(Default::Int(1), Type::Base(BaseType::Float), "1.0");
        check(Default::Float(1e-5, "1e-05".into()), Type::Base(BaseType::Float), "0.00001");
    }

    #[test]
    fn what_does_not_fit_has_no_expression() {
        check(Default::Bool(true), Type::Base(BaseType::Tensor), "");
    }

    #[test]
    fn escapes() {
        assert_eq!(unescape(r"a\n\\\'\q"), "a\n\\'\\q");
    }
}
