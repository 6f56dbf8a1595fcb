//! Schema defaults as expressions of Rust and of Python.

use opwright_schema::dtypes;
use opwright_schema::model::{BaseType, Default, Type};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::types::runtime;

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
        one => vec![rust(one, element)?; size.unwrap_or(1) as usize],
    };
    Some(quote!(&[#(#elements),*]))
}

fn single(default: &Default, base: &BaseType) -> Option<TokenStream> {
    match base {
        BaseType::Int | BaseType::SymInt | BaseType::DeviceIndex => integer(default),
        BaseType::Float => float(default),
        BaseType::Bool | BaseType::SymBool => match default {
            Default::Bool(value) => Some(quote!(#value)),
            _ => None,
        },
        BaseType::Scalar => scalar(default),
        BaseType::Str => match default {
            Default::Str(text, _) => {
                let value = unescape(text);
                Some(quote!(#value))
            }
            _ => None,
        },
        BaseType::ScalarType => match default {
            Default::Name(name) => variant("DType", dtypes::named(name)?.variant),
            _ => None,
        },
        BaseType::MemoryFormat => match default {
            Default::Name(name) => variant("MemoryFormat", memory_format(name)?),
            _ => None,
        },
        BaseType::Layout => match default {
            Default::Name(name) if name == "strided" => variant("Layout", "Strided"),
            _ => None,
        },
        BaseType::Tensor
        | BaseType::Device
        | BaseType::Generator
        | BaseType::Dimname
        | BaseType::DimVector
        | BaseType::QScheme
        | BaseType::Storage
        | BaseType::Stream
        | BaseType::GraphModule
        | BaseType::Class(_) => None,
    }
}

fn integer(default: &Default) -> Option<TokenStream> {
    match default {
        Default::Int(value) => {
            let value = Literal::i64_unsuffixed(*value);
            Some(quote!(#value))
        }
        Default::Name(name) => reduction(name).map(|it| quote!(#it)),
        _ => None,
    }
}

/// The schema language has the names of one enumeration, of reductions.
pub fn reduction(name: &str) -> Option<Literal> {
    let value = match name {
        "Mean" => 1,
        "Sum" => 2,
        _ => return None,
    };
    Some(Literal::i64_unsuffixed(value))
}

/// The runtime's enumeration that has a name of the schema language, and the
/// variant.
pub(crate) fn named(name: &str) -> Option<(&'static str, &'static str)> {
    let dtype = dtypes::named(name).map(|it| ("DType", it.variant));
    let format = || memory_format(name).map(|it| ("MemoryFormat", it));
    let layout = || (name == "strided").then_some(("Layout", "Strided"));
    dtype.or_else(format).or_else(layout)
}

fn memory_format(name: &str) -> Option<&'static str> {
    Some(match name {
        "contiguous_format" => "Contiguous",
        "preserve_format" => "Preserve",
        "channels_last" => "ChannelsLast",
        "channels_last_3d" => "ChannelsLast3d",
        _ => return None,
    })
}

fn float(default: &Default) -> Option<TokenStream> {
    let value = match default {
        Default::Float(value, _) => *value,
        Default::Int(value) => *value as f64,
        _ => return None,
    };
    let value = Literal::f64_unsuffixed(value);
    Some(quote!(#value))
}

fn scalar(default: &Default) -> Option<TokenStream> {
    let scalar = runtime("Scalar");
    match default {
        Default::Bool(value) => Some(quote!(#scalar::Bool(#value))),
        Default::Int(_) => integer(default).map(|it| quote!(#scalar::Int(#it))),
        Default::Float(..) => float(default).map(|it| quote!(#scalar::Float(#it))),
        _ => None,
    }
}

fn variant(of: &str, name: &str) -> Option<TokenStream> {
    let of = runtime(of);
    let name = quote::format_ident!("{name}");
    Some(quote!(#of::#name))
}

/// A default as a Python literal; objects such as dtypes have none.
pub fn python(default: &Default) -> Option<String> {
    Some(match default {
        Default::None => "None".to_owned(),
        Default::Bool(true) => "True".to_owned(),
        Default::Bool(false) => "False".to_owned(),
        Default::Int(value) => value.to_string(),
        Default::Float(_, text) => text.clone(),
        Default::IntList(values) => {
            let texts: Vec<String> = values.iter().map(i64::to_string).collect();
            let comma = if texts.len() == 1 { "," } else { "" };
            format!("({}{comma})", texts.join(", "))
        }
        Default::Str(text, quote) => format!("{quote}{text}{quote}"),
        Default::Name(name) => reduction(name)?.to_string(),
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
