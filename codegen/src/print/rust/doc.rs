//! Documentation in generated Rust.

use opwright_schema::model::{Origin, Overload};
use proc_macro2::TokenStream;
use quote::quote;

/// One `#[doc]` per line: a longer one prints as a block comment.
///
/// An author's example is not Rust unless it says so, and rustdoc would run it.
pub fn doc(text: &str) -> TokenStream {
    let mut in_example = false;
    let lines = text.lines().map(|line| {
        let fence = line.trim_start().starts_with("```");
        let unmarked = fence && !in_example && line.trim() == "```";
        in_example ^= fence;
        let mark = if unmarked { "text" } else { "" };
        let line = if line.is_empty() { String::new() } else { format!(" {line}{mark}") };
        quote!(#[doc = #line])
    });
    quote!(#(#lines)*)
}

/// The schema, the documentation, the place.
pub fn description(overload: &Overload) -> String {
    let mut text = format!("`{}`\n", overload.schema);
    if !overload.doc.is_empty() {
        text = format!("{text}\n{}\n", overload.doc);
    }
    let file = match &overload.origin {
        Origin::Yaml { file, .. } | Origin::Annotation { file } => file,
    };
    format!("{text}\n{file}:{}", overload.line)
}
