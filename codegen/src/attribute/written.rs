//! An option as it is written, before its name is known to mean something.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::token::{Bracket, Paren};
use syn::{Ident, LitStr, Result, Token, bracketed};

use super::derivative;

/// A name, and what stands behind its `=`, or in its parentheses.
pub(super) struct Written {
    pub(super) name: Ident,
    pub(super) value: Option<OptionValue>,
}

/// What stands behind the `=` of an option, or in its parentheses.
pub(super) struct OptionValue {
    /// The text of a string, or the words with commas between them.
    pub(super) text: String,
    /// That string.
    pub(super) literal: Option<LitStr>,
    pub(super) span: Span,
    pub(super) words: Vec<Ident>,
    /// The words stand in brackets.
    pub(super) listed: bool,
    /// What `derivative(...)` says.
    pub(super) gradients: Option<derivative::DerivativeOption>,
}

impl Parse for Written {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.call(Ident::parse_any)?;
        if name == "derivative" && input.peek(Paren) {
            let span = name.span();
            let value =
                OptionValue { gradients: Some(input.parse()?), ..OptionValue::nothing(span) };
            return Ok(Written { name, value: Some(value) });
        }
        if !input.peek(Token![=]) {
            return Ok(Written { name, value: None });
        }
        input.parse::<Token![=]>()?;
        Ok(Written { name, value: Some(input.parse()?) })
    }
}

impl Parse for OptionValue {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(LitStr) {
            let literal: LitStr = input.parse()?;
            let (text, span) = (literal.value(), literal.span());
            let literal = Some(literal);
            return Ok(OptionValue { text, literal, ..OptionValue::nothing(span) });
        }
        if input.peek(Bracket) {
            let inside;
            let bracket = bracketed!(inside in input);
            let words =
                Punctuated::<Ident, Token![,]>::parse_terminated_with(&inside, Ident::parse_any)?;
            return Ok(OptionValue::of(words.into_iter().collect(), bracket.span.join(), true));
        }
        let words =
            Punctuated::<Ident, Token![|]>::parse_separated_nonempty_with(input, Ident::parse_any)?;
        let span = words.first().map_or_else(|| input.span(), Ident::span);
        Ok(OptionValue::of(words.into_iter().collect(), span, false))
    }
}

impl OptionValue {
    /// That of an option without `=`.
    pub(super) fn nothing(span: Span) -> Self {
        OptionValue {
            text: String::new(),
            literal: None,
            span,
            words: Vec::new(),
            listed: false,
            gradients: None,
        }
    }

    fn of(words: Vec<Ident>, span: Span, listed: bool) -> Self {
        let text = words.iter().map(Ident::to_string).collect::<Vec<_>>().join(", ");
        OptionValue { text, words, listed, ..OptionValue::nothing(span) }
    }
}
