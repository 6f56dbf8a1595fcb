//! The expansion of `#[overload]`, a pure function on tokens.
//!
//! ```text
//! fn mean_of(a: f64, b: f64) -> f64 { .. }
//!
//! #[doc(hidden)]
//! pub(crate) mod mean_of {
//!     use crate::ops::__facade::jit::native;
//!     unsafe extern "C" fn __call(args: .., results: .., failed: ..) -> u32 {
//!         unsafe { native::enter(super::mean_of, args, results, failed) }
//!     }
//!     pub(crate) const OVERLOAD: native::NativeOverload =
//!         native::NativeOverload::new(&super::mean_of, "mean_of", &["a", "b"], __call, "..", "..");
//! }
//! ```
//!
//! That the function is passed on is the assertion: `native::NativeFunction` is there for functions of
//! numbers, so that another one is one error of rustc, at its name.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Attribute, Error, Expr, ExprLit, ItemFn, Lit, Meta, Result};

use crate::function::{beside, check, unraw};

/// Whatever is wrong, the function itself survives.
pub(crate) fn overload(args: TokenStream, input: TokenStream) -> TokenStream {
    beside("overload", args, input, expand)
}

const GENERIC: &str = "an overload has no parameters but values: write a function for each type, with \
                       the name in Python: `#[overload(mean_of)]`";

fn expand(args: TokenStream, func: &ItemFn) -> Result<TokenStream> {
    let name = name(args, func);
    let names = check("an overload", GENERIC, func);
    let (name, names) = match (name, names) {
        (Ok(name), Ok(names)) => (name, names),
        (Err(mut one), Err(other)) => {
            one.combine(other);
            return Err(one);
        }
        (Err(error), _) | (_, Err(error)) => return Err(error),
    };
    let (ident, doc) = (&func.sig.ident, doc(&func.attrs));
    let cfg = func.attrs.iter().filter(|it| it.path().is_ident("cfg"));
    let at = Span::call_site().located_at(ident.span());
    let passed = quote_spanned!(at=> super::#ident);
    Ok(quote! {
        #(#cfg)*
        #[doc(hidden)]
        #[allow(dead_code, reason = "tests and libraries for C have no module of Python")]
        pub(crate) mod #ident {
            use crate::ops::__facade::jit::native;

            unsafe extern "C" fn __call(
                args: *const ::core::primitive::u64,
                results: *mut ::core::primitive::u64,
                failed: *mut native::NativeFailure,
            ) -> ::core::primitive::u32 {
                // SAFETY: who calls it passes as many arguments as the row says, and room for the
                // results and a failure.
                unsafe { native::enter(#passed, args, results, failed) }
            }

            pub(crate) const OVERLOAD: native::NativeOverload = native::NativeOverload::new(
                &#passed,
                #name,
                &[#(#names),*],
                __call,
                ::core::concat!(::core::file!(), ":", ::core::line!()),
                #doc,
            );
        }
    })
}

/// The name in Python: the argument, or that of the function.
fn name(args: TokenStream, func: &ItemFn) -> Result<String> {
    if args.is_empty() {
        return Ok(unraw(&func.sig.ident));
    }
    match syn::parse2::<Ident>(args.clone()) {
        Ok(name) => Ok(unraw(&name)),
        Err(_) => {
            let message =
                "`#[overload]` takes nothing but the name in Python: `#[overload(mean_of)]`";
            Err(Error::new_spanned(args, message))
        }
    }
}

/// What is said of the function.
fn doc(attrs: &[Attribute]) -> String {
    let lines = attrs.iter().filter_map(|it| match &it.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    let lines: Vec<String> = lines.map(|it| it.trim_end().trim_start().to_owned()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(args: TokenStream, input: TokenStream) -> String {
        overload(args, input).to_string()
    }

    #[test]
    fn names_and_documentation_are_handed_on() {
        let text = expanded(
            quote!(mean_of),
            quote! {
                /// The mean.
                fn mean_of_integers(a: i64, r#type: i64) -> i64 { a }
            },
        );
        for part in ["\"mean_of\"", "\"a\" , \"type\"", "\"The mean.\"", "mod mean_of_integers"] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }

    #[test]
    fn the_function_survives_every_mistake() {
        for (args, input) in [
            (
                quote!(a, b),
                quote!(
                    fn f(x: f64) -> f64 {
                        x
                    }
                ),
            ),
            (
                quote!(),
                quote!(
                    async fn f<T>((a, b): (f64, f64)) -> f64 {
                        a
                    }
                ),
            ),
            (
                quote!(),
                quote!(
                    struct F;
                ),
            ),
        ] {
            let text = expanded(args, input.clone());
            assert!(text.starts_with(&input.to_string()), "{text}");
            assert!(text.contains("compile_error"), "{text}");
        }
    }
}
