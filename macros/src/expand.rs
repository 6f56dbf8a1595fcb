//! The expansion of `#[native_op]`, a pure function on tokens.
//!
//! ```text
//! fn add_tensor(self_: &Tensor, other: &Tensor, alpha: Scalar) -> Result<Tensor> { .. }
//!
//! #[doc(hidden)]
//! pub(crate) mod add_tensor {
//!     pub(crate) const KERNEL: <crate::ops::add::Tensor as crate::ops::__runtime::Op>::Kernel =
//!         |__arg0, __arg1, __arg2| super::add_tensor(__arg0, __arg1, __arg2);
//! }
//! ```
//!
//! The call in the closure is the assertion: each argument stands at the type
//! that the author wrote for it, so that a kernel that does not fit is one
//! error of rustc, there. The module has the function's name, which is free:
//! modules and functions are different namespaces.

use opwright_codegen::attribute::{self, NativeOp, Part, Target};
use opwright_codegen::types::ident;
use opwright_schema::diag::{Diagnostics, Severity};
use opwright_schema::model::{self, Schema, SourceId};
use opwright_schema::names;
use opwright_schema::parse::{parse_op_name, parse_schema};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Error, FnArg, ItemFn, Result, ReturnType};

use crate::check::{check, is_native_op};

/// Expands the attribute. Whatever is wrong, the function itself survives.
pub(crate) fn native_op(args: TokenStream, input: TokenStream) -> TokenStream {
    let Ok(mut func) = syn::parse2::<ItemFn>(input.clone()) else {
        let error = Error::new(Span::call_site(), "`#[native_op]` stands above a function");
        let error = error.into_compile_error();
        return quote!(#input #error);
    };
    let item = kernel(args, &func);
    // A second one has been reported, and would make a second module.
    func.attrs.retain(|it| !is_native_op(it));
    quote! {
        #func
        #item
    }
}

fn kernel(args: TokenStream, func: &ItemFn) -> TokenStream {
    let operator = attribute::parse(args).and_then(|attribute| Operator::new(&attribute));
    match operator {
        Ok(operator) => match check(func) {
            Ok(()) => operator.module(func, &adapter(func)),
            Err(errors) => {
                let errors = errors.into_compile_error();
                // A method has no place for a module beside it.
                let free = func.sig.receiver().is_none();
                let module = free.then(|| operator.module(func, &stand_in(func)));
                quote!(#errors #module)
            }
        },
        // There is no operator to stand in for.
        Err(errors) => {
            let more = check(func).err().map(Error::into_compile_error);
            let errors = errors.into_compile_error();
            quote!(#errors #more)
        }
    }
}

/// What the constant for a function is called, and the type that its
/// overload's marker gives it.
struct Operator {
    constant: Ident,
    type_of: TokenStream,
}

impl Operator {
    fn new(attribute: &NativeOp) -> Result<Self> {
        let marker = marker(&attribute.target)?;
        let (constant, trait_, type_) = match attribute.part {
            Part::Kernel | Part::KernelFor(_) => ("KERNEL", "Op", "Kernel"),
            Part::Rule => ("RULE", "StructuredOp", "Rule"),
        };
        let (trait_, type_) = (format_ident!("{trait_}"), format_ident!("{type_}"));
        let type_of = quote!(<#marker as crate::ops::__runtime::#trait_>::#type_);
        Ok(Operator { constant: format_ident!("{constant}"), type_of })
    }

    fn module(&self, func: &ItemFn, value: &TokenStream) -> TokenStream {
        let Operator { constant, type_of } = self;
        let name = &func.sig.ident;
        let cfg = func.attrs.iter().filter(|it| is_cfg(it));
        quote! {
            #(#cfg)*
            #[doc(hidden)]
            pub(crate) mod #name {
                pub(crate) const #constant: #type_of = #value;
            }
        }
    }
}

fn is_cfg(attr: &Attribute) -> bool {
    attr.path().is_ident("cfg")
}

/// `crate::ops::add::Tensor`, its words at those of the attribute, so that an
/// unknown operator is an error there.
fn marker(target: &Target) -> Result<TokenStream> {
    let (name, base_span, overload_span) = match target {
        Target::Entry { name, words } => {
            let first = words.first().map_or_else(Span::call_site, Ident::span);
            let second = words.get(1).map_or(first, Ident::span);
            (read(name, first, parse_op_name)?.value, first, second)
        }
        Target::Inline { literal, .. } => {
            let span = literal.span();
            (read(&literal.value(), span, parse_one_schema)?.name, span, span)
        }
    };
    let mut module = ident(&names::module(&name));
    let mut marker = ident(&names::marker(&name));
    module.set_span(at(base_span));
    marker.set_span(at(overload_span));
    Ok(quote!(crate::ops::#module::#marker))
}

fn parse_one_schema(cx: &mut Diagnostics, text: &str, place: &model::Span) -> Option<Schema> {
    parse_schema(cx, text, place).sound()
}

/// Runs a parser of the schema crate; what it finds is reported at `span`.
fn read<T>(
    text: &str,
    span: Span,
    parser: fn(&mut Diagnostics, &str, &model::Span) -> Option<T>,
) -> Result<T> {
    let mut cx = Diagnostics::new();
    let value = parser(&mut cx, text, &model::Span::new(SourceId(0), 0..text.len()));
    let findings = cx.finish().err().unwrap_or_default();
    let errors = findings.into_iter().filter(|it| it.severity == Severity::Error);
    match errors.map(|it| Error::new(span, it.message)).reduce(combine) {
        Some(errors) => Err(errors),
        None => value.ok_or_else(|| Error::new(span, "not a schema")),
    }
}

fn combine(mut all: Error, error: Error) -> Error {
    all.combine(error);
    all
}

/// `|__arg0, __arg1| super::add_tensor(__arg0, __arg1)`, each argument at its type.
fn adapter(func: &ItemFn) -> TokenStream {
    let name = &func.sig.ident;
    let args = arguments(func);
    let params = func.sig.paren_token.span.join();
    let returned = match &func.sig.output {
        ReturnType::Default => func.sig.ident.span(),
        ReturnType::Type(_, ty) => ty.span(),
    };
    let params = quote_spanned!(at(params)=> |#(#args),*|);
    let call = quote_spanned!(at(returned)=> super::#name(#(#args),*));
    quote!(#params #call)
}

/// Of a function that cannot be called, though it may have the right parameters.
fn stand_in(func: &ItemFn) -> TokenStream {
    let args = func.sig.inputs.iter().map(|_| quote!(_));
    quote!(|#(#args),*| ::core::panic!("this kernel did not compile"))
}

fn arguments(func: &ItemFn) -> Vec<Ident> {
    let spans = func.sig.inputs.iter().map(|arg| match arg {
        FnArg::Typed(arg) => arg.ty.span(),
        FnArg::Receiver(receiver) => receiver.span(),
    });
    spans.enumerate().map(|(idx, span)| format_ident!("__arg{idx}", span = at(span))).collect()
}

/// The author's place, the macro's hygiene: with the bare span rustc offers
/// to edit code that is not there.
fn at(span: Span) -> Span {
    Span::call_site().located_at(span)
}
