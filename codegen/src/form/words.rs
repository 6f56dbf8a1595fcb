//! Types by their words: whether two are certainly different, and how one is
//! shown.
//!
//! A word that is not known here may be another name for anything, so that
//! only rustc can tell.

use quote::ToTokens;
use syn::{GenericArgument, PathArguments, PathSegment, Type};

use super::syntax;

/// Words that nobody gives another meaning.
const KNOWN: [&str; 25] = [
    "Arc", "Box", "Option", "Rc", "Result", "String", "Tensor", "Vec", "bool", "char", "f32",
    "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16", "u32", "u64", "u8",
    "usize",
];

/// Whether a value of the expected type certainly cannot be passed as one of
/// the found type.
pub(crate) fn differ(expected: &Type, found: &Type) -> bool {
    match (expected, found) {
        (_, Type::Paren(found)) => differ(expected, &found.elem),
        (_, Type::Group(found)) => differ(expected, &found.elem),
        (Type::Reference(expected), Type::Reference(found)) => {
            let lives = found.lifetime.as_ref().is_some_and(|it| it.ident == "static");
            let writes = found.mutability.is_some() && expected.mutability.is_none();
            lives || writes || differ(&expected.elem, &found.elem)
        }
        (Type::Slice(expected), Type::Slice(found)) => differ(&expected.elem, &found.elem),
        (Type::Tuple(expected), Type::Tuple(found)) => {
            expected.elems.len() != found.elems.len()
                || expected.elems.iter().zip(&found.elems).any(|(it, own)| differ(it, own))
        }
        (Type::Path(_), Type::Path(_)) => {
            match (syntax::last_segment(expected), syntax::last_segment(found)) {
                (Some(expected), Some(found)) => segments_differ(expected, found),
                _ => false,
            }
        }
        // What is left has another shape, or no words.
        (_, Type::Path(_)) => syntax::last_segment(found).is_some_and(is_known),
        (_, Type::Reference(_) | Type::Slice(_) | Type::Tuple(_) | Type::Array(_)) => true,
        _ => false,
    }
}

fn segments_differ(expected: &PathSegment, found: &PathSegment) -> bool {
    if expected.ident != found.ident {
        return is_known(found);
    }
    // A `Result` may have its error type built in.
    let (mut expected, mut found) =
        (syntax::type_arguments(expected), syntax::type_arguments(found));
    match (expected.next(), found.next()) {
        (Some(expected), Some(found)) => differ(expected, found),
        _ => false,
    }
}

fn is_known(segment: &PathSegment) -> bool {
    KNOWN.contains(&segment.ident.to_string().as_str())
}

/// A type as an author writes it, without the paths before its words.
pub(crate) fn shown(ty: &Type) -> String {
    match ty {
        Type::Reference(it) => {
            let lifetime = it.lifetime.as_ref().map(|it| format!("{it} ")).unwrap_or_default();
            let mutable = if it.mutability.is_some() { "mut " } else { "" };
            format!("&{lifetime}{mutable}{}", shown(&it.elem))
        }
        Type::Slice(it) => format!("[{}]", shown(&it.elem)),
        Type::Array(it) => format!("[{}; {}]", shown(&it.elem), it.len.to_token_stream()),
        Type::Tuple(it) => format!("({})", joined(it.elems.iter().map(shown))),
        Type::Paren(it) => shown(&it.elem),
        Type::Group(it) => shown(&it.elem),
        Type::Path(_) => syntax::last_segment(ty).map(shown_segment).unwrap_or_default(),
        other => other.to_token_stream().to_string(),
    }
}

fn shown_segment(segment: &PathSegment) -> String {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return segment.ident.to_string();
    };
    let arguments = arguments.args.iter().map(|it| match it {
        GenericArgument::Type(ty) => shown(ty),
        other => other.to_token_stream().to_string(),
    });
    format!("{}<{}>", segment.ident, joined(arguments))
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::{differ, shown};
    use syn::{Type, parse_str};

    fn ty(text: &str) -> Type {
        parse_str(text).unwrap()
    }

    #[test]
    fn only_what_is_certain_differs() {
        for (expected, found, certain) in [
            ("i64", "f64", true),
            ("i64", "::core::primitive::i64", false),
            ("i64", "Index", false),
            ("f64", "Scalar", false),
            ("Scalar", "f64", true),
            ("&Tensor", "Tensor", true),
            ("&Tensor", "&mut Tensor", true),
            ("&mut Tensor", "&Tensor", false),
            ("&Tensor", "&'a Tensor", false),
            ("&str", "&'static str", true),
            ("&str", "&String", true),
            ("&str", "String", true),
            ("&[i64]", "Vec<i64>", true),
            ("&[i64]", "&Vec<i64>", true),
            ("&[i64]", "&[i64; 2]", true),
            ("&[i64]", "&[usize]", true),
            ("&[i64]", "Dims", false),
            ("Option<&[i64]>", "Option<&[i64]>", false),
            ("Option<&[i64]>", "&[i64]", true),
            ("Option<i64>", "std::option::Option<i32>", true),
            ("Result<Tensor>", "Result<Tensor, Error>", false),
            ("Result<Tensor>", "opwright::Result<&Tensor>", true),
            ("Result<Tensor>", "Tensor", true),
            ("Result<(Tensor, i64)>", "Result<(Tensor, i64)>", false),
            ("Result<(Tensor, i64)>", "Result<Tensor>", true),
            ("Result<()>", "Result<Tensor>", true),
            ("Result<Tensor>", "Answer", false),
            ("i64", "impl Into<i64>", false),
        ] {
            assert_eq!(differ(&ty(expected), &ty(found)), certain, "{expected}, {found}");
        }
    }

    #[test]
    fn types_are_shown_as_they_are_written() {
        for (text, expected) in [
            ("::core::option::Option<&[::core::primitive::i64]>", "Option<&[i64]>"),
            ("&'static mut crate::ops::__runtime::Tensor", "&'static mut Tensor"),
            ("Result<(Tensor, Vec<f64>)>", "Result<(Tensor, Vec<f64>)>"),
            ("ArrayView2<'_, T>", "ArrayView2<'_, T>"),
            ("[i64; 2]", "[i64; 2]"),
        ] {
            assert_eq!(shown(&ty(text)), expected);
        }
    }
}
