//! `#[gradient_helper]`: a mark for the build script, which leaves the function as it is.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, ItemFn, Result};

/// The function itself, and what is wrong with it.
pub(crate) fn gradient_helper(args: TokenStream, input: TokenStream) -> TokenStream {
    match check(&args, &input) {
        Ok(()) => input,
        Err(error) => {
            let error = error.into_compile_error();
            quote!(#input #error)
        }
    }
}

fn check(args: &TokenStream, input: &TokenStream) -> Result<()> {
    let Ok(item) = syn::parse2::<ItemFn>(input.clone()) else {
        let message = "`#[gradient_helper]` stands above a function";
        return Err(Error::new_spanned(input, message));
    };
    if !args.is_empty() {
        let message = "`#[gradient_helper]` takes no arguments: formulas know it by its name";
        return Err(Error::new_spanned(args, message));
    }
    if !item.sig.generics.params.is_empty() {
        let message = "a helper has no parameters but values: write a function for each type";
        return Err(Error::new_spanned(&item.sig.generics, message));
    }
    Ok(())
}
