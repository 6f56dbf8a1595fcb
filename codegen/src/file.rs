//! From tokens to the text of a generated file.

use std::fmt::Write;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// The first line of every generated file.
pub const HEADER: &str = "@generated from native_functions.yaml by opwright-codegen. Do not edit.";

/// Rust source text: header, then the items, formatted.
///
/// Where a result is propagated, printers print a call of `rt::ok`, which is formatted as one, for the
/// macro `rt::ok!`, which would not be.
///
/// # Panics
///
/// If a printer made something that is not Rust, which is a bug in it.
pub fn rust(tokens: TokenStream) -> String {
    let parsed = syn::parse2(tokens.clone())
        .unwrap_or_else(|error| panic!("a printer made invalid Rust: {error}\n{tokens}"));
    let text = prettyplease::unparse(&parsed).replace("rt::ok(", "rt::ok!(");
    format!("// {HEADER}\n\n{text}")
}

/// The same text as [`rust`] for the compiler alone: with a line for each statement, and not formatted,
/// which would take as long as all else.
pub fn compact(tokens: TokenStream) -> String {
    let mut text = format!("// {HEADER}\n\n");
    write_compact(tokens, &mut text);
    text
}

fn write_compact(tokens: TokenStream, text: &mut String) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis if text.ends_with("rt :: ok ") => ("!(", ") "),
                    Delimiter::Parenthesis => ("(", ") "),
                    Delimiter::Bracket => ("[", "] "),
                    Delimiter::Brace => ("{\n", "}\n"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                write_compact(group.stream(), text);
                text.push_str(close);
            }
            TokenTree::Punct(it) => {
                text.push(it.as_char());
                match it.as_char() {
                    ';' => text.push('\n'),
                    _ if it.spacing() == Spacing::Alone => text.push(' '),
                    _ => {}
                }
            }
            TokenTree::Ident(it) => _ = write!(text, "{it} "),
            TokenTree::Literal(it) => _ = write!(text, "{it} "),
        }
    }
}

/// Python source text: header, then the lines.
pub fn python(text: &str) -> String {
    format!("# {HEADER}\n\n{}\n", text.trim_end())
}

/// Markdown text: header in a comment, then the page.
pub fn markdown(text: &str) -> String {
    format!("<!-- {HEADER} -->\n\n{}\n", text.trim_end())
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::{compact, rust};

    #[test]
    fn the_compiler_reads_the_same_as_a_reader() {
        let tokens = quote! {
            /// What it says.
            pub fn one<'a>(x: &'a [f64], at: usize) -> rt::Result<f64> {
                let name = "a \"b\"; {";
                let _: ::core::option::Option<&'static str> = if at >= 1 && !name.is_empty() { None } else { Some(name) };
                for k in 0..=at { x[k] += -1.5e3f64 }
                rt::ok(rt::find(x, at)).map(|it| { it * 2. })
            }
        };
        let formatted = |text: &str| prettyplease::unparse(&syn::parse_file(text).unwrap());
        let (compact, rust) = (compact(tokens.clone()), rust(tokens));
        assert_eq!(formatted(&compact), formatted(&rust));
        assert_eq!(compact.matches("rt :: ok !(").count(), 1, "{compact}");
    }
}
