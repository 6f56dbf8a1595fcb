//! Prints the functions of a library for C: one for each overload, which hands its arguments to a
//! body that all overloads of one signature share.
//!
//! ```text
//! unsafe fn body12(
//!     __call: fn(&Tensor, i64, i64, bool, bool) -> Result<(Tensor, Tensor)>,
//!     __words: &'static str,
//!     __p0: *const c::Tensor, ..
//! ) -> c::Status {
//!     c::run(__words, &mut |__c| unsafe {
//!         let __a0 = __c.object(__p0, 1)?;
//!         let __a1 = __c.value::<i64>(__p1, 2)?;
//!         ..
//!         let (__r0, __r1) = __call(__a0, __a1, ..)?;
//!         let __r0 = c::ready(__p5, __r0)?;
//!         let __r1 = c::ready(__p6, __r1)?;
//!         __r0.write();
//!         __r1.write();
//!         Ok(())
//!     })
//! }
//! c::__entries! {
//!     body12 (__p0: *const c::Tensor, __p1: i64, ..)
//!     // pub unsafe extern "C" fn ow_topk(__p0: *const c::Tensor, ..) -> c::Status {
//!     //     body12(crate::ops::topk::Default_::call, "topk self ..", __p0, ..)
//!     // }
//!     ow_topk: crate::ops::topk::Default_ = "topk self k dim largest sorted";
//! }
//! ```

use std::collections::BTreeMap;

use opwright_schema::model::OpSet;
use opwright_schema::types::Values;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::fixed::{self, Prototype};
use super::model::{CArgument, CFunction, CParameter, Multiplicity, Sort, functions};
use super::structs;
use crate::print::rust::path::marker_path;
use crate::types::{fn_pointer, is_copied, lent, use_runtime};

/// All functions of a library with this prefix. `c` is the path of what they are made with.
pub fn print(prefix: &str, ops: &OpSet, c: &TokenStream) -> TokenStream {
    let functions = functions(prefix, ops);
    let accessors = structs::accessors(&ops.natives);
    let of_structs = accessors.iter().filter_map(|it| it.function(prefix));
    let of_operators = functions.iter().map(|it| (it.clone(), marker_path(it.overload)));
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    let mut signatures: Vec<(Body, Vec<ForwardedFunction<'_>>)> = Vec::new();
    for (function, marker) in of_structs.chain(of_operators) {
        let body = Body::of(&function);
        let number = *numbers.entry(body.to_string()).or_insert(signatures.len());
        if number == signatures.len() {
            signatures.push((body, Vec::new()));
        }
        signatures[number].1.push((function, marker));
    }
    let numbered = signatures.iter().enumerate();
    let printed = numbered.map(|(number, (body, members))| body.print(number, members));
    let rows = functions.iter().map(|it| {
        let (name, marker) = (format_ident!("{}", it.name), marker_path(it.overload));
        quote!(#name: #marker;)
    });
    let fixed = fixed::prototypes().into_iter().map(|it| fixed_entry(prefix, &it));
    let structs = structs::code::print(prefix, &ops.natives, &accessors);
    let runtime = use_runtime();
    quote! {
        #runtime
        use #c as c;
        #(#fixed)*
        #structs
        #(#printed)*
        c::__operators! { #(#rows)* }
    }
}

fn fixed_entry(prefix: &str, prototype: &Prototype) -> TokenStream {
    let name = format_ident!("{prefix}_{}", prototype.name);
    let body = format_ident!("{}", prototype.name);
    let names: Vec<Ident> = (0..prototype.parts.len()).map(local).collect();
    let types = prototype.parts.iter().map(|it| it.ty.rust());
    let result = prototype.result.as_ref().map(|it| {
        let ty = it.rust();
        quote!(-> #ty)
    });
    let operators = prototype.reads_operators.then(|| quote!(&OPERATORS,));
    quote! {
        #[unsafe(no_mangle)]
        unsafe extern "C" fn #name(#(#names: #types),*) #result {
            unsafe { c::fixed::#body(#operators #(#names),*) }
        }
    }
}

/// The name of the operator and of each of its parameters.
fn words(function: &CFunction<'_>) -> String {
    let mut words = vec![function.overload.schema.name.base.to_string()];
    words.extend(function.arguments.iter().map(|it| it.param.name.value.clone()));
    words.join(" ")
}

fn local(number: usize) -> Ident {
    format_ident!("__p{number}")
}

/// The names of as many parameters as there are parts.
fn next(number: &mut usize, parts: &[CParameter]) -> Vec<Ident> {
    let first = *number;
    *number += parts.len();
    (first..*number).map(local).collect()
}

/// A function, and the path of what it calls.
type ForwardedFunction<'a> = (CFunction<'a>, TokenStream);

/// What functions of one signature share.
struct Body {
    call: TokenStream,
    types: Vec<TokenStream>,
    /// Reads what is written to, then the rest.
    reads: Vec<TokenStream>,
    passed: Vec<TokenStream>,
    readies: Vec<TokenStream>,
}

impl Body {
    fn of(function: &CFunction<'_>) -> Body {
        let is_apart = function.arguments.iter().any(|it| it.param.writes());
        let (mut written, mut rest, mut passed) = (Vec::new(), Vec::new(), Vec::new());
        let mut number = 0;
        for (at, argument) in function.arguments.iter().enumerate() {
            let parts = next(&mut number, &argument.parts);
            let to = format_ident!("__a{at}");
            let read = read(argument, &parts, at + 1, is_apart);
            let is_mut = if read.is_mut { quote!(mut) } else { quote!() };
            let value = &read.value;
            let statement = quote!(let #is_mut #to = #value;);
            if argument.param.writes() {
                written.push(statement)
            } else {
                rest.push(statement)
            }
            passed.push(read.pass.map_or(quote!(#to), |pass| pass(&to)));
        }
        let mut readies = Vec::new();
        for outcome in &function.results {
            let parts = next(&mut number, &outcome.parts);
            readies.push(ready(&parts, readies.len()));
        }
        let apart = is_apart.then(|| quote!(let mut __apart = __c.apart();));
        let reads = apart.into_iter().chain(written).chain(rest).collect();
        let types = function.parts().map(|it| it.ty.rust()).collect();
        Body { call: fn_pointer(&function.overload.schema), types, reads, passed, readies }
    }

    fn print(&self, number: usize, members: &[ForwardedFunction<'_>]) -> TokenStream {
        let Body { call, types, reads, passed, readies } = self;
        let name = format_ident!("body{number}");
        let names: Vec<Ident> = (0..types.len()).map(local).collect();
        let results: Vec<Ident> = (0..readies.len()).map(|it| format_ident!("__r{it}")).collect();
        let called = quote!(__call(#(#passed),*)?);
        let called = match results.as_slice() {
            [] => quote!(#called;),
            [only] => quote!(let #only = #called;),
            several => quote!(let (#(#several),*) = #called;),
        };
        let entries = members.iter().map(|(it, marker)| {
            let (function, words) = (format_ident!("{}", it.name), words(it));
            quote!(#function: #marker = #words;)
        });
        quote! {
            unsafe fn #name(__call: #call, __words: &'static str, #(#names: #types),*) -> c::Status {
                c::run(__words, &mut |__c| unsafe {
                    #(#reads)*
                    #called
                    #(let #results = #readies;)*
                    #(#results.write();)*
                    ::core::result::Result::Ok(())
                })
            }
            c::__entries! { #name (#(#names: #types),*) #(#entries)* }
        }
    }
}

impl std::fmt::Display for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Body { call, types, reads, passed, readies } = self;
        write!(f, "{}", quote!(#call #(#types)* #(#reads)* #(#passed)* #(#readies)*))
    }
}

/// How an argument is read, and passed on if not as it is.
struct ArgumentRead {
    value: TokenStream,
    is_mut: bool,
    pass: Option<fn(&Ident) -> TokenStream>,
}

impl ArgumentRead {
    fn plain(value: TokenStream) -> ArgumentRead {
        ArgumentRead { value, is_mut: false, pass: None }
    }

    fn passed(value: TokenStream, pass: fn(&Ident) -> TokenStream) -> ArgumentRead {
        ArgumentRead { value, is_mut: false, pass: Some(pass) }
    }
}

/// `at` is the argument's place among the words.
fn read(argument: &CArgument<'_>, parts: &[Ident], at: usize, is_apart: bool) -> ArgumentRead {
    let at = Literal::usize_unsuffixed(at);
    if argument.param.writes() {
        return written(argument, parts, &at);
    }
    let base = argument.shape.base();
    let is_apart = is_apart && base.row().values == Values::Tensor;
    match (argument.shape, argument.shape.sort()) {
        (Multiplicity::One(_), Sort::Object) if is_apart => {
            ArgumentRead::passed(quote!(__apart.tensor(#(#parts,)* #at)?), |it| quote!(&#it))
        }
        (Multiplicity::Optional(_), Sort::Object) if is_apart => ArgumentRead::passed(
            quote!(__apart.optional(#(#parts,)* #at)?),
            |it| quote!(#it.as_deref()),
        ),
        (Multiplicity::List(..), Sort::Object) if is_apart => {
            ArgumentRead::passed(quote!(__apart.tensors(#(#parts,)* #at)?), |it| quote!(#it.refs()))
        }
        (Multiplicity::OptionalElements(_), Sort::Object) if is_apart => ArgumentRead::passed(
            quote!(__apart.elements(#(#parts,)* #at)?),
            |it| quote!(#it.refs()),
        ),
        (Multiplicity::One(_), Sort::Object) => {
            ArgumentRead::plain(quote!(__c.object(#(#parts,)* #at)?))
        }
        (Multiplicity::Optional(_), Sort::Object) => {
            ArgumentRead::plain(quote!(__c.optional(#(#parts,)* #at)?))
        }
        (Multiplicity::List(..), Sort::Object) => {
            ArgumentRead::plain(quote!(__c.objects(#(#parts,)* #at)?))
        }
        (Multiplicity::OptionalList(..), Sort::Object) => {
            ArgumentRead::plain(quote!(__c.optional_objects(#(#parts,)* #at)?))
        }
        (Multiplicity::OptionalElements(_), _) => {
            ArgumentRead::plain(quote!(__c.elements(#(#parts,)* #at)?))
        }
        (Multiplicity::One(_), Sort::Text) if is_copied(base) => {
            ArgumentRead::plain(quote!(__c.variant(#(#parts,)* #at)?))
        }
        (Multiplicity::Optional(_), Sort::Text) if is_copied(base) => {
            ArgumentRead::plain(quote!(__c.optional_variant(#(#parts,)* #at)?))
        }
        (Multiplicity::List(..), Sort::Text) if is_copied(base) => {
            ArgumentRead::passed(quote!(__c.variants(#(#parts,)* #at)?), |it| quote!(&#it))
        }
        (Multiplicity::OptionalList(..), Sort::Text) if is_copied(base) => ArgumentRead::passed(
            quote!(__c.optional_variants(#(#parts,)* #at)?),
            |it| quote!(#it.as_deref()),
        ),
        (Multiplicity::One(_), Sort::Text) => {
            ArgumentRead::plain(quote!(__c.text(#(#parts,)* #at)?))
        }
        (Multiplicity::Optional(_), Sort::Text) => {
            ArgumentRead::plain(quote!(__c.optional_text(#(#parts,)* #at)?))
        }
        (Multiplicity::List(..), Sort::Text) => {
            ArgumentRead::passed(quote!(__c.texts(#(#parts,)* #at)?), |it| quote!(&#it))
        }
        (Multiplicity::OptionalList(..), Sort::Text) => ArgumentRead::passed(
            quote!(__c.optional_texts(#(#parts,)* #at)?),
            |it| quote!(#it.as_deref()),
        ),
        (Multiplicity::One(_), Sort::Number | Sort::Named) => {
            let ty = lent(base);
            let read = quote!(__c.value::<#ty>(#(#parts,)* #at)?);
            match is_copied(base) {
                true => ArgumentRead::plain(read),
                false => ArgumentRead::passed(read, |it| quote!(&#it)),
            }
        }
        (Multiplicity::Optional(_), Sort::Number) => {
            let ty = lent(base);
            let read = quote!(__c.given::<#ty>(#(#parts,)* #at)?);
            match is_copied(base) {
                true => ArgumentRead::plain(read),
                false => ArgumentRead::passed(read, |it| quote!(#it.as_ref())),
            }
        }
        (Multiplicity::Optional(_), Sort::Named) => {
            let ty = lent(base);
            ArgumentRead::plain(quote!(__c.named::<#ty>(#(#parts,)* #at)?))
        }
        (Multiplicity::List(_, size), Sort::Number | Sort::Named) => {
            let (ty, size) = (lent(base), Literal::usize_unsuffixed(size.unwrap_or(1) as usize));
            let read = quote!(__c.list::<#ty, #size>(#(#parts,)* #at)?);
            match is_copied(base) {
                true => ArgumentRead::passed(read, |it| quote!(&#it)),
                false => ArgumentRead::passed(read, |it| quote!(&c::references(&#it)?)),
            }
        }
        (Multiplicity::OptionalList(_, size), Sort::Number | Sort::Named) => {
            let (ty, size) = (lent(base), Literal::usize_unsuffixed(size.unwrap_or(1) as usize));
            let read = quote!(__c.optional_list::<#ty, #size>(#(#parts,)* #at)?);
            match is_copied(base) {
                true => ArgumentRead::passed(read, |it| quote!(#it.as_deref())),
                false => ArgumentRead::passed(
                    read,
                    |it| quote!(#it.as_deref().map(c::references).transpose()?.as_deref()),
                ),
            }
        }
    }
}

/// An argument that is written to: a tensor, or something else behind a handle.
fn written(argument: &CArgument<'_>, parts: &[Ident], at: &Literal) -> ArgumentRead {
    match argument.shape {
        Multiplicity::One(_) => ArgumentRead::plain(quote!(__apart.written(#(#parts,)* #at)?)),
        Multiplicity::Optional(_) => {
            ArgumentRead::plain(quote!(__apart.optional_written(#(#parts,)* #at)?))
        }
        Multiplicity::List(..)
        | Multiplicity::OptionalList(..)
        | Multiplicity::OptionalElements(_) => ArgumentRead {
            value: quote!(__apart.all_written(#(#parts,)* #at)?),
            is_mut: true,
            pass: Some(|it| quote!(&mut #it)),
        },
    }
}

/// What a result is written by.
fn ready(parts: &[Ident], number: usize) -> TokenStream {
    let result = format_ident!("__r{number}");
    match parts {
        [only] => quote!(c::ready(#only, #result)?),
        several => quote!(c::ready((#(#several),*), #result)?),
    }
}
