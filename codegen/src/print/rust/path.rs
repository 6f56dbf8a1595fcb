//! Paths and names by which generated Rust reaches operators, kernels and parameters.

use std::collections::BTreeMap;

use opwright_schema::model::{OpSet, Overload, Param};
use opwright_schema::names;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::fn_path::FnPath;
use crate::types::ident;

/// Indices of overloads by the base name that their module has, `add_` apart from `add`.
pub fn by_base_name(ops: &OpSet) -> BTreeMap<String, Vec<usize>> {
    let mut modules: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (idx, overload) in ops.overloads.iter().enumerate() {
        modules.entry(overload.schema.name.base.to_string()).or_default().push(idx);
    }
    modules
}

/// `crate::ops::add::Tensor`.
pub fn marker_path(overload: &Overload) -> TokenStream {
    let name = &overload.schema.name;
    let module = ident(&names::module(name));
    let marker = ident(&names::marker(name));
    quote!(crate::ops::#module::#marker)
}

/// `crate::kernels::binary::add_tensor::KERNEL`.
pub fn constant(path: &FnPath, name: &str) -> TokenStream {
    let segments = path.0.iter().map(|it| ident(it));
    let name = ident(name);
    quote!(crate::#(#segments::)*#name)
}

/// A parameter's name in Rust.
pub fn param_name(param: &Param) -> Ident {
    ident(&names::param(&param.name.value))
}
