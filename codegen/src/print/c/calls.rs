//! Prints what calls the functions of a library for C with values of one type: for tests, which
//! compare them with the operators.
//!
//! ```text
//! pub static CALLS: [(&str, c::testing::TestCall); 1027] = [
//!     ("add.Tensor", |__values| unsafe { call3(ow_add_tensor, __values) }),
//!     ..
//! ];
//! unsafe fn call3(__call: Function3, __values: &mut [Value]) -> Result<Vec<Value>> {
//!     let mut __held = c::testing::ArgumentStorage::default();
//!     let (__p0, __p1) = (__held.object(&__values[0])?, ..);
//!     let mut __r0 = c::testing::slot::<*mut c::Tensor>();
//!     c::testing::status(__call(__p0, __p1, &mut __r0))?;
//!     Ok(vec![c::testing::taken(__r0)])
//! }
//! ```

use std::collections::BTreeMap;

use opwright_schema::model::OpSet;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::model::{CArgument, CFunction, CResult, Multiplicity, Sort, functions};
use crate::types::owned_base;

/// The table and its functions, for the crate that has those of the library in its module
/// `library`.
pub fn print(prefix: &str, ops: &OpSet, c: &TokenStream) -> TokenStream {
    let mut bodies: BTreeMap<String, usize> = BTreeMap::new();
    let (mut printed, mut rows, mut declared) = (Vec::new(), Vec::new(), Vec::new());
    for function in functions(prefix, ops) {
        let body = body(&function);
        let number = *bodies.entry(body.to_string()).or_insert_with(|| {
            let name = format_ident!("call{}", printed.len());
            let (parameters, _) = parameters(&function);
            printed.push(quote! {
                unsafe fn #name(
                    __call: unsafe extern "C" fn(#(#parameters),*) -> c::Status,
                    __values: &mut [rt::op::Value],
                ) -> rt::Result<::std::vec::Vec<rt::op::Value>> {
                    unsafe { #body }
                }
            });
            printed.len() - 1
        });
        let (name, call) = (format_ident!("{}", function.name), format_ident!("call{number}"));
        let operator = function.overload.schema.name.to_string();
        let (parameters, _) = parameters(&function);
        declared.push(quote!(pub fn #name(#(_: #parameters),*) -> c::Status;));
        rows.push(quote!((#operator, |__values| unsafe { #call(#name, __values) })));
    }
    let count = Literal::usize_unsuffixed(rows.len());
    quote! {
        use #c as c;
        use c::runtime as rt;
        unsafe extern "C" { #(#declared)* }
        /// Each operator, and a call of its function.
        pub static CALLS: [(&str, c::testing::TestCall); #count] = [#(#rows),*];
        #(#printed)*
    }
}

fn parameters(function: &CFunction<'_>) -> (Vec<TokenStream>, usize) {
    let types: Vec<TokenStream> = function.parts().map(|it| it.ty.rust()).collect();
    let count = types.len();
    (types, count)
}

fn body(function: &CFunction<'_>) -> TokenStream {
    let mut passed: Vec<TokenStream> = Vec::new();
    let mut reads = Vec::new();
    for (at, argument) in function.arguments.iter().enumerate() {
        let local = format_ident!("__p{at}");
        let read = read(argument, at);
        reads.push(quote!(let #local = #read;));
        match argument.parts.len() {
            1 => passed.push(quote!(#local)),
            _ => passed.extend([quote!(#local.0), quote!(#local.1)]),
        }
    }
    let (mut slots, mut taken) = (Vec::new(), Vec::new());
    for (at, outcome) in function.results.iter().enumerate() {
        let local = format_ident!("__r{at}");
        slot(outcome, &local, &mut slots, &mut passed, &mut taken);
    }
    let results = quote!(::std::vec![#(#taken),*]);
    quote! {
        let mut __held = c::testing::ArgumentStorage::default();
        #(#reads)*
        #(#slots)*
        c::testing::status(__call(#(#passed),*))?;
        __held.give_back(__values)?;
        ::core::result::Result::Ok(#results)
    }
}

/// How a value becomes an argument.
fn read(argument: &CArgument<'_>, at: usize) -> TokenStream {
    let at = Literal::usize_unsuffixed(at);
    let value = quote!(&__values[#at]);
    let base = owned_base(argument.shape.base());
    let is_written = argument.param.writes();
    match (argument.shape, argument.shape.sort()) {
        (Multiplicity::One(_) | Multiplicity::Optional(_), Sort::Object) if is_written => {
            quote!(__held.written(#at, #value)?)
        }
        (Multiplicity::List(..), Sort::Object) if is_written => {
            quote!(__held.all_written(#at, #value)?)
        }
        (Multiplicity::One(_) | Multiplicity::Optional(_), Sort::Object) => {
            quote!(__held.object::<#base>(#value)?)
        }
        (
            Multiplicity::OptionalElements(_)
            | Multiplicity::List(..)
            | Multiplicity::OptionalList(..),
            Sort::Object,
        ) => {
            quote!(__held.objects::<#base>(#value)?)
        }
        (Multiplicity::One(_) | Multiplicity::Optional(_), Sort::Text) => {
            quote!(__held.text(#value)?)
        }
        (_, Sort::Text) => quote!(__held.texts(#value)?),
        (Multiplicity::One(_), Sort::Number) => quote!(c::testing::value::<#base>(#value)?),
        (Multiplicity::Optional(_), Sort::Number) => quote!(__held.given::<#base>(#value)?),
        (Multiplicity::One(_) | Multiplicity::Optional(_), Sort::Named) => {
            quote!(c::testing::named::<#base>(#value)?)
        }
        (
            Multiplicity::List(..)
            | Multiplicity::OptionalList(..)
            | Multiplicity::OptionalElements(_),
            _,
        ) => {
            quote!(__held.list::<#base>(#value)?)
        }
    }
}

/// Where a result goes, and how it becomes a value.
fn slot(
    outcome: &CResult<'_>,
    local: &Ident,
    slots: &mut Vec<TokenStream>,
    passed: &mut Vec<TokenStream>,
    taken: &mut Vec<TokenStream>,
) {
    let base = owned_base(outcome.shape.base());
    match outcome.shape {
        Multiplicity::List(..)
        | Multiplicity::OptionalList(..)
        | Multiplicity::OptionalElements(_) => {
            slots.push(quote!(let mut #local = c::testing::list::<#base>();));
            passed.push(quote!(&mut #local));
            taken.push(quote!(c::testing::taken_list::<#base>(#local)));
        }
        Multiplicity::Optional(_) if outcome.shape.sort() == Sort::Number => {
            slots.push(quote!(let mut #local = c::testing::optional::<#base>();));
            passed.extend([quote!(&mut #local.0), quote!(&mut #local.1)]);
            taken.push(quote!(c::testing::taken_optional::<#base>(#local)));
        }
        Multiplicity::One(_) | Multiplicity::Optional(_) => {
            slots.push(quote!(let mut #local = c::testing::slot::<#base>();));
            passed.push(quote!(&mut #local));
            taken.push(quote!(c::testing::taken::<#base>(#local)));
        }
    }
}
