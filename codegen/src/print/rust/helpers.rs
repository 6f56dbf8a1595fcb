//! Prints by what formulas of other crates reach the helpers of this one.
//!
//! ```text
//! pub mod __helpers {
//!     pub const maybe_multiply: fn(&rt::Tensor, rt::Scalar) -> rt::Result<rt::Tensor> =
//!         crate::gradient::maybe_multiply;
//! }
//! ```

use proc_macro2::TokenStream;
use quote::quote;

use super::derivatives::function_type;
use crate::helper::Helper;
use crate::types::{ident, use_runtime};

/// A constant for each helper that other crates can call: it may be private to this one.
pub fn print(helpers: &[Helper]) -> TokenStream {
    let mut constants = helpers.iter().filter(|it| it.is_for_others()).map(constant).peekable();
    if constants.peek().is_none() {
        return TokenStream::new();
    }
    let runtime = use_runtime();
    quote! {
        #[doc(hidden)]
        #[allow(
            missing_docs,
            non_upper_case_globals,
            reason = "they are what they are called like"
        )]
        #[allow(clippy::type_complexity, reason = "helpers take what they take")]
        pub mod __helpers {
            #[allow(unused_imports, reason = "a function may have no types of the runtime")]
            #runtime
            #(#constants)*
        }
    }
}

fn constant(helper: &Helper) -> TokenStream {
    let (name, ty, path) = (ident(helper.name()), function_type(helper), helper.tokens());
    quote!(pub const #name: #ty = #path;)
}
