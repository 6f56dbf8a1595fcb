//! Prints the entry point of an overload: it looks up the kernel for its
//! arguments, and calls it.
//!
//! ```text
//! impl Tensor {
//!     pub fn call(self_: &Tensor, other: &Tensor, alpha: Scalar) -> Result<Tensor> {
//!         let __kernel = <Tensor as Op>::kernels()
//!             .get(KeySet::EMPTY.with_tensor(self_).with_tensor(other))?;
//!         __kernel(self_, other, alpha).map_err(|__error| __error.in_op("add"))
//!     }
//! }
//! ```
//!
//! One that writes to an argument asks `autograd::check_writable` before.

use opwright_schema::model::{BaseType, Overload, Param, Type};
use opwright_schema::names;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::print::rust::doc::doc;
use crate::print::rust::lint::many_arguments;
use crate::print::rust::path::param_name;
use crate::types::{ident, parameter, result, returned, runtime};

/// The block with the entry point. One that is nothing but what its parts are leaves it to these to
/// count what they write to.
pub fn call(overload: &Overload, is_transparent: bool) -> TokenStream {
    let schema = &overload.schema;
    let marker = ident(&names::marker(&schema.name));
    let (name, base) = (schema.name.to_string(), schema.name.base.to_string());
    let about = doc(&format!(
        "Calls `{name}`.\n\n# Errors\n\nWhat its kernel reports, or that there is none for these arguments."
    ));
    let arguments: Vec<_> = schema.params.iter().map(param_name).collect();
    let lent = schema.params.iter().map(lend);
    let signature = call_signature(overload);
    let keys = key_set(&schema.params);
    let op = runtime("Op");
    let many = many_arguments(arguments.len());
    let written: Vec<_> = match is_transparent {
        true => Vec::new(),
        false => schema.params.iter().filter_map(|it| count(it, &param_name(it))).collect(),
    };
    let refused: Vec<_> = match is_transparent {
        true => Vec::new(),
        false => schema.params.iter().filter_map(|it| refuse(it, &param_name(it))).collect(),
    };
    let looked_up = match refused.is_empty() {
        true => quote!(let __kernel = <#marker as #op>::kernels().get(#keys)?;),
        false => quote! {
            let __keys = #keys;
            #(#refused)*
            let __kernel = <#marker as #op>::kernels().get(__keys)?;
        },
    };
    let counted = (!written.is_empty()).then(|| quote!(.inspect(|_| { #(#written)* })));
    quote! {
        impl #marker {
            #about
            #many
            // One copy for all who call it, however many shims and kernels do.
            #[inline(never)]
            pub #signature {
                #looked_up
                __kernel(#(#lent),*).map_err(|__error| __error.in_op(#base)) #counted
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
fn refuse(param: &Param, name: &Ident) -> Option<TokenStream> {
    if !param.writes() || !param.ty.value.is_tensor_like() {
        return None;
    }
    let check = quote!(rt::autograd::check_writable);
    let some = quote!(::core::option::Option::Some);
    Some(match &param.ty.value {
        Type::Base(_) => quote!(#check(__keys, #name)?;),
        Type::Optional(_) => quote!(if let #some(__it) = &#name { #check(__keys, __it)?; }),
        Type::List(..) => quote!(for __it in #name.iter() { #check(__keys, __it)?; }),
    })
}

/// `fn call(self_: &Tensor, other: &Tensor) -> Result<Tensor>`.
pub fn call_signature(overload: &Overload) -> TokenStream {
    let params = overload.schema.params.iter().map(lending);
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

/// The same, of the values in `__values`.
pub(super) fn key_set_of_values(params: &[Param]) -> TokenStream {
    let keys = runtime("KeySet");
    match params.iter().any(|it| tensor_key(it).is_some()) {
        true => quote!(#keys::of_tensors(__values)),
        false => quote!(#keys::of_devices(__values)),
    }
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
