//! Binding sites of functions, and the modules of generated code that this makes.

use std::collections::BTreeSet;

use opwright_schema::model::PythonModule;
use proc_macro2::Ident;
use quote::format_ident;

use crate::signature::{Home, PythonFunction};

/// The module of one function's items: `function_add`, `method_add`, `function_nn_gelu`.
pub(super) fn module_name(function: &PythonFunction) -> Ident {
    module_of(&function.home, &function.name)
}

/// That of the function of this name.
pub(super) fn module_of(home: &Home, name: &str) -> Ident {
    match home {
        Home::Method => format_ident!("method_{name}"),
        Home::Module(PythonModule::Root) => format_ident!("function_{name}"),
        Home::Module(PythonModule::Sub(module)) => format_ident!("function_{module}_{name}"),
    }
}

/// Every module that has functions.
pub(super) fn homes(functions: &[PythonFunction]) -> BTreeSet<PythonModule> {
    let homes = functions.iter().filter_map(|it| match &it.home {
        Home::Module(module) => Some(module.clone()),
        Home::Method => None,
    });
    homes.collect()
}
