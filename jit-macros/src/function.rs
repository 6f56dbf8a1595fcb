//! Functions below an attribute: that they survive it, and what rustc would report badly.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Error, FnArg, ItemFn, Pat, Result, Safety};

/// The function, and what an attribute puts beside it. Whatever is wrong, the function itself survives.
pub(crate) fn beside(
    attribute: &str,
    args: TokenStream,
    input: TokenStream,
    expand: fn(TokenStream, &ItemFn) -> Result<TokenStream>,
) -> TokenStream {
    let Ok(func) = syn::parse2::<ItemFn>(input.clone()) else {
        let message = format!("`#[{attribute}]` stands above a function");
        let error = Error::new(Span::call_site(), message).into_compile_error();
        return quote!(#input #error);
    };
    let item = expand(args, &func).unwrap_or_else(Error::into_compile_error);
    quote!(#func #item)
}

/// A name as Python has it.
pub(crate) fn unraw(name: &Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#").unwrap_or(&name).to_owned()
}

/// The names of the parameters of `what`; what rustc would report badly is refused, and parameters of
/// types with the words of `generic`.
pub(crate) fn check(what: &str, generic: &str, func: &ItemFn) -> Result<Vec<String>> {
    let mut errors: Option<Error> = None;
    let mut report = |error: Error| match &mut errors {
        Some(all) => all.combine(error),
        None => errors = Some(error),
    };
    let sig = &func.sig;
    if let Some(asyncness) = &sig.asyncness {
        let message = format!("{what} cannot be async: a compiled function waits for it");
        report(Error::new_spanned(asyncness, message));
    }
    if let Safety::Unsafe(unsafety) = &sig.safety {
        let message = format!("{what} cannot be unsafe: any compiled function may call it");
        report(Error::new_spanned(unsafety, message));
    }
    if !sig.generics.params.is_empty() {
        report(Error::new_spanned(&sig.generics, generic));
    }
    let mut names = Vec::with_capacity(sig.inputs.len());
    for arg in &sig.inputs {
        match arg {
            FnArg::Typed(arg) => match &*arg.pat {
                Pat::Ident(pat) => names.push(unraw(&pat.ident)),
                pat => {
                    report(Error::new_spanned(pat, format!("a parameter of {what} has a name")));
                }
            },
            FnArg::Receiver(receiver) => {
                let message = format!("{what} is a function, not a method");
                report(Error::new_spanned(receiver, message));
            }
        }
    }
    errors.map_or(Ok(names), Err)
}
