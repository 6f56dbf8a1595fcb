//! `promote = ...` of an attribute: which dtype a kernel calculates in, and
//! which one its results have.

use opwright_diagnostics::diag::nearest;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::Result;

use crate::codes;
use crate::dtypes::Dtype;
use crate::mistake::mistake;
use crate::types::{ident, runtime};

/// What the dtypes of tensor arguments are brought to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Promote {
    /// Their common dtype.
    #[default]
    Default,
    /// The same, and the default floating dtype for integers and `bool`.
    Float,
    /// Their common dtype; results are `bool`.
    Bool,
    /// One that holds each of them, numbers among them; results are `bool`.
    Compare,
    /// Nothing: they have one dtype.
    Keep,
    /// Their common dtype; results of complex numbers have that of their parts.
    ComplexToReal,
}

/// The words of an attribute.
const WORDS: [(&str, Promote); 6] = [
    ("default", Promote::Default),
    ("float", Promote::Float),
    ("bool", Promote::Bool),
    ("compare", Promote::Compare),
    ("keep", Promote::Keep),
    ("complex_to_real", Promote::ComplexToReal),
];

impl Promote {
    /// Reads a word.
    ///
    /// # Errors
    ///
    /// If there is no such rule; names the nearest one.
    pub fn read(word: &Ident) -> Result<Promote> {
        let text = word.to_string();
        if let Some((_, promote)) = WORDS.iter().find(|(known, _)| *known == text) {
            return Ok(*promote);
        }
        let known = WORDS.map(|(word, _)| word);
        let message = match nearest(&text, known) {
            Some(near) => format!("unknown promotion `{text}`; did you mean `{near}`?"),
            None => format!("unknown promotion `{text}`; there are `{}`", known.join("`, `")),
        };
        Err(mistake(codes::UNKNOWN_PROMOTION, word.span(), message))
    }

    /// The dtype to calculate in, as a `Result`.
    pub fn dtype(self, tensors: &[TokenStream]) -> TokenStream {
        let module = runtime("typed");
        let name = ident(match self {
            Promote::Default | Promote::Bool | Promote::ComplexToReal => "common_dtype",
            Promote::Compare => "compared_dtype",
            Promote::Float => "floating_dtype",
            Promote::Keep => "same_dtype",
        });
        quote!(#module::#name(&[#(#tensors),*]))
    }

    /// The dtype of a result that has the type of the elements, if they are
    /// calculated in `dtype`.
    pub fn result(self, dtype: &TokenStream) -> TokenStream {
        match self {
            Promote::Default | Promote::Float | Promote::Keep => dtype.clone(),
            Promote::Bool | Promote::Compare => Dtype::BOOL.path(),
            Promote::ComplexToReal => quote!(#dtype.to_real()),
        }
    }
}
