//! Prints the macro by which an annotation finds out whether it has been read.
//!
//! ```text
//! macro_rules! __annotated {
//!     (add_tensor_0123456789abcdef { $($code:tt)* } $unread:tt) => { $($code)* };
//!     ($mark:ident $code:tt { $($unread:tt)* }) => { $($unread)* };
//!     (cast { $($code:tt)* }) => { $($code)* };
//! }
//! ```
//!
//! What `#[native_op]` expands to names items that are there only for
//! operators that have been read. This keeps the two apart before rustc looks
//! for any of them, so that an annotation that was not read is one error.
//!
//! A `#[cast]` is of types that are read, but is not read itself: only without a build script is
//! it left out.

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

/// The macro that keeps what follows from kernels with these marks, and leaves out what follows from
/// others.
///
/// ```text
/// macro_rules! __derived {
///     (hypot_0123456789abcdef $($code:tt)*) => { $($code)* };
///     ($mark:ident $($code:tt)*) => {};
/// }
/// ```
pub fn derived(marks: &BTreeSet<String>) -> TokenStream {
    let marks = marks.iter().map(|it| ident(it));
    quote! {
        #[doc(hidden)]
        macro_rules! __derived {
            #((#marks $($code:tt)*) => { $($code)* };)*
            ($mark:ident $($code:tt)*) => {};
        }
        #[doc(hidden)]
        #[allow(unused_imports, reason = "a crate may have no kernels of elements")]
        pub(crate) use __derived;
    }
}

/// The macros for crates whose annotations are not known.
pub fn any() -> TokenStream {
    let annotated =
        definition(&quote!(($mark:ident { $($code:tt)* } $unread:tt) => { $($code)* };));
    let derived = derived(&BTreeSet::new());
    quote!(#annotated #derived)
}

fn definition(arms: &TokenStream) -> TokenStream {
    quote! {
        #[doc(hidden)]
        macro_rules! __annotated {
            #arms
            (cast { $($code:tt)* }) => { $($code)* };
        }
        #[doc(hidden)]
        #[allow(unused_imports, reason = "a crate may have no annotations")]
        pub(crate) use __annotated;
    }
}
