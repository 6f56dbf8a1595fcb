//! Prints what sees to it, in debug builds, that a composite kernel loses no gradient.
//!
//! ```text
//! |x, y| {
//!     if !::core::cfg!(debug_assertions) {
//!         return crate::doubled::KERNEL(x, y);
//!     }
//!     let __edges = rt::autograd::Edges::to_each(&[Some(x), Some(y)]);
//!     let __result = crate::doubled::KERNEL(x, y)?;
//!     rt::autograd::check_composite("doubled", &__edges, &[&__result])?;
//!     Ok(__result)
//! }
//! ```

use opwright_schema::model::{Kind, Param, Schema, Type};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::print::rust::gradient::edges;
use crate::print::rust::path::param_name;

/// A kernel around a composite one; none if it is given no tensor, writes to one, or returns something
/// else.
pub(super) fn kernel(schema: &Schema, kernel: &TokenStream) -> Option<TokenStream> {
    let tensors: Vec<&Param> =
        schema.params.iter().filter(|it| it.ty.value.is_tensor_like()).collect();
    if tensors.is_empty() || !matches!(schema.kind(), Kind::Functional) {
        return None;
    }
    let returns: Vec<&Type> = schema.returns.iter().map(|it| &it.ty.value).collect();
    let (taken, results) = match returns.as_slice() {
        [Type::List(element, _)] if element.is_tensor() => {
            (quote!(), quote!(&__result.iter().collect::<::std::vec::Vec<_>>()))
        }
        [Type::Base(_)] if returns[0].is_tensor() => (quote!(), quote!(&[&__result])),
        [_, _, ..] if returns.iter().all(|it| matches!(it, Type::Base(_)) && it.is_tensor()) => {
            let names: Vec<Ident> =
                (0..returns.len()).map(|it| format_ident!("__result{it}")).collect();
            (quote!(let (#(#names),*) = &__result;), quote!(&[#(#names),*]))
        }
        _ => return None,
    };
    let params: Vec<Ident> = schema.params.iter().map(param_name).collect();
    let (name, edges) = (schema.name.to_string(), edges(tensors.into_iter()));
    Some(quote! {
        |#(#params),*| {
            if !::core::cfg!(debug_assertions) {
                return #kernel(#(#params),*);
            }
            let __edges = #edges;
            let __result = #kernel(#(#params),*)?;
            #taken
            rt::autograd::check_composite(#name, &__edges, #results)?;
            ::core::result::Result::Ok(__result)
        }
    })
}
