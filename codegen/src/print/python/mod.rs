//! Prints the Python side: signature tables, bodies of shims, method tables.
//!
//! ```text
//! use ::opwright_python_bindings as __bindings;
//! use crate::ops::__runtime as rt;
//!
//! mod function_add {
//!     static FUNCTION: Function = Function { name: "add", signatures: &[..] };
//!     fn body(call: &mut Call<'_, '_>) -> Result<NewReference, Failure> { .. }
//!     pub static TARGET: Target = Target { function: &FUNCTION, schemas: &[..], body, .. };
//!     __bindings::__entry!(arguments); // fn entry(..) { shim::run(&TARGET, ..) }
//! }
//! static FUNCTIONS: Methods<2> = Methods([PyMethodDef { ml_name: c"add", .. }, END]);
//! pub static TABLES: Tables = Tables { functions: FUNCTIONS.first(), .. };
//! ```

mod body;
mod doc;
mod functional;
mod home;
mod kind;
mod named;
pub mod overloads;
pub mod package;
pub mod reference;
mod slots;
mod steps;
pub mod stub;
mod table;

use opwright_schema::model::{OpSet, PythonModule};
use proc_macro2::TokenStream;
use quote::quote;

use crate::print::rust::path::marker_path;
use crate::signature::{Home, OverloadCall, PythonFunction, Signature};
use crate::types::{native_path, use_runtime};
use home::module_name;
use steps::Steps;

/// Everything of the generated Python side.
///
/// `bindings` is the path under which the crate knows the Python side; the
/// operators are at `crate::ops`. `rows` are the tables of operators as data.
pub fn print(
    ops: &OpSet,
    functions: &[PythonFunction],
    bindings: &TokenStream,
    rows: &TokenStream,
) -> TokenStream {
    let mut steps = Steps::default();
    let modules: Vec<TokenStream> =
        functions.iter().map(|it| module(ops, it, &mut steps)).collect();
    let steps = steps.module();
    let named = named::statics(functions);
    let natives = ops.natives.iter().map(|it| {
        let path = native_path(it);
        match it.is_derived() {
            true => quote!(__bindings::NativeKind::derived::<#path>()),
            false => quote!(__bindings::NativeKind::of::<#path>()),
        }
    });
    let natives = quote!(&[#(#natives),*]);
    let derived = ops.natives.iter().filter(|it| it.is_derived()).map(native_path);
    let derived = quote!(#(__bindings::__derived!(#derived);)*);
    let (tables, runtime) = (table::print(functions, &natives, rows), use_runtime());
    quote! {
        use #bindings as __bindings;
        #runtime
        #named
        #(#modules)*
        #steps
        #derived
        #tables
    }
}

fn module(ops: &OpSet, function: &PythonFunction, steps: &mut Steps) -> TokenStream {
    let name = module_name(function);
    let signatures = function.signatures.iter().map(|it| kind::signature(function, it));
    let shown = &function.name;
    let schemas = function.signatures.iter().map(|it| schemas(ops, it));
    let body = match &function.forwarding {
        Some(forwarding) => functional::print(forwarding, &function.signatures),
        None => body::print(ops, function, steps),
    };
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
            use super::{__bindings, rt};
            static FUNCTION: rt::resolve::OverloadSet = rt::resolve::OverloadSet::new(
                #shown,
                &[#(#signatures),*],
            );
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
fn schemas(ops: &OpSet, signature: &Signature) -> TokenStream {
    let schema = |call: &Option<OverloadCall>| match call {
        Some(call) => {
            let marker = marker_path(&ops.overloads[call.overload]);
            quote!(::core::option::Option::Some(<#marker as rt::Op>::SCHEMA))
        }
        None => quote!(::core::option::Option::None),
    };
    let (base, out) = (schema(&signature.base), schema(&signature.out));
    quote!([#base, #out])
}

/// What the interpreter calls, under each name; protocol methods are called by the class.
fn entry(function: &PythonFunction) -> Option<TokenStream> {
    if table::is_protocol(function) {
        return None;
    }
    let form = match &function.forwarding {
        Some(_) => quote!(functional),
        None if function.takes_nothing() => quote!(alone),
        None => quote!(arguments),
    };
    let others = function.aliases.iter().enumerate().map(|(at, name)| {
        let alias = table::alias(at);
        quote!(__bindings::__entry!(#form #alias as #name);)
    });
    Some(quote! {
        __bindings::__entry!(#form);
        #(#others)*
    })
}
