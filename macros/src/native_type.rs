//! `#[native_type]`: leaves the type as it is, and says at its name that operators take values of it
//! and that Python passes them.
//!
//! ```text
//! pub struct Quantizer { .. }
//!
//! crate::ops::__annotated! { native_type_Quantizer { const _: () = {
//!     use crate::ops::__runtime as rt;
//!     impl rt::op::NativeType for Quantizer { const NAME: &'static str = "Quantizer"; }
//!     impl rt::op::Given for Quantizer { .. }
//!     #[cfg(opwright_generated, ..)]
//!     impl crate::ops::__facade::python::Marshal for Quantizer {}
//! }; } {} }
//! ```
//!
//! What the traits ask for is missed at the author's name, and there alone: what the build script
//! prints needs no more than these two. A type that it has not read stays without them, which
//! `NativeType` tells where the type is used.

use opwright_codegen::structure::mark;
use opwright_codegen::types::use_runtime;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{DeriveInput, Error, Result};

/// The type itself, its traits, and what is wrong with it.
pub(crate) fn native_type(args: TokenStream, input: TokenStream) -> TokenStream {
    let item = match check(&args, &input) {
        Ok(ident) => implemented(&ident),
        Err(error) => error.into_compile_error(),
    };
    quote!(#input #item)
}

fn check(args: &TokenStream, input: &TokenStream) -> Result<Ident> {
    let Ok(item) = syn::parse2::<DeriveInput>(input.clone()) else {
        let message = "`#[native_type]` stands above a struct or an enum";
        return Err(Error::new_spanned(input, message));
    };
    if !args.is_empty() {
        let message = "`#[native_type]` takes no arguments: schemas know the type by its name";
        return Err(Error::new_spanned(args, message));
    }
    if !item.generics.params.is_empty() {
        let message = "a type that schemas name has no parameters: write a type for each";
        return Err(Error::new_spanned(&item.generics, message));
    }
    Ok(item.ident)
}

fn implemented(ident: &Ident) -> TokenStream {
    let (mark, runtime) = (mark(ident), use_runtime());
    let (native, given) = natives(ident, None);
    quote! {
        crate::ops::__annotated! { #mark {
            #[allow(unexpected_cfgs, reason = "the build script says it, if there is one")]
            const _: () = {
                #runtime
                #native
                #given
                #[cfg(all(opwright_generated, not(opwright_without_python), not(test)))]
                impl crate::ops::__facade::python::Marshal for #ident {}
            };
        } {} }
    }
}

/// That a type is one of values, and that overloads are given them, where `rt` is the runtime.
pub(crate) fn natives(ident: &Ident, structure: Option<TokenStream>) -> (TokenStream, TokenStream) {
    let name = ident.to_string();
    let native = quote! {
        impl rt::op::NativeType for #ident {
            const NAME: &'static ::core::primitive::str = #name;
            #structure
        }
    };
    let given = quote! {
        impl rt::op::Given for #ident {
            fn given(&self) -> rt::Result<rt::op::Value> {
                ::core::result::Result::Ok(rt::op::Value::Native(rt::op::Native::copy_of(self)))
            }
        }
    };
    (native, given)
}
