//! The expansion of `#[cast]`, a pure function on tokens.
//!
//! ```text
//! fn middle(of: &Interval) -> f64 { .. }
//!
//! crate::ops::__annotated! { cast {
//! #[doc(hidden)]
//! pub(crate) mod middle {
//!     use crate::ops::__facade::jit::native;
//!     unsafe extern "C" fn __call(words: .., results: .., failed: ..) -> u32 {
//!         unsafe { native::convert(super::middle, words, results, failed) }
//!     }
//!     pub(crate) const CAST: native::Cast =
//!         native::Cast::new(&super::middle, __call, "middle (src/lib.rs:7)");
//! }
//! } }
//! ```
//!
//! That the function is passed on is the assertion: `native::Conversion` is there for functions from one
//! type to another.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Error, ItemFn, Result};

use crate::function::{beside, check, unraw};

/// Whatever is wrong, the function itself survives.
pub(crate) fn cast(args: TokenStream, input: TokenStream) -> TokenStream {
    beside("cast", args, input, expand)
}

const GENERIC: &str = "a cast has no parameters but its value: write a function for each type";

fn expand(args: TokenStream, func: &ItemFn) -> Result<TokenStream> {
    if !args.is_empty() {
        let message = "`#[cast]` takes nothing: the types are those of the function";
        return Err(Error::new_spanned(args, message));
    }
    let names = check("a cast", GENERIC, func)?;
    if names.len() != 1 {
        let message =
            format!("a cast takes one value, and `{}` takes {}", func.sig.ident, names.len());
        return Err(Error::new_spanned(&func.sig, message));
    }
    let (ident, name) = (&func.sig.ident, unraw(&func.sig.ident));
    let cfg = func.attrs.iter().filter(|it| it.path().is_ident("cfg"));
    let at = Span::call_site().located_at(ident.span());
    let passed = quote_spanned!(at=> super::#ident);
    Ok(quote! {
        crate::ops::__annotated! { cast {
        #(#cfg)*
        #[doc(hidden)]
        #[allow(dead_code, reason = "tests and libraries for C have no module of Python")]
        pub(crate) mod #ident {
            use crate::ops::__facade::jit::native;

            unsafe extern "C" fn __call(
                words: *const ::core::primitive::u64,
                results: *mut ::core::primitive::u64,
                failed: *mut native::NativeFailure,
            ) -> ::core::primitive::u32 {
                // SAFETY: who calls it passes as many words as a value of the type has, and room for the
                // result and a failure.
                unsafe { native::convert(#passed, words, results, failed) }
            }

            pub(crate) const CAST: native::Cast = native::Cast::new(
                &#passed,
                __call,
                ::core::concat!(#name, " (", ::core::file!(), ":", ::core::line!(), ")"),
            );
        }
        } }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cast_takes_one_value() {
        for (args, input) in [
            (
                quote!(),
                quote!(
                    fn f(a: Interval, b: f64) -> f64 {
                        b
                    }
                ),
            ),
            (
                quote!(),
                quote!(
                    fn f() -> f64 {
                        1.0
                    }
                ),
            ),
            (
                quote!(f64),
                quote!(
                    fn f(a: Interval) -> f64 {
                        a.lo
                    }
                ),
            ),
            (
                quote!(),
                quote!(
                    fn f<T>(a: T) -> f64 {
                        1.0
                    }
                ),
            ),
            (
                quote!(),
                quote!(
                    enum F {}
                ),
            ),
        ] {
            let text = cast(args, input.clone()).to_string();
            assert!(text.starts_with(&input.to_string()), "{text}");
            assert!(text.contains("compile_error"), "{text}");
        }
        let text = cast(
            quote!(),
            quote!(
                fn r#type(of: &Interval) -> f64 {
                    of.lo
                }
            ),
        )
        .to_string();
        assert!(text.contains("\"type\"") && text.contains("mod r#type"), "{text}");
    }
}
