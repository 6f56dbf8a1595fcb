//! Subjects of attributes: the name of an entry, a schema, or the
//! function's signature.

use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Result, Token};

use crate::codes;
use crate::items::Items;
use crate::mistake::mistake;

/// Which operator a function belongs to.
#[derive(Clone, Debug)]
pub enum Subject {
    /// An entry of the YAML file, or an operator annotated elsewhere.
    Entry {
        /// `add.Tensor`.
        name: String,
        /// The words of the name, for their places.
        words: Vec<Ident>,
    },
    /// The operator of this schema.
    Inline {
        /// The string literal.
        literal: LitStr,
        /// How many bytes stand between the start of the literal and that of its text.
        prefix: usize,
    },
    /// The operator of the schema that the function's signature says.
    Signature(Items),
}

impl Parse for Subject {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(LitStr) {
            let literal: LitStr = input.parse()?;
            let prefix = text_offset(&literal, "schema")?;
            return Ok(Subject::Inline { literal, prefix });
        }
        if let Some(items) = Items::parse(input)? {
            return Ok(Subject::Signature(items));
        }
        let mut words = vec![input.call(Ident::parse_any)?];
        while input.peek(Token![.]) {
            input.parse::<Token![.]>()?;
            words.push(input.call(Ident::parse_any)?);
        }
        let name = words.iter().map(Ident::to_string).collect::<Vec<_>>().join(".");
        Ok(Subject::Entry { name, words })
    }
}

/// Errors inside the text are shown at their place in the literal, which
/// needs it to be the very bytes of the file.
pub(super) fn text_offset(literal: &LitStr, what: &str) -> Result<usize> {
    let text = literal.token().to_string();
    let prefix = text.find('"').map_or(0, |quote| quote + 1);
    let rest = text[prefix..].strip_prefix(&literal.value());
    if rest.is_some_and(|rest| rest.starts_with('"')) {
        return Ok(prefix);
    }
    let message =
        format_args!("a {what} is written without escapes; use a raw string, `r#\"...\"#`");
    Err(mistake(codes::ESCAPES, literal.span(), message))
}
