//! Prints kernels whose results are materialized: no views, where the schema returns none.
//!
//! ```text
//! |self_, shifts, dims| crate::kernels::roll::KERNEL(self_, shifts, dims).and_then(rt::structured::materialized)
//! ```

use opwright_schema::model::{Return, Schema, Type};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::print::rust::path::param_name;
use crate::types::tuple;

/// A kernel around another one; none if that returns no tensors but those that it was given and
/// views of them.
pub(super) fn kernel(schema: &Schema, kernel: &TokenStream) -> Option<TokenStream> {
    let returns: Vec<&Return> = schema.returns.iter().filter(|it| !it.writes()).collect();
    if !returns.iter().any(|it| materialize(it).is_some()) {
        return None;
    }
    let params: Vec<Ident> = schema.params.iter().map(param_name).collect();
    if let [Some(function)] =
        returns.iter().map(|it| materialize(it)).collect::<Vec<_>>().as_slice()
    {
        return Some(quote!(|#(#params),*| #kernel(#(#params),*).and_then(#function)));
    }
    let names: Vec<Ident> = (0..returns.len()).map(|it| format_ident!("__result{it}")).collect();
    let results = names.iter().zip(&returns).map(|(name, it)| match materialize(it) {
        Some(function) => quote!(rt::ok(#function(#name))),
        None => quote!(#name),
    });
    let results = tuple(&results.collect::<Vec<_>>());
    Some(quote! {
        |#(#params),*| {
            let (#(#names),*) = rt::ok(#kernel(#(#params),*));
            ::core::result::Result::Ok(#results)
        }
    })
}

/// What a result goes through, if it is a tensor or a list of them and no view.
fn materialize(result: &Return) -> Option<TokenStream> {
    if result.annotation.is_some() {
        return None;
    }
    match &result.ty.value {
        Type::List(element, _) if element.is_tensor() => {
            Some(quote!(rt::structured::materialized_all))
        }
        ty @ Type::Base(_) if ty.is_tensor() => Some(quote!(rt::structured::materialized)),
        _ => None,
    }
}
