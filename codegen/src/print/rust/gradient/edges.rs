//! Edges of a node: where gradients of the parameters of a call go.

use opwright_schema::model::{Param, Type};
use proc_macro2::TokenStream;
use quote::quote;

use crate::print::rust::path::param_name;

/// Where the gradients of these parameters go.
pub(in crate::print::rust) fn edges<'a>(params: impl Iterator<Item = &'a Param>) -> TokenStream {
    let params: Vec<&Param> = params.collect();
    let one = |param: &&Param| {
        let name = param_name(param);
        match &param.ty.value {
            Type::Base(_) if param.writes() => Some(quote!(::core::option::Option::Some(&*#name))),
            Type::Base(_) => Some(quote!(::core::option::Option::Some(#name))),
            Type::Optional(_) if param.writes() => Some(quote!(#name.as_deref())),
            Type::Optional(_) => Some(quote!(#name)),
            Type::List(..) => None,
        }
    };
    if let Some(all) = params.iter().map(one).collect::<Option<Vec<_>>>() {
        return quote!(rt::autograd::Edges::to_each(&[#(#all),*]));
    }
    let edges = params.into_iter().map(edge);
    quote!(rt::autograd::Edges::new() #(#edges)*)
}

/// Where the gradient of a parameter goes.
pub(super) fn edge(param: &Param) -> TokenStream {
    let name = param_name(param);
    match &param.ty.value {
        Type::Optional(_) if param.writes() => quote!(.to_optional(#name.as_deref())),
        Type::Optional(_) => quote!(.to_optional(#name)),
        Type::List(..) if param.writes() => quote!(.to_all_mut(#name)),
        Type::List(element, _) if element.is_tensor() => quote!(.to_all(#name)),
        Type::List(..) => quote!(.to_all_optional(#name)),
        Type::Base(_) => quote!(.to(#name)),
    }
}
