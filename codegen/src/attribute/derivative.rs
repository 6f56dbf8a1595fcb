//! `derivative(...)` of an attribute: how an operator is differentiated.
//!
//! ```text
//! derivative = none                           nothing follows from the function itself
//! derivative(x = "grad * k")                  a formula
//! derivative(x = path::to::function)          a function of the crate
//! derivative((x, y) = function, k = none)     one for several inputs; an input without
//! derivative(output_differentiability = [true, false], x = "...")
//! ```

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::token::{Bracket, Paren};
use syn::{Ident, LitBool, LitStr, Path, Result, Token, bracketed, parenthesized};

use super::subject::text_offset;
use crate::codes;
use crate::mistake::{combined, mistake};

/// What an annotation says about gradients.
#[derive(Clone, Debug)]
pub enum Derivative {
    /// Nothing follows from the function itself.
    Refused,
    /// The gradients of these inputs, each at its place.
    Said(DerivativeOption),
}

/// What stands in the parentheses of `derivative(...)`.
#[derive(Clone, Debug)]
pub struct DerivativeOption {
    /// Which outputs have gradients, and where that stands.
    pub outputs: Option<(Vec<bool>, Span)>,
    /// The gradients of inputs.
    pub inputs: Vec<InputGradient>,
}

/// The gradient of an input, or the gradients of several.
#[derive(Clone, Debug)]
pub struct InputGradient {
    /// The names of the inputs.
    pub names: Vec<Ident>,
    /// Where the gradient comes from.
    pub from: Origin,
}

/// Where a gradient comes from.
#[derive(Clone, Debug)]
pub enum Origin {
    /// A formula.
    Formula {
        /// The string literal.
        literal: LitStr,
        /// How many bytes stand between the start of the literal and that of its text.
        prefix: usize,
    },
    /// A function.
    Function(Path),
    /// There is none.
    Nowhere(Span),
}

/// The key for outputs, as a file of formulas has it.
const OUTPUTS: &str = "output_differentiability";

impl Derivative {
    /// The functions that it names, in order.
    pub fn functions(&self) -> impl Iterator<Item = &Path> {
        let inputs = match self {
            Derivative::Refused => &[][..],
            Derivative::Said(said) => &said.inputs,
        };
        inputs.iter().filter_map(|it| match &it.from {
            Origin::Function(path) => Some(path),
            Origin::Formula { .. } | Origin::Nowhere(_) => None,
        })
    }
}

impl Parse for DerivativeOption {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let inside;
        parenthesized!(inside in input);
        let items = Punctuated::<DerivativeItem, Token![,]>::parse_terminated(&inside)?;
        let (mut outputs, mut inputs, mut errors) = (None, Vec::new(), Vec::new());
        for item in items {
            match item {
                DerivativeItem::Input(input) => inputs.push(input),
                DerivativeItem::Outputs(_, span) if outputs.is_some() => {
                    let message = format_args!("`{OUTPUTS}` is said twice: leave one out");
                    errors.push(mistake(codes::OPTION_TWICE, span, message));
                }
                DerivativeItem::Outputs(flags, span) => outputs = Some((flags, span)),
            }
        }
        combined(errors)?;
        Ok(DerivativeOption { outputs, inputs })
    }
}

enum DerivativeItem {
    Outputs(Vec<bool>, Span),
    Input(InputGradient),
}

impl Parse for DerivativeItem {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let names = names(input)?;
        input.parse::<Token![=]>()?;
        if let ([name], true) = (names.as_slice(), input.peek(Bracket))
            && name == OUTPUTS
        {
            let inside;
            bracketed!(inside in input);
            let flags = Punctuated::<LitBool, Token![,]>::parse_terminated(&inside)?;
            return Ok(DerivativeItem::Outputs(
                flags.iter().map(LitBool::value).collect(),
                name.span(),
            ));
        }
        Ok(DerivativeItem::Input(InputGradient { names, from: input.parse()? }))
    }
}

/// `x`, or `(x, y)`.
fn names(input: ParseStream<'_>) -> Result<Vec<Ident>> {
    if !input.peek(Paren) {
        return Ok(vec![input.call(Ident::parse_any)?]);
    }
    let inside;
    let paren = parenthesized!(inside in input);
    let names = Punctuated::<Ident, Token![,]>::parse_terminated_with(&inside, Ident::parse_any)?;
    if names.is_empty() {
        let message = "expected names of inputs, as in `(x, y) = ...`";
        return Err(mistake(codes::OPTION_VALUE, paren.span.join(), message));
    }
    Ok(names.into_iter().collect())
}

impl Parse for Origin {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(LitStr) {
            let literal: LitStr = input.parse()?;
            let prefix = text_offset(&literal, "formula")?;
            return Ok(Origin::Formula { literal, prefix });
        }
        let path: Path = input.parse().map_err(|error| {
            let message = "expected a formula, as in `x = \"grad * y\"`, or the path of a function";
            mistake(codes::OPTION_VALUE, error.span(), message)
        })?;
        match path.is_ident("none") {
            true => Ok(Origin::Nowhere(path.span())),
            false => Ok(Origin::Function(path)),
        }
    }
}
