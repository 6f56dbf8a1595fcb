//! Prints the Python side: signature tables, bodies of shims, method tables.
//!
//! ```text
//! use ::opwright_python_bindings as __bindings;
//! use crate::ops::__runtime;
//!
//! mod function_add {
//!     static FUNCTION: Function = Function { name: "add", signatures: &[..] };
//!     fn body(call: &mut Call<'_, '_>) -> Result<*mut PyObject, Failure> { .. }
//!     pub static TARGET: Target = Target { function: &FUNCTION, schemas: &[..], body, .. };
//!     __bindings::__entry!(arguments); // fn entry(..) { shim::run(&TARGET, ..) }
//! }
//! static FUNCTIONS: Methods<2> = Methods([PyMethodDef { ml_name: c"add", .. }, END]);
//! pub static TABLES: Tables = Tables { functions: FUNCTIONS.first(), .. };
//! ```

mod body;
mod doc;
mod kind;
pub mod named;
mod slots;
pub mod stub;
mod table;

use std::collections::{BTreeMap, BTreeSet};

use opwright_schema::model::{OpSet, PythonModule};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use crate::print::rust::ops::marker_path;
use crate::signature::{Call, CallResult, Function, Home};
use crate::types;

/// Everything of the generated Python side.
///
/// `bindings` is the path under which the crate knows the Python side; the
/// operators are at `crate::ops`.
pub fn print(ops: &OpSet, functions: &[Function], bindings: &TokenStream) -> TokenStream {
    let modules = functions.iter().map(|it| module(ops, it));
    let named = named_tuples(functions);
    let tables = table::print(functions);
    quote! {
        use #bindings as __bindings;
        use crate::ops::__runtime;
        #named
        #(#modules)*
        #tables
    }
}

/// The module of one function's items: `function_add`, `method_add`, `function_nn_gelu`.
pub(super) fn module_name(function: &Function) -> Ident {
    match &function.home {
        Home::Method => format_ident!("method_{}", function.name),
        Home::Module(PythonModule::Root) => format_ident!("function_{}", function.name),
        Home::Module(PythonModule::Sub(module)) => {
            format_ident!("function_{module}_{}", function.name)
        }
    }
}

fn module(ops: &OpSet, function: &Function) -> TokenStream {
    let name = module_name(function);
    let signatures = function.signatures.iter().map(|it| kind::signature(function, it));
    let shown = &function.name;
    let schemas = function.signatures.iter().map(|it| schemas(ops, it));
    let body = body::print(ops, function);
    let method = function.home == Home::Method;
    let home = match &function.home {
        Home::Module(PythonModule::Sub(module)) => module.as_str(),
        Home::Module(PythonModule::Root) | Home::Method => "",
    };
    let entry = entry(function);
    let text = name.to_string();
    let is_odd = text.contains("__") || text.contains(char::is_uppercase);
    let allow =
        is_odd.then(|| quote!(#[allow(non_snake_case, reason = "named after the operator")]));
    quote! {
        #allow
        mod #name {
            #[allow(unused_imports, reason = "not every body uses every path")]
            use super::{__bindings, __runtime};
            static FUNCTION: __runtime::resolve::Function = __runtime::resolve::Function {
                name: #shown,
                signatures: &[#(#signatures),*],
            };
            #body
            pub(super) static TARGET: __bindings::shim::Target = __bindings::shim::Target {
                function: &FUNCTION,
                schemas: &[#(#schemas),*],
                body,
                method: #method,
                module: #home,
            };
            #entry
        }
    }
}

/// The schemas of what a signature runs, without `out` and with it.
fn schemas(ops: &OpSet, signature: &crate::signature::Signature) -> TokenStream {
    let schema = |call: &Option<Call>| match call {
        Some(call) => {
            let marker = marker_path(&ops.overloads[call.overload]);
            quote!(::core::option::Option::Some(<#marker as __runtime::Op>::SCHEMA))
        }
        None => quote!(::core::option::Option::None),
    };
    let (base, out) = (schema(&signature.base), schema(&signature.out));
    quote!([#base, #out])
}

/// What the interpreter calls; protocol methods are called by the class.
fn entry(function: &Function) -> Option<TokenStream> {
    if table::is_protocol(function) {
        return None;
    }
    let form = if function.takes_nothing() { quote!(alone) } else { quote!(arguments) };
    Some(quote!(__bindings::__entry!(#form);))
}

/// The classes of named results, each once.
fn named_tuples(functions: &[Function]) -> TokenStream {
    let statics = classes(functions).into_iter().map(|(class, fields)| {
        let name = named_tuple(&class);
        quote! {
            static #name: __bindings::NamedTuple =
                __bindings::NamedTuple::new(#class, &[#(#fields),*]);
        }
    });
    quote!(#(#statics)*)
}

/// Names and fields of the classes of named results.
pub(super) fn classes(functions: &[Function]) -> BTreeMap<String, Vec<String>> {
    let calls = functions.iter().flat_map(|it| &it.signatures).flat_map(calls);
    calls
        .filter_map(|call| match &call.result {
            CallResult::Named { class, fields } => {
                Some((class.clone(), fields.iter().map(|(name, _)| name.clone()).collect()))
            }
            CallResult::Nothing
            | CallResult::Same(_)
            | CallResult::Value(_)
            | CallResult::Tuple(_)
            | CallResult::SameTuple { .. } => None,
        })
        .collect()
}

fn calls(signature: &crate::signature::Signature) -> impl Iterator<Item = &Call> {
    signature.base.iter().chain(&signature.out)
}

pub(super) fn named_tuple(class: &str) -> Ident {
    format_ident!("NAMED_{}", class.to_uppercase())
}

/// Every module that has functions.
pub(super) fn homes(functions: &[Function]) -> BTreeSet<PythonModule> {
    let homes = functions.iter().filter_map(|it| match &it.home {
        Home::Module(module) => Some(module.clone()),
        Home::Method => None,
    });
    homes.collect()
}

/// A string as the interpreter takes it; what follows a zero byte is cut off.
pub(super) fn c_string(text: &str) -> Literal {
    let bytes: Vec<u8> = text.bytes().take_while(|it| *it != 0).collect();
    Literal::c_string(&std::ffi::CString::new(bytes).unwrap_or_default())
}

pub(super) fn ident(name: &str) -> Ident {
    types::ident(name)
}
