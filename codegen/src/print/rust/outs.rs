//! Prints what writes results to `out=` parameters.

use opwright_schema::model::{Overload, Role, Type};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::print::rust::path::param_name;
use crate::types::{runtime, tuple};

/// Names for the results of a functional variant, and what writes them to the out parameters by
/// this function of the runtime.
pub(super) fn handed_on(overload: &Overload, function: &TokenStream) -> (TokenStream, TokenStream) {
    let module = runtime("structured");
    let outs = overload.schema.params.iter().filter(|it| it.role == Role::Out);
    let (names, written): (Vec<TokenStream>, Vec<TokenStream>) = outs
        .enumerate()
        .map(|(at, out)| {
            let (result, name) = (format_ident!("__result{at}"), param_name(out));
            let written = match &out.ty.value {
                Type::List(..) => {
                    quote!(rt::ok(#module::each(&#result, #name, #module::#function));)
                }
                _ => quote!(rt::ok(#module::#function(&#result, #name));),
            };
            (quote!(#result), written)
        })
        .unzip();
    (tuple(&names), quote!(#(#written)*))
}
