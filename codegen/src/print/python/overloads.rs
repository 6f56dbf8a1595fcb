//! The stubs of functions with `#[overload]`.
//!
//! ```text
//! @_overload
//! def mean_of(a: _int, b: _int) -> _int: ...
//! @_overload
//! def mean_of(a: _float, b: _float) -> _float: ...
//! ```

use std::collections::BTreeMap;

use syn::{GenericArgument, PathArguments, Type};

use crate::overload::Overload;

/// The definitions of functions, those of one name together.
pub fn overloads(all: &[Overload]) -> String {
    let mut named: BTreeMap<&str, Vec<&Overload>> = BTreeMap::new();
    for overload in all {
        named.entry(&overload.name).or_default().push(overload);
    }
    named.into_iter().map(|(name, all)| definitions(name, &all)).collect()
}

fn definitions(name: &str, all: &[&Overload]) -> String {
    let mut found: Vec<String> = Vec::new();
    for overload in all {
        let params = overload.params.iter().map(|(name, ty)| format!("{name}: {}", word(ty)));
        let result = overload.result.as_ref().map_or_else(|| "None".to_owned(), word);
        let params = params.collect::<Vec<_>>().join(", ");
        let text = format!("def {name}({params}) -> {result}: ...\n");
        // Those of numbers of other widths are one in Python.
        if !found.contains(&text) {
            found.push(text);
        }
    }
    // Whole numbers are taken for real ones, too, so that those are asked for first.
    found.sort_by_key(|it| it.matches(": _float").count());
    let mark = if found.len() > 1 { "@_overload\n" } else { "" };
    found.into_iter().map(|it| format!("\n{mark}{it}")).collect()
}

/// A type of Rust, in the words of stubs.
fn word(ty: &Type) -> String {
    match ty {
        Type::Tuple(it) => {
            let items: Vec<String> = it.elems.iter().map(word).collect();
            format!("_tuple[{}]", items.join(", "))
        }
        Type::Paren(it) => word(&it.elem),
        Type::Path(it) => match it.path.segments.last() {
            Some(last) => match (&last.arguments, last.ident.to_string().as_str()) {
                // Of a `Result`, by whatever name, the first is what Python gets.
                (PathArguments::AngleBracketed(args), _) => match args.args.first() {
                    Some(GenericArgument::Type(inner)) => word(inner),
                    _ => "_Any".to_owned(),
                },
                (_, "f32" | "f64") => "_float".to_owned(),
                (_, "bool") => "_bool".to_owned(),
                (_, "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64") => {
                    "_int".to_owned()
                }
                _ => "_Any".to_owned(),
            },
            None => "_Any".to_owned(),
        },
        _ => "_Any".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use syn::{ItemFn, parse_quote};

    use super::*;

    #[test]
    fn functions_of_one_name_are_overloads() {
        let functions: [ItemFn; 6] = [
            parse_quote! {
                #[overload]
                fn mean_of(a: f64, b: f64) -> f64 { a }
            },
            parse_quote! {
                #[opwright::overload(mean_of)]
                fn mean_of_integers(a: i64, b: i64) -> i64 { a }
            },
            parse_quote! {
                #[overload(mean_of)]
                fn mean_of_narrow(a: f32, b: f32) -> f32 { a }
            },
            parse_quote! {
                #[overload]
                fn r#split(x: f64, is_up: bool) -> opwright::Result<(u8, f64)> { Ok((1, x)) }
            },
            parse_quote! {
                #[overload]
                fn alias(x: Number) -> Number { x }
            },
            parse_quote! {
                fn other(x: f64) -> f64 { x }
            },
        ];
        let module = ["compiled".to_owned()];
        let found = functions.iter().filter_map(|it| Overload::of(it, &module));
        let found: Vec<Overload> = found.collect();
        let expected = "
def alias(x: _Any) -> _Any: ...

@_overload
def mean_of(a: _int, b: _int) -> _int: ...

@_overload
def mean_of(a: _float, b: _float) -> _float: ...

def split(x: _float, is_up: _bool) -> _tuple[_int, _float]: ...
";
        assert_eq!(overloads(&found), expected);
        let path = |text: &str| text.split("::").map(str::to_owned).collect::<Vec<_>>();
        assert!(found[1].is_at(&path("compiled::mean_of_integers")));
        assert!(found[1].is_at(&path("mean_of_integers")) && !found[1].is_at(&path("mean_of")));
    }
}
