//! Prints the macro by which an annotation finds out whether it has been read.
//!
//! ```text
//! macro_rules! __annotated {
//!     (add_tensor_0123456789abcdef { $($code:tt)* } $unread:tt) => { $($code)* };
//!     ($mark:ident $code:tt { $($unread:tt)* }) => { $($unread)* };
//! }
//! ```
//!
//! What `#[native_op]` expands to names items that are there only for
//! operators that have been read. This keeps the two apart before rustc looks
//! for any of them, so that an annotation that was not read is one error.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use crate::types::ident;

/// The macro for a crate with these annotations.
pub fn print(marks: &BTreeSet<String>) -> TokenStream {
    let marks = marks.iter().map(|it| ident(it));
    definition(&quote! {
        #((#marks { $($code:tt)* } $unread:tt) => { $($code)* };)*
        ($mark:ident $code:tt { $($unread:tt)* }) => { $($unread)* };
    })
}

/// The macro for crates whose annotations are not known.
pub fn any() -> TokenStream {
    definition(&quote!(($mark:ident { $($code:tt)* } $unread:tt) => { $($code)* };))
}

fn definition(arms: &TokenStream) -> TokenStream {
    quote! {
        #[doc(hidden)]
        macro_rules! __annotated { #arms }
        #[doc(hidden)]
        #[allow(unused_imports, reason = "a crate may have no annotations")]
        pub(crate) use __annotated;
    }
}
