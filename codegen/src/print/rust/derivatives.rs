//! Prints the types of functions that annotations name as gradients.
//!
//! ```text
//! pub(crate) mod __derivatives {
//!     pub(crate) type scale_0123456789abcdef_0 = fn(&rt::Tensor, f64) -> rt::Result<rt::Tensor>;
//! }
//! ```
//!
//! What `#[native_op]` expands to has a constant of each of them, which is the author's function:
//! so it may be private, and rustc reports one that does not fit at its path in the annotation.

use opwright_schema::model::Type;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::helper::{GradientFunction, Helper};
use crate::ty::Ty;
use crate::types::{borrowed, owned, result, tuple, use_runtime};

/// The types of these functions, each by the mark of its annotation and its number there.
pub fn print(functions: &[(String, usize, GradientFunction)]) -> TokenStream {
    if functions.is_empty() {
        return TokenStream::new();
    }
    let types = functions.iter().map(|(mark, number, function)| {
        let name = format_ident!("{mark}_{number}");
        let ty = function_type(&function.helper);
        quote!(pub(crate) type #name = #ty;)
    });
    let runtime = use_runtime();
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types, reason = "they are called like what they are for")]
        pub(crate) mod __derivatives {
            #[allow(unused_imports, reason = "a function may have no types of the runtime")]
            #runtime
            #(#types)*
        }
    }
}

/// `fn(&rt::Tensor, f64) -> rt::Result<rt::Tensor>`
pub(super) fn function_type(helper: &Helper) -> TokenStream {
    let params = helper.params.iter().map(parameter);
    let ok = result(&returned(&helper.returns));
    quote!(fn(#(#params),*) -> #ok)
}

fn parameter(ty: &Ty) -> TokenStream {
    match ty {
        Ty::Of(ty) => borrowed(ty),
        Ty::Metadata => quote!(&rt::autograd::Metadata),
        Ty::Geometry => quote!(&rt::autograd::Geometry),
        Ty::Shapes => quote!(&[rt::geometry::Dims]),
        // No parameter is of one of these.
        Ty::Tuple(_) | Ty::Absent | Ty::Nothing | Ty::Braces => quote!(()),
    }
}

fn returned(ty: &Ty) -> TokenStream {
    let several: &[Type] = match ty {
        Ty::Of(ty) => return owned(ty),
        Ty::Tuple(several) => several,
        _ => &[],
    };
    tuple(&several.iter().map(owned).collect::<Vec<_>>())
}
