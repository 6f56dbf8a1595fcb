//! Prints signatures of entry points and methods as a reader of the reference
//! sees them: without the paths that generated code needs.
//!
//! ```text
//! add::Tensor::call(self_: &Tensor, other: &Tensor, alpha: Scalar) -> Result<Tensor>
//! Tensor::add(&self, other: &Tensor) -> Result<Tensor>
//! ```

use opwright_schema::model::Overload;
use opwright_schema::names;
use proc_macro2::{Group, Spacing, TokenStream, TokenTree};

use crate::print::rust::call::call_signature;

/// An overload's entry point.
pub(super) fn entry_point(overload: &Overload) -> String {
    let name = &overload.schema.name;
    let owner = format!("{}::{}", names::module(name), names::marker(name));
    signature(&owner, call_signature(overload))
}

/// A method of the tensor trait, from its signature.
pub(super) fn method(tokens: TokenStream) -> String {
    signature("Tensor", tokens)
}

fn signature(owner: &str, tokens: TokenStream) -> String {
    let tokens = without_paths(tokens);
    // A receiver makes sense in an `impl` only.
    let file: syn::File = syn::parse_quote!(impl Owner { #tokens {} });
    let text = prettyplease::unparse(&file);
    let lines: Vec<&str> = text.lines().collect();
    let inner = &lines[1..lines.len() - 1];
    let inner: Vec<&str> = inner.iter().map(|it| it.strip_prefix("    ").unwrap_or(it)).collect();
    let text = inner.join("\n").replacen("fn ", &format!("{owner}::"), 1);
    text.trim_end_matches("{}").trim_end().to_owned()
}

/// Each path is left its last name.
fn without_paths(tokens: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let inner = without_paths(group.stream());
                kept.push(Group::new(group.delimiter(), inner).into());
            }
            TokenTree::Ident(_) if ends_with_path(&kept) => {
                kept.truncate(kept.len() - 2);
                // A path may begin with `::`, also behind `mut`.
                if matches!(kept.last(), Some(TokenTree::Ident(it)) if it != "mut") {
                    kept.pop();
                }
                kept.push(token);
            }
            token => kept.push(token),
        }
    }
    kept.into_iter().collect()
}

fn ends_with_path(tokens: &[TokenTree]) -> bool {
    let is_colon = |it: &TokenTree, spacing: Option<Spacing>| match it {
        TokenTree::Punct(it) => it.as_char() == ':' && spacing.is_none_or(|s| s == it.spacing()),
        _ => false,
    };
    let [.., first, second] = tokens else { return false };
    is_colon(first, Some(Spacing::Joint)) && is_colon(second, None)
}
