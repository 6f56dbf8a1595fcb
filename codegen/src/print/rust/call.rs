//! Prints the entry point of an overload: what all of its signature share, with its kernels.
//!
//! ```text
//! impl Tensor {
//!     pub fn call(self_: &Tensor, other: &Tensor, alpha: Scalar) -> Result<Tensor> {
//!         crate::ops::__calls::call0(self_, other, alpha, <Tensor as Op>::kernels())
//!     }
//! }
//! ```

use opwright_schema::model::{BaseType, Overload, Param, Type};
use opwright_schema::names;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::print::rust::doc::doc;
use crate::print::rust::lint::many_arguments;
use crate::print::rust::path::param_name;
use crate::types::{fn_pointer, ident, parameter, result, returned, runtime};

/// The block with the entry point, which hands on to this function.
pub fn call(overload: &Overload, shared: &TokenStream) -> TokenStream {
    let schema = &overload.schema;
    let marker = ident(&names::marker(&schema.name));
    let name = schema.name.to_string();
    let about = doc(&format!(
        "Calls `{name}`.\n\n# Errors\n\nWhat its kernel reports, or that there is none for these arguments."
    ));
    let arguments: Vec<_> = schema.params.iter().map(param_name).collect();
    let signature = call_signature(overload);
    let op = runtime("Op");
    let many = many_arguments(arguments.len());
    quote! {
        impl #marker {
            #about
            #many
            #[inline]
            pub #signature {
                #shared(#(#arguments,)* <#marker as #op>::kernels())
            }
        }
    }
}

/// What passes a parameter on and keeps it.
pub(super) fn lend(param: &Param) -> TokenStream {
    let name = param_name(param);
    match &param.ty.value {
        Type::Optional(_) if param.writes() => quote!(#name.as_deref_mut()),
        _ => quote!(#name),
    }
}

/// A parameter of a function that lends it as [`lend`] does.
pub(super) fn lending(param: &Param) -> TokenStream {
    let (name, ty) = (param_name(param), parameter(param));
    let is_lent = param.writes() && matches!(param.ty.value, Type::Optional(_));
    let mutable = is_lent.then(|| quote!(mut));
    quote!(#mutable #name: #ty)
}

/// What the functions have that overloads share: the parameters, their kernels, and `further` ones.
pub(super) fn shared_signature(overload: &Overload, further: &TokenStream) -> TokenStream {
    let schema = &overload.schema;
    let params = schema.params.iter().map(lending);
    let (kernel, ok) = (fn_pointer(schema), result(&returned(schema)));
    quote!((#(#params,)* __kernels: &rt::KernelTable<#kernel>, #further) -> #ok)
}

/// Counts that a tensor has been written to.
pub(super) fn count(param: &Param, name: &Ident) -> Option<TokenStream> {
    if !param.writes() || !param.ty.value.is_tensor_like() {
        return None;
    }
    Some(match &param.ty.value {
        Type::Base(_) => quote!(#name.bump_version();),
        Type::Optional(_) => quote!(#name.iter().for_each(|it| it.bump_version());),
        Type::List(..) => quote!(#name.iter().for_each(|it| it.bump_version());),
    })
}

/// Refuses a tensor that the call may not write to, of which its keys tell.
pub(super) fn refuse(param: &Param, name: &Ident) -> Option<TokenStream> {
    if !param.writes() || !param.ty.value.is_tensor_like() {
        return None;
    }
    let check = quote!(rt::autograd::check_writable);
    let some = quote!(::core::option::Option::Some);
    Some(match &param.ty.value {
        Type::Base(_) => quote!(rt::ok(#check(__keys, #name));),
        Type::Optional(_) => quote!(if let #some(__it) = &#name { rt::ok(#check(__keys, __it)); }),
        Type::List(..) => quote!(for __it in #name.iter() { rt::ok(#check(__keys, __it)); }),
    })
}

/// `fn call(self_: &Tensor, other: &Tensor) -> Result<Tensor>`.
pub fn call_signature(overload: &Overload) -> TokenStream {
    let params = overload.schema.params.iter().map(|it| {
        let (name, ty) = (param_name(it), parameter(it));
        quote!(#name: #ty)
    });
    let ok = result(&returned(&overload.schema));
    quote!(fn call(#(#params),*) -> #ok)
}

/// What the arguments say about where the call goes. A device option counts only where no tensor
/// says it: `zeros`, but not `zeros_like`.
pub(super) fn key_set(params: &[Param]) -> TokenStream {
    let mut said: Vec<TokenStream> = params.iter().filter_map(tensor_key).collect();
    if said.is_empty() {
        said.extend(params.iter().filter_map(device_key));
    }
    let keys = runtime("KeySet");
    quote!(#keys::EMPTY #(#said)*)
}

fn tensor_key(param: &Param) -> Option<TokenStream> {
    let name = param_name(param);
    match &param.ty.value {
        ty if ty.is_tensor() => Some(quote!(.with_tensor(#name))),
        Type::Optional(inner) if inner.is_tensor() && param.writes() => {
            Some(quote!(.with_optional(#name.as_deref())))
        }
        Type::Optional(inner) if inner.is_tensor() => Some(quote!(.with_optional(#name))),
        Type::List(element, _) if element.is_tensor() && param.writes() => {
            Some(quote!(.with_mut_tensors(#name)))
        }
        Type::List(element, _) if element.is_tensor() => Some(quote!(.with_tensors(#name))),
        Type::List(element, _) if matches!(&**element, Type::Optional(inner) if inner.is_tensor()) => {
            Some(quote!(.with_optional_tensors(#name)))
        }
        Type::Base(_) | Type::Optional(_) | Type::List(..) => None,
    }
}

fn device_key(param: &Param) -> Option<TokenStream> {
    let name = param_name(param);
    match &param.ty.value {
        Type::Base(BaseType::Device) => Some(quote!(.with_device(#name))),
        Type::Optional(inner) if **inner == Type::Base(BaseType::Device) => {
            Some(quote!(.with_optional_device(#name)))
        }
        Type::Base(_) | Type::Optional(_) | Type::List(..) => None,
    }
}
