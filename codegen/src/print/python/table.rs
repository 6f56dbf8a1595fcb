//! Prints the tables of functions and methods, and the one that holds them all.

use opwright_schema::model::PythonModule;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::home::{homes, module_name};
use super::named::{named_tuple, named_tuples};
use super::{doc, slots};
use crate::signature::{Home, PythonFunction};
use crate::types::ident;

/// All tables.
pub(super) fn print(
    functions: &[PythonFunction],
    natives: &TokenStream,
    rows: &TokenStream,
) -> TokenStream {
    let operators = slots::print(functions);
    let root = methods(functions, "FUNCTIONS", |it| *it == Home::Module(PythonModule::Root));
    let of_class = methods(functions, "METHODS", |it| *it == Home::Method);
    let submodules: Vec<String> = homes(functions)
        .into_iter()
        .filter_map(|it| match it {
            PythonModule::Root => None,
            PythonModule::Sub(name) => Some(name),
        })
        .collect();
    let of_submodules = submodules.iter().map(|name| {
        let home = Home::Module(PythonModule::Sub(name.clone()));
        methods(functions, &table_name(name).to_string(), move |it| *it == home)
    });
    let entries = submodules.iter().map(|name| {
        let (shown, table) = (c_string(&format!("_{name}")), table_name(name));
        quote!((#shown, #table.first()))
    });
    let named = named_tuples(functions).into_keys().map(|it| {
        let name = named_tuple(&it);
        quote!(&#name)
    });
    let targets = functions.iter().flat_map(named_targets);
    let (slot_functions, slots, protocols) =
        (operators.functions, operators.slots, operators.protocols);
    quote! {
        #slot_functions
        #root
        #of_class
        #(#of_submodules)*
        /// Everything that the module binds.
        pub(crate) static TABLES: __bindings::Tables = __bindings::Tables {
            functions: FUNCTIONS.first(),
            submodules: &[#(#entries),*],
            methods: METHODS.first(),
            slots: &[#(#slots),*],
            protocols: &[#(#protocols),*],
            named_tuples: &[#(#named),*],
            targets: &[#(#targets),*],
            natives: #natives,
            operators: #rows,
        };
    }
}

fn table_name(submodule: &str) -> Ident {
    format_ident!("FUNCTIONS_{}", submodule.to_uppercase())
}

/// One table, ended by an empty entry.
fn methods(
    functions: &[PythonFunction],
    name: &str,
    belongs: impl Fn(&Home) -> bool,
) -> TokenStream {
    let entries: Vec<TokenStream> = functions
        .iter()
        .filter(|it| belongs(&it.home) && !is_protocol(it))
        .flat_map(|function| {
            let aliases = function.aliases.iter().enumerate();
            let others = aliases.map(|(at, name)| entry(function, name, &alias(at)));
            let first = entry(function, &function.name, &format_ident!("entry"));
            std::iter::once(first).chain(others).collect::<Vec<_>>()
        })
        .collect();
    let name = ident(name);
    let count = Literal::usize_unsuffixed(entries.len() + 1);
    quote! {
        static #name: __bindings::Methods<#count> =
            __bindings::Methods([#(#entries,)* __bindings::Methods::<1>::END]);
    }
}

/// Whether a function has only the name of a protocol method, which the class
/// has already: the class calls the function.
pub(super) fn is_protocol(function: &PythonFunction) -> bool {
    function.operators.contains(&function.name)
}

/// What the interpreter calls for a further name of a function.
pub(super) fn alias(at: usize) -> Ident {
    format_ident!("alias_{at}")
}

fn entry(function: &PythonFunction, name: &str, called: &Ident) -> TokenStream {
    let doc = c_string(&doc::print(function, name));
    let (name, module) = (c_string(name), module_name(function));
    let make = if function.takes_nothing() { quote!(alone) } else { quote!(with_arguments) };
    quote!(__bindings::method::#make(#name, #module::#called, #doc))
}

/// Under each name of a function, its target.
fn named_targets(function: &PythonFunction) -> Vec<TokenStream> {
    let home = match &function.home {
        Home::Method => "Tensor.".to_owned(),
        Home::Module(PythonModule::Root) => String::new(),
        Home::Module(PythonModule::Sub(module)) => format!("_{module}."),
    };
    let module = module_name(function);
    let names = std::iter::once(&function.name).chain(&function.aliases);
    names
        .map(|name| {
            let name = format!("{home}{name}");
            quote!(__bindings::PythonName { name: #name, target: &#module::TARGET })
        })
        .collect()
}

/// A string as the interpreter takes it; what follows a zero byte is cut off.
fn c_string(text: &str) -> Literal {
    let bytes: Vec<u8> = text.bytes().take_while(|it| *it != 0).collect();
    Literal::c_string(&std::ffi::CString::new(bytes).unwrap_or_default())
}
