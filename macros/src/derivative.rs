//! Functions that an annotation names as gradients, as constants of the types that the build script
//! has printed for them.
//!
//! ```text
//! pub(crate) const DERIVATIVE0: crate::ops::__derivatives::scale_0123456789abcdef_0 = {
//!     use super::*;
//!     scale_backward
//! };
//! ```

use opwright_codegen::attribute::NativeOp;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Path, parse_quote};

use crate::operator::at;

/// The constants of an annotation with this mark.
pub(crate) fn constants(attribute: &NativeOp, mark: &Ident) -> TokenStream {
    let Some((derivative, _)) = &attribute.style.derivative else { return TokenStream::new() };
    let constants = derivative.functions().enumerate().map(|(number, path)| {
        let (name, ty) = (format_ident!("DERIVATIVE{number}"), format_ident!("{mark}_{number}"));
        let path = from_below(path);
        let value = quote_spanned!(at(path.span())=> #path);
        quote! {
            pub(crate) const #name: crate::ops::__derivatives::#ty = {
                #[allow(unused_imports, reason = "a path may begin at the root")]
                use super::*;
                #value
            };
        }
    });
    quote!(#(#constants)*)
}

/// The path as it leads from a module beside the function.
fn from_below(path: &Path) -> Path {
    let mut path = path.clone();
    let Some(first) = path.segments.first_mut() else { return path };
    match first.ident.to_string().as_str() {
        "self" => {
            first.ident = Ident::new("super", first.ident.span());
            path
        }
        "super" => {
            let above = Ident::new("super", first.ident.span());
            parse_quote!(#above::#path)
        }
        _ => path,
    }
}
