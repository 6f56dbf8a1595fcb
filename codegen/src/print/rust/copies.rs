//! Prints the kernel of a functional operator that follows from one that writes to its arguments:
//! it hands on copies of them and returns what they are then.
//!
//! ```text
//! // resize, which follows from resize_
//! fn explicit(self_: &Tensor, size: &[i64]) -> Result<Tensor> {
//!     let mut __copy0 = self_.copy()?;
//!     crate::ops::resize_::Default_::call(&mut __copy0, size)?;
//!     Ok(__copy0)
//! }
//! ```

use opwright_schema::group::signature;
use opwright_schema::model::{Overload, Param, Passed, Schema, Type};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::print::rust::path::param_name;
use crate::types::{runtime, tuple};

/// The statements: copies, the call of `target`, and the results.
pub(super) fn changed(
    overload: &Overload,
    target: &Schema,
    arguments: &[Passed],
    call: &TokenStream,
) -> TokenStream {
    let copies = target.params.iter().zip(arguments).filter(|(param, _)| param.writes());
    let copies = copies.filter_map(|(param, it)| match it {
        Passed::Param(at) => {
            let (name, value) = (name(target, param), copied(&overload.schema.params[*at]));
            Some(quote!(let mut #name = #value;))
        }
        Passed::Literal(_) | Passed::TargetDefault => None,
    });
    let fresh = target.returns.iter().enumerate().filter(|(_, it)| !it.writes());
    let fresh: Vec<TokenStream> = fresh.map(|(at, _)| result(at)).collect();
    let bound = (!fresh.is_empty()).then(|| {
        let fresh = tuple(&fresh);
        quote!(let #fresh =)
    });
    let results = tuple(&results(target));
    quote! {
        #(#copies)*
        #bound #call?;
        ::core::result::Result::Ok(#results)
    }
}

/// What the target gets in place of what is not to be changed.
pub(super) fn lent(target: &Schema, param: &Param) -> TokenStream {
    let name = name(target, param);
    match &param.ty.value {
        Type::Base(_) => quote!(&mut #name),
        Type::Optional(_) => quote!(#name.as_mut()),
        Type::List(..) => {
            let buffer = runtime("buffer");
            quote!(&mut #buffer::collected(#name.iter_mut())?)
        }
    }
}

/// What the target returns, with copies for what it writes to, and then the other copies.
fn results(target: &Schema) -> Vec<TokenStream> {
    let returned = target.returns.iter().enumerate().map(|(at, it)| {
        let written = target.params.iter().find(|param| param.is_returned_as(it));
        match written.filter(|_| it.writes()) {
            Some(param) => {
                let name = name(target, param);
                quote!(#name)
            }
            None => result(at),
        }
    });
    let others = signature(target).unreturned().map(|it| {
        let name = name(target, it);
        quote!(#name)
    });
    returned.chain(others).collect()
}

fn result(at: usize) -> TokenStream {
    let name = format_ident!("__result{at}");
    quote!(#name)
}

fn name(target: &Schema, param: &Param) -> Ident {
    let at = target.params.iter().position(|it| it.name.value == param.name.value);
    format_ident!("__copy{}", at.unwrap_or_default())
}

fn copied(param: &Param) -> TokenStream {
    let name = param_name(param);
    match &param.ty.value {
        Type::Base(_) => quote!(#name.copy()?),
        Type::Optional(_) => {
            let tensor = runtime("Tensor");
            quote!(#name.map(#tensor::copy).transpose()?)
        }
        Type::List(..) => {
            let buffer = runtime("buffer");
            quote!(#buffer::try_collected(#name.iter().map(|it| it.copy()))?)
        }
    }
}
