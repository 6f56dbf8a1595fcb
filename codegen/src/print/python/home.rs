//! Binding sites of functions, and the modules of generated code that this makes.

use std::collections::BTreeSet;

use opwright_schema::model::PythonModule;
use proc_macro2::Ident;
use quote::format_ident;

use crate::signature::{Home, PythonFunction};

/// The module of one function's items: `function_add`, `method_add`, `function_nn_gelu`.
pub(super) fn module_name(function: &PythonFunction) -> Ident {
    match &function.home {
        Home::Method => format_ident!("method_{}", function.name),
        Home::Module(PythonModule::Root) => format_ident!("function_{}", function.name),
        Home::Module(PythonModule::Sub(module)) => {
            format_ident!("function_{module}_{}", function.name)
        }
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
