//! Prints the kernel of an operator that is an alias of another: a call of it.
//!
//! ```text
//! // mul.Scalar, alias_of: mul.Tensor
//! fn implicit(self_: &Tensor, other: Scalar) -> Result<Tensor> {
//!     crate::ops::mul::Tensor::call(self_, &Tensor::wrapped_number(other)?)
//! }
//! // hstack.out, alias_of: hstack
//! fn implicit(tensors: &[&Tensor], out: &mut Tensor) -> Result<()> {
//!     let __result0 = crate::ops::hstack::Default_::call(tensors)?;
//!     structured::copy_to_out(&__result0, out)?;
//!     Ok(())
//! }
//! // squeeze_, alias_of: squeeze
//! fn implicit(self_: &mut Tensor) -> Result<()> {
//!     let __result = crate::ops::squeeze::Default_::call(&*self_)?;
//!     self_.replace(__result)
//! }
//! // select_copy.int, alias_of: select.int, which is a view
//! fn explicit(self_: &Tensor, dim: i64, index: i64) -> Result<Tensor> {
//!     let __result0 = crate::ops::select::int::call(self_, dim, index)?;
//!     __result0.copy()
//! }
//! ```

use opwright_schema::model::{BaseType, Kind, Overload, Param, Passed, Type};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::kernels::copies_view;
use crate::literal;
use crate::print::rust::copies;
use crate::print::rust::lint::many_arguments;
use crate::print::rust::outs::handed_on;
use crate::print::rust::path::{marker_path, param_name};
use crate::types::{parameter, result, returned, runtime, tuple};

/// The function `implicit` or `explicit` of an operator that hands on to another one.
pub fn print(overload: &Overload, target: &Overload, arguments: &[Passed]) -> TokenStream {
    let schema = &overload.schema;
    let names = schema.params.iter().enumerate().map(|(at, param)| {
        let is_passed = param.writes() || arguments.contains(&Passed::Param(at));
        let name = param_name(param);
        if is_passed { quote!(#name) } else { quote!(_) }
    });
    let types = schema.params.iter().map(parameter);
    let passed = target.schema.params.iter().zip(arguments);
    let passed = passed.map(|(param, it)| argument(overload, target, it, param));
    let path = marker_path(target);
    let call = quote!(#path::call(#(#passed),*));
    let (mut function, kinds) = (format_ident!("implicit"), (schema.kind(), target.schema.kind()));
    let body = match kinds {
        (Kind::Functional, Kind::Inplace | Kind::Mutable) => {
            function = format_ident!("explicit");
            copies::changed(overload, &target.schema, arguments, &call)
        }
        (Kind::Out, Kind::Functional) => copied(overload, &call),
        (Kind::Inplace, Kind::Functional) => shown(overload, &call),
        _ if copies_view(overload, target) => {
            function = format_ident!("explicit");
            fresh(overload, &call)
        }
        _ => call,
    };
    let (ok, many) = (result(&returned(schema)), many_arguments(schema.params.len()));
    quote! {
        #many
        fn #function(#(#names: #types),*) -> #ok {
            #body
        }
    }
}

fn copied(overload: &Overload, call: &TokenStream) -> TokenStream {
    let (bound, written) = handed_on(overload, &quote!(copy_to_out));
    quote! {
        let #bound = #call?;
        #written
        ::core::result::Result::Ok(())
    }
}

fn shown(overload: &Overload, call: &TokenStream) -> TokenStream {
    let receiver = overload.schema.receiver().map(param_name);
    quote! {
        let __result = rt::ok(#call);
        #receiver.replace(__result)
    }
}

/// What a view returned, with memory of its own.
fn fresh(overload: &Overload, call: &TokenStream) -> TokenStream {
    let buffer = runtime("buffer");
    let results = overload.schema.returns.iter().enumerate().map(|(at, it)| {
        let name = format_ident!("__result{at}");
        let copy = match &it.ty.value {
            Type::List(..) => quote!(#buffer::try_collected(#name.iter().map(|it| it.copy()))),
            Type::Base(_) | Type::Optional(_) => quote!(#name.copy()),
        };
        (quote!(#name), copy)
    });
    let (names, copies): (Vec<TokenStream>, Vec<TokenStream>) = results.unzip();
    let names = tuple(&names);
    let copied = match copies.as_slice() {
        [only] => only.clone(),
        several => quote!(::core::result::Result::Ok((#(#several?),*))),
    };
    quote! {
        let #names = #call?;
        #copied
    }
}

/// A value, in the type that the parameter has.
fn argument(
    overload: &Overload,
    target: &Overload,
    argument: &Passed,
    param: &Param,
) -> TokenStream {
    let wanted = &param.ty.value;
    match argument {
        Passed::Param(at) => {
            let given = &overload.schema.params[*at];
            let name = param_name(given);
            if param.writes() && !given.writes() {
                return copies::lent(&target.schema, param);
            }
            if given.writes() && !param.writes() {
                return quote!(&*#name);
            }
            if let Some(number) = number(given, wanted) {
                return number;
            }
            converted(&quote!(#name), &given.ty.value, wanted)
        }
        Passed::Literal(value) if wanted.is_tensor() => {
            let number = Type::Base(BaseType::Scalar);
            let value = literal::rust(value, &number).unwrap_or_default();
            converted(&value, &number, wanted)
        }
        Passed::Literal(value) => literal::rust(value, wanted).unwrap_or_default(),
        Passed::TargetDefault => {
            let default = param.default.as_ref().map(|it| &it.value);
            default.and_then(|it| literal::rust(it, wanted)).unwrap_or_default()
        }
    }
}

/// The number in a tensor, where one is wanted.
fn number(given: &Param, wanted: &Type) -> Option<TokenStream> {
    if !given.ty.value.is_tensor() {
        return None;
    }
    let (name, shown) = (param_name(given), &given.name.value);
    let structured = runtime("structured");
    match wanted {
        Type::Base(BaseType::Scalar) => Some(quote!(rt::ok(#structured::number(#shown, #name)))),
        Type::Base(BaseType::Float) => {
            Some(quote!(rt::ok(rt::ok(#structured::number(#shown, #name)).to_f64())))
        }
        Type::Optional(inner) => {
            let number = number(given, inner)?;
            Some(quote!(::core::option::Option::Some(#number)))
        }
        Type::Base(_) | Type::List(..) => None,
    }
}

fn converted(value: &TokenStream, given: &Type, wanted: &Type) -> TokenStream {
    match (given, wanted) {
        (one, other) if one == other => value.clone(),
        (Type::Optional(_), _) | (Type::List(..), Type::List(..)) => value.clone(),
        (one, Type::Optional(other)) => {
            let inner = converted(value, one, other);
            quote!(::core::option::Option::Some(#inner))
        }
        (_, Type::List(..)) => quote!(&[#value]),
        (Type::Base(BaseType::Scalar), Type::Base(BaseType::Tensor)) => {
            let tensor = runtime("Tensor");
            quote!(&rt::ok(#tensor::wrapped_number(#value)))
        }
        (one, Type::Base(BaseType::Tensor)) => {
            let number = Type::Base(BaseType::Scalar);
            converted(&converted(value, one, &number), &number, wanted)
        }
        (_, Type::Base(BaseType::Scalar)) => {
            let scalar = runtime("Scalar");
            quote!(<#scalar as ::core::convert::From<_>>::from(#value))
        }
        (Type::Base(_) | Type::List(..), Type::Base(_)) => value.clone(),
    }
}
