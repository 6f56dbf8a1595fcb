//! Prints the body of a shim: per signature, read the arguments, run the
//! overload, wrap its result, by steps that overloads share.
//!
//! ```text
//! fn body(call: &mut Call<'_, '_>) -> Result<NewReference, Failure> {
//!     match call.overload() {
//!         0 => super::__steps::steps0(call, crate::ops::add::Tensor::call),
//!         ..
//! ```

use opwright_schema::model::{self, BaseType, Gil, OpSet, Overload, Role, Schema, Type};
use opwright_schema::types::Values;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::named::named_tuple;
use super::steps::Steps;
use crate::literal::rust as literal;
use crate::signature::{
    Argument, CallResult, OverloadCall, PythonFunction, Section, Signature, TensorOption,
};
use crate::types::{is_copied, lent, owned_base};

/// The function `body`.
pub(super) fn print(ops: &OpSet, function: &PythonFunction, shared: &mut Steps) -> TokenStream {
    let arms: Vec<TokenStream> =
        function.signatures.iter().map(|it| arm(ops, it, shared)).collect();
    let steps = match arms.as_slice() {
        [only] => only.clone(),
        several => {
            let last = several.len() - 1;
            let arms = several.iter().enumerate().map(|(at, arm)| {
                let at_or_rest = if at == last {
                    quote!(_)
                } else {
                    let at = Literal::usize_unsuffixed(at);
                    quote!(#at)
                };
                quote!(#at_or_rest => { #arm })
            });
            quote!(match call.overload() { #(#arms)* })
        }
    };
    quote! {
        fn body(
            call: &mut __bindings::args::Call<'_, '_>,
        ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
            #steps
        }
    }
}

/// One signature: its `out` overload if `out` was given, else its base.
fn arm(ops: &OpSet, signature: &Signature, shared: &mut Steps) -> TokenStream {
    let mut run = |call: &OverloadCall| {
        let overload = &ops.overloads[call.overload];
        shared.run(overload, &steps(overload, signature, call))
    };
    let base = signature.base.as_ref().map(&mut run);
    let out = signature.out.as_ref().map(&mut run);
    let run = match (base, out, signature.out_param()) {
        (Some(base), Some(out), Some(param)) => {
            let param = Literal::usize_unsuffixed(param);
            let check = out_options(signature);
            let out = quote!(call.with_out(#param, |call| { #out }));
            quote!(if call.has(#param) { #check #out } else { #base })
        }
        (Some(only), _, _) | (None, Some(only), _) => only,
        (None, None, _) => quote!(__bindings::Convert::wrap((), call.py())),
    };
    match option_param(signature, TensorOption::RequiresGrad) {
        Some(at) => quote!(call.with_leaf(#at, |call| { #run })),
        None => run,
    }
}

/// With `out`, the options must be what `out` has.
fn out_options(signature: &Signature) -> Option<TokenStream> {
    let out = Literal::usize_unsuffixed(signature.out_param()?);
    let dtype = option_param(signature, TensorOption::Dtype)?;
    let layout = option_param(signature, TensorOption::Layout)?;
    let device = option_param(signature, TensorOption::Device)?;
    Some(quote!(call.check_out(#out, #dtype, #layout, #device)?;))
}

fn option_param(signature: &Signature, option: TensorOption) -> Option<Literal> {
    let at = signature.params.iter().position(|it| it.section == Section::Option(option))?;
    Some(Literal::usize_unsuffixed(at))
}

/// Reads, runs, wraps.
fn steps(overload: &Overload, signature: &Signature, call: &OverloadCall) -> TokenStream {
    let gil = gil(overload);
    let arguments: Vec<ArgumentRead> = overload
        .schema
        .params
        .iter()
        .zip(&call.arguments)
        .enumerate()
        .map(|(at, (param, argument))| read(signature, at, param, argument))
        .collect();
    let reads = arguments.iter().map(|it| &it.statement);
    let values = arguments.iter().map(|it| &it.value);
    let run = quote!(call.run(|| __overload(#(#values),*))?);
    let run = if has_value(call) { quote!(let __result = #run;) } else { quote!(#run;) };
    let commits = commits(overload, call);
    let marshaled = marshaled_results(&call.result);
    let wrap = wrap(call);
    quote! {
        call.gil(__bindings::args::Gil::#gil);
        #(#reads)*
        #run
        #commits
        #marshaled
        #wrap
    }
}

/// What says whether a call releases the GIL.
fn gil(overload: &Overload) -> Ident {
    match overload.gil {
        Gil::Auto if makes_sizes(&overload.schema) => format_ident!("Sizes"),
        Gil::Auto => format_ident!("Auto"),
        Gil::Release => format_ident!("Release"),
        Gil::Hold => format_ident!("Hold"),
    }
}

/// Whether the numbers among the arguments say how much there is to compute:
/// no tensor does, or some are sizes of a result that is no view.
fn makes_sizes(schema: &Schema) -> bool {
    let is_view = schema.returns.iter().any(|it| it.annotation.is_some() && !it.writes());
    let mut inputs = schema.params.iter().filter(|it| it.role != Role::Out).map(|it| &it.ty.value);
    let has_tensor = inputs.clone().any(Type::is_tensor_like);
    !is_view && (!has_tensor || inputs.any(|it| *it.base() == BaseType::SymInt))
}

/// How an argument is read and passed on.
struct ArgumentRead {
    statement: TokenStream,
    value: TokenStream,
}

fn read(
    signature: &Signature,
    at: usize,
    param: &model::Param,
    argument: &Argument,
) -> ArgumentRead {
    let name = format_ident!("__arg{at}");
    let mutable = param.writes();
    let ty = &param.ty.value;
    match argument {
        Argument::Receiver if mutable => written(&name, ty, quote!(call.receiver_mut()?)),
        Argument::Receiver => {
            ArgumentRead { statement: quote!(let #name = call.receiver();), value: quote!(#name) }
        }
        Argument::Element { param, element } => {
            let count = Literal::usize_unsuffixed(element_count(&signature.params[*param].ty));
            let (param, element) =
                (Literal::usize_unsuffixed(*param), Literal::usize_unsuffixed(*element));
            written(&name, ty, quote!(call.element(#param, #element, #count)?))
        }
        Argument::Literal(default) => ArgumentRead {
            statement: TokenStream::new(),
            value: literal(default, ty).unwrap_or_else(|| quote!(::core::option::Option::None)),
        },
        Argument::Param(index) if mutable => {
            let index = Literal::usize_unsuffixed(*index);
            match ty {
                Type::Base(_) => written(&name, ty, quote!(call.required(#index)?)),
                Type::Optional(_) => written(&name, ty, quote!(call.optional(#index)?)),
                Type::List(..) => written(&name, ty, quote!(call.required(#index)?)),
            }
        }
        Argument::Param(index) => given(signature, &name, ty, *index),
    }
}

fn element_count(ty: &Type) -> usize {
    match ty {
        Type::List(_, Some(size)) => *size as usize,
        Type::List(_, None) | Type::Base(_) | Type::Optional(_) => 1,
    }
}

/// A tensor, or several, that the overload writes to.
fn written(name: &Ident, ty: &Type, source: TokenStream) -> ArgumentRead {
    match ty {
        Type::Base(_) => ArgumentRead {
            statement: quote!(let mut #name: __bindings::args::TensorMut = #source;),
            value: quote!(&mut #name.tensor),
        },
        Type::Optional(_) => ArgumentRead {
            statement: quote! {
                let mut #name: ::core::option::Option<__bindings::args::TensorMut> = #source;
            },
            value: quote!(#name.as_mut().map(|it| &mut it.tensor)),
        },
        Type::List(..) => ArgumentRead {
            statement: quote!(let mut #name: __bindings::args::TensorsMut = #source;),
            value: quote!(&mut #name.refs()?),
        },
    }
}

/// A parameter that the overload only reads.
fn given(signature: &Signature, name: &Ident, ty: &Type, index: usize) -> ArgumentRead {
    let param = &signature.params[index];
    let default = param.fallback.as_ref().or(param.default.as_ref());
    let at = Literal::usize_unsuffixed(index);
    match ty {
        Type::Optional(inner) => optional(name, inner, default, &at),
        Type::Base(_) | Type::List(..) => {
            let default = default.and_then(|it| literal(it, ty));
            plain(name, ty, default, &at)
        }
    }
}

fn plain(name: &Ident, ty: &Type, default: Option<TokenStream>, at: &Literal) -> ArgumentRead {
    if is_ints(ty) {
        let read = match default {
            Some(default) => quote!(call.ints_or(#at, #default)?),
            None => quote!(call.ints(#at)?),
        };
        return ArgumentRead { statement: quote!(let #name = #read;), value: quote!(&#name) };
    }
    if ty.is_tensor() {
        let read = quote!(let #name = call.tensor(#at)?;);
        return ArgumentRead { statement: read, value: quote!(#name) };
    }
    let (target, pass) = (target(ty), passed(name, ty));
    let read = match default {
        Some(default) => {
            let default = owned_default(ty, &default);
            quote!(call.or::<#target>(#at, #default)?)
        }
        None => quote!(call.required::<#target>(#at)?),
    };
    ArgumentRead { statement: quote!(let #name = #read;), value: pass }
}

fn optional(
    name: &Ident,
    inner: &Type,
    default: Option<&model::Default>,
    at: &Literal,
) -> ArgumentRead {
    if inner.is_tensor() {
        let read = quote!(let #name = call.optional_tensor(#at)?;);
        return ArgumentRead { statement: read, value: quote!(#name) };
    }
    let read = if is_ints(inner) {
        quote!(call.optional_ints(#at)?)
    } else {
        let target = target(inner);
        quote!(call.optional::<#target>(#at)?)
    };
    // A default other than `None` stands for what was not given.
    let fallback = default.and_then(|it| literal(it, inner)).map(|it| match inner {
        Type::Base(base) if is_copied(base) => quote!(.or(::core::option::Option::Some(#it))),
        Type::Base(_) | Type::List(..) | Type::Optional(_) => {
            let it = owned_default(inner, &it);
            quote!(.or_else(|| ::core::option::Option::Some(#it)))
        }
    });
    let value = match inner {
        Type::Base(base) if is_copied(base) => quote!(#name),
        Type::Base(BaseType::Str) => quote!(#name.as_deref()),
        Type::Base(BaseType::Native(_)) => quote!(#name.as_deref()),
        Type::Base(_) => quote!(#name.as_ref()),
        Type::List(..) | Type::Optional(_) => match refs(inner) {
            Some(refs) => quote!(#name.as_ref().map(|it| it.#refs).transpose()?.as_deref()),
            None => quote!(#name.as_deref()),
        },
    };
    ArgumentRead { statement: quote!(let #name = #read #fallback;), value }
}

/// The type that an argument is read as.
fn target(ty: &Type) -> TokenStream {
    match ty {
        Type::Base(base) if is_derived(base) => {
            let held = owned_base(base);
            quote!(__bindings::Held<#held>)
        }
        Type::Base(base) => marshaled_base(base),
        Type::Optional(inner) => target(inner),
        Type::List(element, _) => match &**element {
            Type::Optional(_) | Type::List(..) => quote!(__bindings::args::OptionalTensors),
            Type::Base(base) => {
                let list = format_ident!("{}", if is_copied(base) { "List" } else { "Several" });
                let element = marshaled_base(base);
                quote!(__bindings::args::#list<#element>)
            }
        },
    }
}

/// The same as a value of its own, but for a type whose author says how it is read.
fn marshaled_base(base: &BaseType) -> TokenStream {
    let owned = owned_base(base);
    if is_marshaled(base) { quote!(__bindings::Marshaled<#owned>) } else { owned }
}

/// Whether the author of the type says how its values are read and handed out.
fn is_marshaled(base: &BaseType) -> bool {
    matches!(base, BaseType::Native(it) if !it.is_derived())
}

/// Whether its values are held by their objects, and borrowed from there.
fn is_derived(base: &BaseType) -> bool {
    matches!(base, BaseType::Native(it) if it.is_derived())
}

/// How a value that was read is passed to the overload.
fn passed(name: &Ident, ty: &Type) -> TokenStream {
    if let Some(refs) = refs(ty) {
        return quote!(&#name.#refs?);
    }
    match ty {
        Type::Base(base) if is_copied(base) => quote!(#name),
        Type::Base(_) | Type::List(..) | Type::Optional(_) => quote!(&#name),
    }
}

/// What makes references of the elements of a list, if overloads take such.
fn refs(ty: &Type) -> Option<TokenStream> {
    let Type::List(element, _) = ty else { return None };
    match &**element {
        Type::Base(base) if is_copied(base) => None,
        Type::Base(base) => {
            let lent = lent(base);
            Some(quote!(refs::<#lent>()))
        }
        Type::Optional(_) | Type::List(..) => Some(quote!(refs())),
    }
}

/// A default as the type that arguments are read as.
fn owned_default(ty: &Type, default: &TokenStream) -> TokenStream {
    match ty {
        Type::Base(BaseType::Str) => quote!(::std::string::String::from(#default)),
        Type::List(..) => {
            let target = target(ty);
            quote!(<#target>::from_slice(#default))
        }
        Type::Base(_) | Type::Optional(_) => default.clone(),
    }
}

fn is_ints(ty: &Type) -> bool {
    match ty {
        Type::List(element, _) => {
            matches!(&**element, Type::Base(base) if base.row().values == Values::Int)
        }
        Type::Base(_) | Type::Optional(_) => false,
    }
}

/// Handles that the overload replaced, of tensors that are not returned.
fn commits(overload: &Overload, call: &OverloadCall) -> TokenStream {
    let returned = |argument: &Argument| match &call.result {
        CallResult::Same(same) => same == argument,
        CallResult::SameTuple { param, .. } => {
            matches!(argument, Argument::Element { param: it, .. } if it == param)
        }
        CallResult::Nothing
        | CallResult::Value(_)
        | CallResult::Tuple(_)
        | CallResult::Named { .. } => false,
    };
    let commits = overload
        .schema
        .params
        .iter()
        .zip(&call.arguments)
        .enumerate()
        .filter(|(_, (param, argument))| param.writes() && !returned(argument))
        .map(|(at, (param, _))| {
            let name = format_ident!("__arg{at}");
            match &param.ty.value {
                Type::Optional(_) => quote!(if let Some(it) = #name { it.commit(call.py()); }),
                Type::Base(_) | Type::List(..) => quote!(#name.commit(call.py());),
            }
        });
    quote!(#(#commits)*)
}

/// Whether the overload returns anything but what was passed to it.
fn has_value(call: &OverloadCall) -> bool {
    match &call.result {
        CallResult::Value(_) | CallResult::Tuple(_) | CallResult::Named { .. } => true,
        CallResult::Nothing | CallResult::Same(_) | CallResult::SameTuple { .. } => false,
    }
}

/// What puts values of such types into what the shims hand out, if some are among the results.
fn marshaled_results(result: &CallResult) -> Option<TokenStream> {
    let types: Vec<&Type> = match result {
        CallResult::Value(ty) => {
            let it = marshaled(ty, &quote!(__result))?;
            return Some(quote!(let __result = #it;));
        }
        CallResult::Tuple(types) => types.iter().collect(),
        CallResult::Named { fields, .. } => fields.iter().map(|(_, ty)| ty).collect(),
        CallResult::Nothing | CallResult::Same(_) | CallResult::SameTuple { .. } => return None,
    };
    let names: Vec<Ident> = (0..types.len()).map(|at| format_ident!("__result{at}")).collect();
    let values = types.iter().zip(&names).map(|(ty, name)| marshaled(ty, &quote!(#name)));
    let values: Vec<Option<TokenStream>> = values.collect();
    values.iter().any(Option::is_some).then(|| {
        let values = values.into_iter().zip(&names).map(|(it, name)| it.unwrap_or(quote!(#name)));
        quote! {
            let (#(#names),*) = __result;
            let __result = (#(#values),*);
        }
    })
}

fn marshaled(ty: &Type, value: &TokenStream) -> Option<TokenStream> {
    match ty {
        Type::Base(base) => is_marshaled(base).then(|| quote!(__bindings::Marshaled(#value))),
        Type::Optional(inner) => {
            let it = marshaled(inner, &quote!(__it))?;
            Some(quote!(#value.map(|__it| #it)))
        }
        Type::List(element, _) => {
            let it = marshaled(element, &quote!(__it))?;
            Some(quote!(#value.into_iter().map(|__it| #it).collect::<::std::vec::Vec<_>>()))
        }
    }
}

/// The result as a new reference.
fn wrap(call: &OverloadCall) -> TokenStream {
    let position = |argument: &Argument| call.arguments.iter().position(|it| it == argument);
    match &call.result {
        CallResult::Nothing => quote! {
            __bindings::Convert::wrap((), call.py())
        },
        CallResult::Same(argument) => {
            let name = format_ident!("__arg{}", position(argument).unwrap_or_default());
            quote! {
                    ::core::result::Result::Ok(#name.finish(call.py()))
            }
        }
        CallResult::Value(_) | CallResult::Tuple(_) => {
            quote!(__bindings::Convert::wrap(__result, call.py()))
        }
        CallResult::Named { class, .. } => {
            let class = named_tuple(class);
            quote!(super::#class.wrap(call.py(), __result))
        }
        CallResult::SameTuple { class, param, .. } => same_tuple(call, class.as_deref(), *param),
    }
}

/// The very tensors that were passed as `out`.
fn same_tuple(call: &OverloadCall, class: Option<&str>, out: usize) -> TokenStream {
    let names = call.arguments.iter().enumerate().filter_map(|(at, argument)| match argument {
        Argument::Element { param, .. } if *param == out => Some(format_ident!("__arg{at}")),
        Argument::Element { .. }
        | Argument::Receiver
        | Argument::Param(_)
        | Argument::Literal(_) => None,
    });
    let objects = quote!([#(#names.finish(call.py())),*]);
    let class = match class {
        Some(class) => {
            let class = named_tuple(class);
            quote!(::core::option::Option::Some(&super::#class))
        }
        None => quote!(::core::option::Option::None),
    };
    quote! {
        __bindings::tuple_of(call.py(), #class, #objects)
    }
}
