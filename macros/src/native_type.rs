//! `#[native_type]`: a mark for the build script, which leaves the type as it is.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Error, Result};

/// The type itself, and what is wrong with it.
pub(crate) fn native_type(args: TokenStream, input: TokenStream) -> TokenStream {
    match check(&args, &input) {
        Ok(()) => input,
        Err(error) => {
            let error = error.into_compile_error();
            quote!(#input #error)
        }
    }
}

fn check(args: &TokenStream, input: &TokenStream) -> Result<()> {
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
    Ok(())
}
