//! Derived kernels that hand on to what overloads of one signature share.

use opwright_schema::model::Overload;
use proc_macro2::TokenStream;
use quote::quote;

use crate::print::rust::lint::many_arguments;
use crate::print::rust::path::param_name;
use crate::types::{ident, parameter, result, returned};

/// The kernels that follow from a rule.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::print::rust) enum What {
    Cpu,
    Meta,
}

impl What {
    pub(in crate::print::rust) const ALL: [What; 2] = [What::Cpu, What::Meta];

    /// As it is called in Rust.
    pub(in crate::print::rust) fn name(self) -> &'static str {
        match self {
            What::Cpu => "cpu",
            What::Meta => "meta",
        }
    }
}

/// A derived kernel that hands on to a function.
pub(in crate::print::rust) struct HandedOn {
    pub(in crate::print::rust) what: What,
    pub(in crate::print::rust) to: TokenStream,
    /// What the function takes besides the arguments.
    pub(in crate::print::rust) passed: Vec<TokenStream>,
}

impl HandedOn {
    pub(super) fn print(&self, overload: &Overload) -> TokenStream {
        let HandedOn { what, to, passed } = self;
        let params = &overload.schema.params;
        let (names, types) = (params.iter().map(param_name), params.iter().map(parameter));
        let (arguments, name) = (names.clone(), ident(what.name()));
        let (ok, many) = (result(&returned(&overload.schema)), many_arguments(params.len()));
        quote! {
            #many
            fn #name(#(#names: #types),*) -> #ok {
                #to(#(#arguments,)* #(#passed),*)
            }
        }
    }
}

/// An overload and the out overload that it follows, with inputs that are called alike in all groups.
pub(super) fn alike(overload: &Overload, out: &Overload) -> (Overload, Overload) {
    let (mut overload, mut out) = (overload.clone(), out.clone());
    for (at, input) in out.schema.params.iter_mut().enumerate() {
        let name = format!("arg{at}");
        let mut own = overload.schema.params.iter_mut();
        if let Some(own) =
            own.find(|it| it.name.value == input.name.value && it.name.value != "self")
        {
            own.name.value.clone_from(&name);
            input.name.value = name;
        }
    }
    (overload, out)
}

/// Something that a shared function takes besides the arguments.
pub(super) struct ExtraParam {
    pub(super) name: &'static str,
    pub(super) ty: TokenStream,
    pub(super) passed: TokenStream,
}
