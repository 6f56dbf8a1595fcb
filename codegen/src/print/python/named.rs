//! The classes of named results.

use std::collections::BTreeMap;

use opwright_schema::model::Type;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::signature::{CallResult, PythonFunction};

/// Fields and their types, by the name of the class.
pub(super) fn named_tuples(functions: &[PythonFunction]) -> BTreeMap<String, Vec<(String, Type)>> {
    let signatures = functions.iter().flat_map(|it| &it.signatures);
    let calls = signatures.flat_map(|it| it.base.iter().chain(&it.out));
    calls
        .filter_map(|call| match &call.result {
            CallResult::Named { class, fields } => Some((class.clone(), fields.clone())),
            CallResult::Nothing
            | CallResult::Same(_)
            | CallResult::Value(_)
            | CallResult::Tuple(_)
            | CallResult::SameTuple { .. } => None,
        })
        .collect()
}

/// What makes these classes, each once.
pub(super) fn statics(functions: &[PythonFunction]) -> TokenStream {
    let statics = named_tuples(functions).into_iter().map(|(class, fields)| {
        let fields = fields.iter().map(|(name, _)| name);
        let name = named_tuple(&class);
        quote! {
            static #name: __bindings::NamedTuple =
                __bindings::NamedTuple::new(#class, &[#(#fields),*]);
        }
    });
    quote!(#(#statics)*)
}

/// The name of the static that makes a class.
pub(super) fn named_tuple(class: &str) -> Ident {
    format_ident!("NAMED_{}", class.to_uppercase())
}
