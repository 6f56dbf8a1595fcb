//! The arguments and the result of a kernel, each at the type that its author
//! wrote for it.

use opwright_codegen::form::syntax;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote_spanned};
use syn::spanned::Spanned;
use syn::{FnArg, ItemFn, ReturnType, Type};

use crate::operator::at;

/// Names for the parameters, each at its type.
pub(crate) fn arguments(func: &ItemFn) -> Vec<Ident> {
    let spans = func.sig.inputs.iter().map(|arg| match arg {
        FnArg::Typed(arg) => place(&arg.ty),
        FnArg::Receiver(receiver) => receiver.span(),
    });
    spans.enumerate().map(|(idx, span)| format_ident!("__arg{idx}", span = at(span))).collect()
}

/// Behind the `&` of a `&mut`, which rustc would offer to change.
fn place(ty: &Type) -> Span {
    match ty {
        Type::Reference(it) => it.mutability.map_or_else(|| ty.span(), |word| word.span),
        _ => ty.span(),
    }
}

/// The place of the result's type, or of the name if there is none.
pub(crate) fn returned(func: &ItemFn) -> Span {
    match &func.sig.output {
        ReturnType::Default => func.sig.ident.span(),
        ReturnType::Type(_, ty) => ty.span(),
    }
}

/// What a parameter is called in messages.
pub(crate) fn param_names(func: &ItemFn) -> Vec<String> {
    let names = func.sig.inputs.iter().enumerate().map(|(idx, arg)| match arg {
        FnArg::Typed(arg) => match &*arg.pat {
            syn::Pat::Ident(pat) => plain(&pat.ident.to_string()),
            _ => format!("argument {}", idx + 1),
        },
        FnArg::Receiver(_) => "self".to_owned(),
    });
    names.collect()
}

fn plain(name: &str) -> String {
    if name == "self_" { "self".to_owned() } else { name.trim_start_matches('_').to_owned() }
}

/// An argument in a position where rustc compares types and converts nothing.
pub(crate) fn handed(arg: &Ident) -> TokenStream {
    quote_spanned!(arg.span()=> rt::typed::argument(#arg))
}

/// All arguments of a kernel. For a `Source` there is a tensor.
pub(crate) fn all_handed(func: &ItemFn, args: &[Ident]) -> Vec<TokenStream> {
    let mut all: Vec<TokenStream> = args.iter().map(handed).collect();
    if let (true, [first, ..], [handed, ..]) = (syntax::takes_source(&func.sig), args, &mut *all) {
        let tensor = quote_spanned!(first.span()=> rt::typed::argument::<&rt::Tensor>(#first));
        *handed = quote_spanned!(first.span()=> rt::reduce::Source::from(#tensor));
    }
    all
}
