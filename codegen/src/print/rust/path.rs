//! Paths and names by which generated Rust reaches operators, kernels and parameters.

use std::collections::BTreeMap;

use opwright_schema::model::{OpSet, Overload, Param};
use opwright_schema::names;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

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
    marker_path_in(&quote!(crate::ops), overload)
}

/// The same, of an operator that another crate has, below the path of its operators.
pub fn marker_path_in(ops: &TokenStream, overload: &Overload) -> TokenStream {
    let name = &overload.schema.name;
    let module = ident(&names::module(name));
    let marker = ident(&names::marker(name));
    quote!(#ops::#module::#marker)
}

/// `crate::kernels::binary::add_tensor::KERNEL`.
pub fn constant(path: &FnPath, name: &str) -> TokenStream {
    let segments = path.0.iter().map(|it| ident(it));
    let name = ident(name);
    quote!(crate::#(#segments::)*#name)
}

/// `crate::kernels::binary::add_tensor`, the module beside a kernel.
pub fn module_path(path: &[String]) -> TokenStream {
    let segments = path.iter().map(|it| ident(it));
    quote!(crate::#(#segments)::*)
}

/// `crate::ops::hypot::__derived_Default_::first`, what only formulas call.
pub fn hidden_path(overload: &Overload, part: &str) -> TokenStream {
    let name = &overload.schema.name;
    let (module, part) = (ident(&names::module(name)), ident(part));
    let hidden = hidden(overload);
    quote!(crate::ops::#module::#hidden::#part)
}

/// The module of that, beside the marker.
pub fn hidden(overload: &Overload) -> Ident {
    let marker = names::marker(&overload.schema.name);
    format_ident!("__derived_{}", marker.trim_start_matches("r#"))
}

/// A parameter's name in Rust.
pub fn param_name(param: &Param) -> Ident {
    ident(&names::param(&param.name.value))
}
