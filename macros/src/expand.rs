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
//! [`elementwise`], [`arrays`] and [`core`].

use opwright_codegen::attribute::{self, NativeOp};
use opwright_codegen::form::{Form, syntax};
use opwright_codegen::mark::mark;
use opwright_codegen::mistake::compile_error;
use opwright_codegen::types::{ident, runtime, use_runtime};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{Attribute, Error, FnArg, ItemFn, Result};

use crate::arguments::{all_handed, arguments, returned};
use crate::check::check;
use crate::operator::{AnnotatedOperator, at};
use crate::{arrays, core, derivative, derived, elementwise};

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
    func.attrs.retain(|it| !attribute::is_native_op(&it.meta));
    quote! {
        #func
        #item
    }
}

fn kernel(args: TokenStream, func: &ItemFn, mark: &Ident) -> TokenStream {
    let checked = check(func);
    match (attribute::parse(args).and_then(|attribute| read(attribute, func)), checked) {
        (Ok((attribute, form, operator)), Ok(())) => {
            let derivatives = derivative::constants(&attribute, mark);
            let constants = constants(&attribute, &form, &operator, func);
            let derived = match &form {
                Form::Elementwise(it) => derived::functions(it, &operator, func, mark),
                Form::Plain | Form::Filling | Form::Arrays(_) | Form::Core(_) => TokenStream::new(),
            };
            let constants = quote!(#constants #derivatives #derived);
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

fn read(attribute: NativeOp, func: &ItemFn) -> Result<(NativeOp, Form, AnnotatedOperator)> {
    let form = Form::read(&attribute, func)?;
    let operator = AnnotatedOperator::new(&attribute, &form, func)?;
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

fn constants(
    attribute: &NativeOp,
    form: &Form,
    operator: &AnnotatedOperator,
    func: &ItemFn,
) -> TokenStream {
    let (constant, type_of) = operator.constant();
    match form {
        Form::Plain => {
            let (adapter, reduction) = (adapter(func), reduction(func));
            quote!(pub(crate) const #constant: #type_of = #adapter; #reduction)
        }
        Form::Filling => {
            let (adapter, rule) = (adapter(func), filling_rule(attribute, operator));
            let reduction = reduction(func);
            quote! {
                pub(crate) const #constant: #type_of = #adapter;
                #reduction
                #rule
            }
        }
        Form::Elementwise(form) => elementwise::constants(form, operator, func),
        Form::Arrays(form) => arrays::constants(form, operator, func),
        Form::Core(form) => core::constants(form, operator, func),
    }
}

// Expands to:
//
//     pub(crate) const RULE: <crate::ops::f::out as StructuredOp>::Rule =
//         |__arg0, _| structured::rule::elementwise(&[__arg0]);
//
fn filling_rule(attribute: &NativeOp, operator: &AnnotatedOperator) -> Option<TokenStream> {
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
    let handed = all_handed(func, &args);
    let call = quote_spanned!(at(returned(func))=> super::#name(#(#handed),*));
    quote!(#params #call)
}

/// `pub(crate) fn reduction(__arg0: Source<'_>, ..) -> Result<()> { super::total(__arg0, ..) }`, of a
/// kernel that takes a source in place of its first tensor.
fn reduction(func: &ItemFn) -> Option<TokenStream> {
    if !syntax::takes_source(&func.sig) {
        return None;
    }
    let (name, args, output) = (&func.sig.ident, arguments(func), &func.sig.output);
    let types = func.sig.inputs.iter().filter_map(|it| match it {
        FnArg::Typed(arg) => Some(&arg.ty),
        FnArg::Receiver(_) => None,
    });
    Some(quote! {
        #[allow(unused_imports, reason = "types of values may need no import")]
        use super::*;
        #[allow(clippy::too_many_arguments, reason = "as many as the schema says")]
        #[allow(dead_code, reason = "only rows call it, which may be for tests alone")]
        pub(crate) fn reduction(#(#args: #types),*) #output {
            super::#name(#(#args),*)
        }
    })
}

/// Of a function that cannot be called, though it may have the right parameters.
fn stand_in(form: &Form, operator: &AnnotatedOperator, func: &ItemFn) -> TokenStream {
    let (constant, type_of) = operator.constant();
    let outs = match form {
        Form::Elementwise(it) if operator.has_outs() => it.results.len(),
        // Results are among the parameters, or follow them.
        Form::Core(it) => it.results.len() - it.outs(),
        Form::Plain | Form::Filling | Form::Elementwise(_) | Form::Arrays(_) => 0,
    };
    let together = form.tensors_together().saturating_sub(1);
    let args = (0..func.sig.inputs.len() + together + outs).map(|_| quote!(_));
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
