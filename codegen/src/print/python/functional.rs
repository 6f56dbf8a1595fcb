//! Prints the rows of functions of `nn.functional`: what each hands on to which function.
//!
//! ```text
//! static FUNCTIONAL: Functional = Functional {
//!     target: &TARGET,
//!     plain: &super::function_dropout::TARGET,
//!     in_place: Some(&super::function_dropout_::TARGET),
//!     params: &[Forwards::Passed { name: "input", place: Some(0), default: None, range: None }, ..],
//!     direct: 0,
//!     same_names: false,
//! };
//! ```

use opwright_schema::model::{Default, ParamRange, Type};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use super::home::module_of;
use crate::literal;
use crate::print::rust::rows;
use crate::signature::{Forwarding, Forwards, Signature};

/// The row, and the body that reads it.
pub(super) fn print(forwarding: &Forwarding, signatures: &[Signature]) -> TokenStream {
    let module = |name: &str| module_of(&forwarding.of, name);
    let plain = module(&forwarding.plain);
    let in_place = option(forwarding.in_place.as_deref().map(|it| {
        let module = module(it);
        quote!(&super::#module::TARGET)
    }));
    let params = signatures.iter().flat_map(|it| &it.params);
    let params = forwarding.params.iter().zip(params).map(|(it, shown)| param(it, &shown.ty));
    let direct = Literal::usize_unsuffixed(forwarding.direct);
    let same_names = forwarding.same_names;
    quote! {
        static FUNCTIONAL: __bindings::functional::Functional =
            __bindings::functional::Functional {
                target: &TARGET,
                plain: &super::#plain::TARGET,
                in_place: #in_place,
                params: &[#(#params),*],
                direct: #direct,
                same_names: #same_names,
            };
        fn body(
            call: &mut __bindings::args::Call<'_, '_>,
        ) -> ::core::result::Result<__bindings::NewReference, __bindings::Failure> {
            __bindings::functional::body(&FUNCTIONAL, call)
        }
    }
}

fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(it) => quote!(::core::option::Option::Some(#it)),
        None => quote!(::core::option::Option::None),
    }
}

fn param(forwards: &Forwards, ty: &Type) -> TokenStream {
    let variant = match forwards {
        Forwards::Passed { name, place, default, range } => {
            let place = self::place(*place);
            let default = option(default.as_ref().and_then(|it| constant(it, ty)));
            let range = option(range.as_ref().and_then(ends));
            quote!(Passed { name: #name, place: #place, default: #default, range: #range })
        }
        Forwards::Reduction { place, default } => {
            let place = self::place(*place);
            let default = option(default.as_ref().map(|it| quote!(#it)));
            quote!(Reduction { place: #place, default: #default })
        }
        Forwards::Word(word) => {
            let word = format_ident!("{word:?}");
            quote!(#word)
        }
    };
    quote!(__bindings::functional::Forwards::#variant)
}

fn place(place: Option<usize>) -> TokenStream {
    option(place.map(|it| {
        let it = Literal::usize_unsuffixed(it);
        quote!(#it)
    }))
}

fn constant(default: &Default, ty: &Type) -> Option<TokenStream> {
    let value = rows::constant(default, ty.base())?;
    Some(quote!({
        use rt::op::Constant;
        #value
    }))
}

fn ends(range: &ParamRange) -> Option<TokenStream> {
    let end = |it: &Default| match it {
        Default::Int(value) => Some(literal::real(*value as f64)),
        Default::Float(value, _) => Some(literal::real(*value)),
        _ => None,
    };
    let (low, high) = (end(&range.low)?, end(&range.high)?);
    Some(quote!([#low, #high]))
}
