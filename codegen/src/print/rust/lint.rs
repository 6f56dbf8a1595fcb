//! Lint exceptions of generated Rust, with reasons.

use proc_macro2::TokenStream;
use quote::quote;

/// Names in generated code are those of schemas, whatever Rust prefers.
pub fn schema_names() -> TokenStream {
    quote! {
        #[allow(non_camel_case_types, non_snake_case, reason = "these are the schema's names")]
    }
}

/// Clippy objects to more than seven parameters.
pub fn many_arguments(count: usize) -> Option<TokenStream> {
    let reason = "as many as the schema says";
    (count > 7).then(|| quote!(#[allow(clippy::too_many_arguments, reason = #reason)]))
}
