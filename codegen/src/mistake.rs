//! Mistakes in an annotation: errors of syn that know their code.
//!
//! The macro and the scan read annotations with the same functions. An error
//! of syn holds a place and a text, so the code stands in front of the text:
//! the scan takes it off and reports with it, the macro takes it off and lets
//! rustc speak.

use std::fmt::Display;

use proc_macro2::{Group, Literal, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Error, LitStr, Result};

use crate::codes;

/// A mistake at a place.
pub(crate) fn mistake(code: &'static str, place: Span, message: impl Display) -> Error {
    Error::new(place, format_args!("{code}: {message}"))
}

/// A mistake in all of these tokens.
pub(crate) fn mistake_in(
    code: &'static str,
    tokens: impl ToTokens,
    message: impl Display,
) -> Error {
    Error::new_spanned(tokens, format_args!("{code}: {message}"))
}

/// All of them as one error, if there are any.
///
/// # Errors
///
/// These.
pub fn combined(errors: impl IntoIterator<Item = Error>) -> Result<()> {
    let all = errors.into_iter().reduce(|mut all, error| {
        all.combine(error);
        all
    });
    all.map_or(Ok(()), Err)
}

/// The code of a mistake and its message; what syn reports itself has none.
pub(crate) fn split(message: &str) -> (&'static str, &str) {
    let coded = message.split_once(": ").and_then(|(code, rest)| Some((codes::find(code)?, rest)));
    coded.unwrap_or((codes::SYNTAX, message))
}

/// The `compile_error!` of mistakes, in the words that people read.
pub fn compile_error(errors: Error) -> TokenStream {
    without_codes(errors.into_compile_error())
}

fn without_codes(tokens: TokenStream) -> TokenStream {
    tokens.into_iter().map(without_code).collect()
}

fn without_code(token: TokenTree) -> TokenTree {
    match token {
        TokenTree::Group(group) => {
            let mut plain = Group::new(group.delimiter(), without_codes(group.stream()));
            plain.set_span(group.span());
            plain.into()
        }
        TokenTree::Literal(literal) => message(&literal).map_or(literal.into(), TokenTree::from),
        TokenTree::Ident(_) | TokenTree::Punct(_) => token,
    }
}

fn message(literal: &Literal) -> Option<Literal> {
    let text: LitStr = syn::parse2(literal.to_token_stream()).ok()?;
    let mut plain = Literal::string(split(&text.value()).1);
    plain.set_span(literal.span());
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistake_keeps_its_code_and_shows_its_message() {
        let error = mistake(codes::UNKNOWN_OPTION, Span::call_site(), "unknown option `kye`");
        assert_eq!(split(&error.to_string()), (codes::UNKNOWN_OPTION, "unknown option `kye`"));
        assert_eq!(split("expected `,`"), (codes::SYNTAX, "expected `,`"));
        let shown = compile_error(error).to_string();
        assert!(shown.contains("\"unknown option `kye`\""), "{shown}");
    }
}
