//! Functions that overloads share whose text would be the same.

use std::collections::BTreeMap;

use opwright_schema::model::Overload;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::print::rust::doc::doc;

/// The functions, each printed once.
#[derive(Default)]
pub(super) struct Alike {
    functions: Vec<PrintedFunction>,
    numbers: BTreeMap<(&'static str, String), usize>,
    counts: BTreeMap<&'static str, usize>,
}

struct PrintedFunction {
    /// The first overload that it is for.
    first: String,
    name: Ident,
    /// From the parameters on.
    rest: TokenStream,
}

impl Alike {
    /// The number of a function that is called so, which is added if it is new.
    pub(super) fn number(
        &mut self,
        overload: &Overload,
        name: &'static str,
        rest: TokenStream,
    ) -> usize {
        let (functions, counts) = (&mut self.functions, &mut self.counts);
        *self.numbers.entry((name, rest.to_string())).or_insert_with(|| {
            let count = counts.entry(name).or_default();
            let first = overload.schema.name.to_string();
            functions.push(PrintedFunction { first, name: format_ident!("{name}{count}"), rest });
            *count += 1;
            functions.len() - 1
        })
    }

    /// The name of a function of this number.
    pub(super) fn name(&self, number: usize) -> &Ident {
        &self.functions[number].name
    }

    /// All of them, with these attributes; nothing if there are none.
    pub(super) fn print(&self, attributes: &TokenStream) -> Option<TokenStream> {
        let functions = self.functions.iter().map(|PrintedFunction { first, name, rest }| {
            let about = doc(&format!("For `{first}` and those like it."));
            quote!(#about #attributes pub(super) fn #name #rest)
        });
        (!self.functions.is_empty()).then(|| quote!(#(#functions)*))
    }
}
