//! Prints the tables that the resolver reads: a signature and its parameters.

use opwright_schema::model::{self, Type};
use opwright_schema::numpydoc::shown_type;
use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::print::rust::rows;
use crate::signature::{Parameter, PythonFunction, Section, Signature};

/// One signature's table.
pub(super) fn signature(function: &PythonFunction, signature: &Signature) -> TokenStream {
    let text = text(function, signature);
    let params = signature.params.iter().map(param);
    let positional = Literal::usize_unsuffixed(signature.positional());
    let (variadic, deprecated) = (signature.varargs, signature.deprecated);
    quote! {
        rt::resolve::Signature {
            text: #text,
            params: &[#(#params),*],
            positional: #positional,
            variadic: #variadic,
            deprecated: #deprecated,
        }
    }
}

fn param(param: &Parameter) -> TokenStream {
    let name = &param.name;
    let kind = kind(param);
    let nullable = param.nullable || param.default == Some(model::Default::None);
    let required = param.required();
    let size = Literal::u32_unsuffixed(repeat(&param.ty));
    let aliases = &param.aliases;
    quote! {
        rt::resolve::Parameter {
            name: #name,
            kind: #kind,
            nullable: #nullable,
            required: #required,
            size: #size,
            aliases: &[#(#aliases),*],
        }
    }
}

/// To how many elements a single value is repeated.
fn repeat(ty: &Type) -> u32 {
    match ty {
        Type::List(_, Some(size)) => *size,
        Type::List(_, None) | Type::Base(_) => 0,
        Type::Optional(inner) => repeat(inner),
    }
}

/// The resolver's kind of a parameter: that of its type.
fn kind(param: &Parameter) -> TokenStream {
    if param.numbers && param.ty.is_tensor() {
        return quote!(rt::resolve::Kind::TensorOrNumber);
    }
    match rows::value_type(&param.ty, &quote!(rt::op::Type)) {
        Some(ty) => quote!(#ty.kind()),
        None => quote!(rt::resolve::Kind::Object),
    }
}

/// As messages show it: `add(Tensor input, Number alpha=1, *, Tensor out=None)`.
pub(super) fn text(function: &PythonFunction, signature: &Signature) -> String {
    let mut parts = Vec::new();
    let mut keyword_only = false;
    for param in &signature.params {
        if param.section != Section::Positional && !keyword_only {
            keyword_only = true;
            parts.push("*".to_owned());
        }
        let default = param.default.as_ref().map_or(String::new(), |it| format!("={it}"));
        parts.push(format!("{} {}{default}", shown(param), param.name));
    }
    format!("{}({})", function.name, parts.join(", "))
}

/// The type of a parameter, as messages show it: `Tensor|Number`.
pub(super) fn shown(param: &Parameter) -> String {
    let numbers = if param.numbers && param.ty.is_tensor() { "|Number" } else { "" };
    let none = if param.nullable && param.section == Section::Positional { "|None" } else { "" };
    format!("{}{numbers}{none}", shown_type(&param.ty))
}
