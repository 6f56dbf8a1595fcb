//! `signature = (x, *, factor = 1.0)`: names, defaults and what is passed by
//! keyword only, in the words of Python.

use opwright_schema::codes::STAR;
use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, Result, Token, parenthesized};

use crate::mistake::mistake;

/// What an attribute says about the function's parameters.
#[derive(Clone, Debug)]
pub struct Items {
    /// In order; `None` if the attribute says only that the signature counts.
    pub items: Option<Vec<Item>>,
    /// Where it stands.
    pub span: Span,
}

/// A place in the list.
#[derive(Clone, Debug)]
pub enum Item {
    /// What follows is passed by keyword.
    Star(Span),
    /// A parameter.
    Param {
        /// Its name in the function, without a trailing underscore.
        name: Ident,
        /// Its default.
        default: Option<Box<Expr>>,
    },
}

impl Items {
    /// Every parameter as it is.
    pub fn all(span: Span) -> Items {
        Items { items: None, span }
    }

    /// `signature`, or `signature = (...)`, if that is what follows.
    pub(crate) fn parse(input: ParseStream<'_>) -> Result<Option<Items>> {
        let ahead = input.fork();
        let Ok(word) = ahead.call(Ident::parse_any) else { return Ok(None) };
        if word != "signature" || ahead.peek(Token![.]) {
            return Ok(None);
        }
        input.call(Ident::parse_any)?;
        if !input.peek(Token![=]) {
            return Ok(Some(Items::all(word.span())));
        }
        input.parse::<Token![=]>()?;
        let inside;
        parenthesized!(inside in input);
        let items = Punctuated::<Item, Token![,]>::parse_terminated(&inside)?;
        let items: Vec<Item> = items.into_iter().collect();
        let mut stars = items.iter().filter_map(|it| match it {
            Item::Star(span) => Some(*span),
            Item::Param { .. } => None,
        });
        match stars.nth(1) {
            Some(second) => Err(mistake(STAR, second, "there is one `*` at most")),
            None => Ok(Some(Items { items: Some(items), span: word.span() })),
        }
    }
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(Token![*]) {
            let star: Token![*] = input.parse()?;
            return Ok(Item::Star(star.span));
        }
        let name = input.call(Ident::parse_any)?;
        let default = match input.peek(Token![=]) {
            true => {
                input.parse::<Token![=]>()?;
                Some(Box::new(input.parse()?))
            }
            false => None,
        };
        Ok(Item::Param { name, default })
    }
}
