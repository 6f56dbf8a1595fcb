//! The expansion of `#[native_op]`, a pure function on tokens.
//!
//! ```text
//! fn add_tensor(self_: &Tensor, other: &Tensor, alpha: Scalar) -> Result<Tensor> { .. }
//!
//! #[doc(hidden)]
//! pub(crate) mod add_tensor {
//!     use crate::ops::__runtime as rt;
//!     pub(crate) const KERNEL: <crate::ops::add::Tensor as rt::Op>::Kernel =
//!         |__arg0, __arg1, __arg2| super::add_tensor(__arg0, __arg1, __arg2);
//! }
//! ```
//!
//! All of it stands in `crate::ops::__annotated!`, which leaves an error in its
//! place if the build script has not read the annotation.
//!
//! The call in the closure is the assertion: each argument stands at the type
//! that the author wrote for it, so that a kernel that does not fit is one
//! error of rustc, there. The module has the function's name, which is free:
//! modules and functions are different namespaces.
//!
//! In other forms than this one the closure has more to do; see
//! [`elementwise`] and [`arrays`].

use opwright_codegen::attribute::{self, NativeOp};
use opwright_codegen::form::Form;
use opwright_codegen::mark::mark;
use opwright_codegen::mistake::compile_error;
use opwright_codegen::types::{ident, runtime, use_runtime};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Error, FnArg, ItemFn, Result, ReturnType, Type};

use crate::check::{check, is_native_op};
use crate::operator::{Operator, at};
use crate::{arrays, elementwise};

/// Expands the attribute. Whatever is wrong, the function itself survives.
pub(crate) fn native_op(args: TokenStream, input: TokenStream) -> TokenStream {
    let Ok(mut func) = syn::parse2::<ItemFn>(input.clone()) else {
        let error = Error::new(Span::call_site(), "`#[native_op]` stands above a function");
        let error = error.into_compile_error();
        return quote!(#input #error);
    };
    let mark = mark(&args, &func.sig);
    let item = kernel(args, &func, &mark);
    // A second one has been reported, and would make a second module.
    func.attrs.retain(|it| !is_native_op(it));
    quote! {
        #func
        #item
    }
}

fn kernel(args: TokenStream, func: &ItemFn, mark: &Ident) -> TokenStream {
    let checked = check(func);
    match (attribute::parse(args).and_then(|attribute| read(attribute, func)), checked) {
        (Ok((attribute, form, operator)), Ok(())) => {
            let constants = constants(&attribute, &form, &operator, func);
            let unread = Error::new(Span::call_site(), UNREAD).into_compile_error();
            module(func, mark, &constants, &unread)
        }
        (Ok((_, form, operator)), Err(errors)) => {
            let errors = compile_error(errors);
            // A method has no place for a module beside it.
            let free = func.sig.receiver().is_none();
            let stand_in = || stand_in(&form, &operator, func);
            // One error is enough.
            let module = free.then(|| module(func, mark, &stand_in(), &TokenStream::new()));
            quote!(#errors #module)
        }
        // There is no operator to stand in for.
        (Err(errors), checked) => {
            let errors = compile_error(errors);
            let more = checked.err().map(Error::into_compile_error);
            quote!(#errors #more)
        }
    }
}

fn read(attribute: NativeOp, func: &ItemFn) -> Result<(NativeOp, Form, Operator)> {
    let form = Form::read(&attribute, func)?;
    let operator = Operator::new(&attribute, &form, func)?;
    Ok((attribute, form, operator))
}

/// The module beside the function, or the error if the build script does not
/// know the annotation.
fn module(
    func: &ItemFn,
    mark: &Ident,
    constants: &TokenStream,
    unread: &TokenStream,
) -> TokenStream {
    let name = &func.sig.ident;
    let cfg = func.attrs.iter().filter(|it| is_cfg(it));
    let runtime = use_runtime();
    quote! {
        #(#cfg)*
        crate::ops::__annotated! {
            #mark
            {
                #[doc(hidden)]
                pub(crate) mod #name {
                    #runtime
                    #constants
                }
            }
            { #unread }
        }
    }
}

const UNREAD: &str = "the build script has not read this annotation, and the operator would be \
                      missing: write `#[native_op(...)]`, by this name, above a function of a \
                      module; not in a macro, a file for `include!` or a function, and not behind \
                      `cfg_attr` or `cfg(test)`";

fn is_cfg(attr: &Attribute) -> bool {
    attr.path().is_ident("cfg")
}

fn constants(attribute: &NativeOp, form: &Form, operator: &Operator, func: &ItemFn) -> TokenStream {
    let (constant, type_of) = operator.constant();
    match form {
        Form::Plain => {
            let adapter = adapter(func);
            quote!(pub(crate) const #constant: #type_of = #adapter;)
        }
        Form::Filling => {
            let (adapter, rule) = (adapter(func), filling_rule(attribute, operator));
            quote! {
                pub(crate) const #constant: #type_of = #adapter;
                #rule
            }
        }
        Form::Elementwise(form) => elementwise::constants(form, operator, func),
        Form::Arrays(form) => arrays::constants(form, operator, func),
    }
}

// Expands to:
//
//     pub(crate) const RULE: <crate::ops::f::out as StructuredOp>::Rule =
//         |__arg0, _| structured::rule::elementwise(&[__arg0]);
//
fn filling_rule(attribute: &NativeOp, operator: &Operator) -> Option<TokenStream> {
    let (schema, rule) = (operator.schema.as_ref()?, attribute.style.structured.as_ref()?);
    let (type_of, module) = (operator.rule(), runtime("structured"));
    let mut params = Vec::new();
    let mut tensors = Vec::new();
    for (idx, param) in schema.params.iter().enumerate() {
        let name = format_ident!("__arg{idx}");
        if param.ty.value.is_tensor() {
            params.push(quote!(#name));
            tensors.push(name);
        } else {
            params.push(quote!(_));
        }
    }
    let rule = ident(&rule.to_string());
    Some(quote! {
        pub(crate) const RULE: #type_of =
            |#(#params),*| #module::rule::#rule(&[#(#tensors),*]);
    })
}

/// `|__arg0| super::relu(typed::argument(__arg0))`, each argument at its type.
fn adapter(func: &ItemFn) -> TokenStream {
    let name = &func.sig.ident;
    let args = arguments(func);
    if args.is_empty() {
        return quote_spanned!(at(returned(func))=> super::#name);
    }
    let params = func.sig.paren_token.span.join();
    let params = quote_spanned!(at(params)=> |#(#args),*|);
    let handed = args.iter().map(handed);
    let call = quote_spanned!(at(returned(func))=> super::#name(#(#handed),*));
    quote!(#params #call)
}

/// An argument in a position where rustc compares types and converts nothing.
pub(crate) fn handed(arg: &Ident) -> TokenStream {
    quote_spanned!(arg.span()=> rt::typed::argument(#arg))
}

/// Of a function that cannot be called, though it may have the right parameters.
fn stand_in(form: &Form, operator: &Operator, func: &ItemFn) -> TokenStream {
    let (constant, type_of) = operator.constant();
    let outs = match form {
        Form::Elementwise(it) if operator.has_outs() => it.results.len(),
        Form::Plain | Form::Filling | Form::Elementwise(_) | Form::Arrays(_) => 0,
    };
    let args = (0..func.sig.inputs.len() + outs).map(|_| quote!(_));
    let kernel = quote! {
        pub(crate) const #constant: #type_of =
            |#(#args),*| ::core::panic!("this kernel did not compile");
    };
    let schema = operator.schema.as_ref().filter(|_| form.fills());
    let rule = schema.map(|schema| {
        let (type_of, args) = (operator.rule(), schema.params.iter().map(|_| quote!(_)));
        quote! {
            pub(crate) const RULE: #type_of =
                |#(#args),*| ::core::panic!("this kernel did not compile");
        }
    });
    quote!(#kernel #rule)
}

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
