//! From tokens to the text of a generated file.

use proc_macro2::TokenStream;

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

/// Python source text: header, then the lines.
pub fn python(text: &str) -> String {
    format!("# {HEADER}\n\n{}\n", text.trim_end())
}

/// Markdown text: header in a comment, then the page.
pub fn markdown(text: &str) -> String {
    format!("<!-- {HEADER} -->\n\n{}\n", text.trim_end())
}
