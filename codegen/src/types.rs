//! Schema types as Rust tokens: what a kernel takes and returns.
//!
//! | schema | parameter | return |
//! |---|---|---|
//! | `Tensor` | `&Tensor` | `Tensor` |
//! | `Tensor(a!)` | `&mut Tensor` | nothing |
//! | `Tensor?` | `Option<&Tensor>` | |
//! | `Tensor[]`, `Tensor?[]` | `&[&Tensor]`, `&[Option<&Tensor>]` | `Vec<Tensor>` |
//! | `Tensor(a!)[]` | `&mut [&mut Tensor]` | nothing |
//! | `int`, `SymInt`, `DeviceIndex` | `i64` | `i64` |
//! | `int[]`, `int[2]` | `&[i64]` | `Vec<i64>` |
//! | `str` | `&str` | `String` |
//! | `T?` | `Option<T>` | |
//!
//! Paths are absolute, or begin with `rt`, under which each generated module
//! takes in the runtime: so they hold in whatever crate the code is generated
//! for. Names of authors that stand in such a module are markers, of which
//! `schema::names` calls none `rt`, and parameters, which are no paths.

use opwright_schema::model::{BaseType, Param, Schema, Type};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

/// An identifier for a name that `schema::names` made: raw if it says `r#`.
pub fn ident(name: &str) -> Ident {
    match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(name, Span::call_site()),
    }
}

/// The path of an item of the runtime, in a module that begins with [`use_runtime`].
pub fn runtime(item: &str) -> TokenStream {
    let item = format_ident!("{item}");
    quote!(rt::#item)
}

/// What makes the paths of [`runtime`] lead there.
pub fn use_runtime() -> TokenStream {
    quote!(
        use crate::ops::__runtime as rt;
    )
}

/// The runtime's `Result` of this.
pub fn result(ok: &TokenStream) -> TokenStream {
    let result = runtime("Result");
    quote!(#result<#ok>)
}

/// The type of a kernel's parameter.
pub fn parameter(param: &Param) -> TokenStream {
    if param.writes() { mutable(&param.ty.value) } else { borrowed(&param.ty.value) }
}

/// What a kernel returns, inside `Result`.
pub fn returned(schema: &Schema) -> TokenStream {
    let fresh: Vec<TokenStream> =
        schema.returns.iter().filter(|it| !it.writes()).map(|it| owned(&it.ty.value)).collect();
    tuple(&fresh)
}

/// These as a tuple; one alone stands for itself.
pub fn tuple(items: &[TokenStream]) -> TokenStream {
    match items {
        [only] => only.clone(),
        several => quote!((#(#several),*)),
    }
}

fn mutable(ty: &Type) -> TokenStream {
    match ty {
        Type::Base(base) => {
            let base = base_type(base);
            quote!(&mut #base)
        }
        Type::Optional(inner) => {
            let inner = mutable(inner);
            quote!(::core::option::Option<#inner>)
        }
        Type::List(element, _) => {
            let element = mutable(element);
            quote!(&mut [#element])
        }
    }
}

fn borrowed(ty: &Type) -> TokenStream {
    match ty {
        Type::Base(base) => {
            let name = base_type(base);
            if is_copied(base) { name } else { quote!(&#name) }
        }
        Type::Optional(inner) => {
            let inner = borrowed(inner);
            quote!(::core::option::Option<#inner>)
        }
        Type::List(element, _) => {
            let element = borrowed(element);
            quote!(&[#element])
        }
    }
}

fn owned(ty: &Type) -> TokenStream {
    match ty {
        Type::Base(BaseType::Str) => quote!(::std::string::String),
        Type::Base(base) => base_type(base),
        Type::Optional(inner) => {
            let inner = owned(inner);
            quote!(::core::option::Option<#inner>)
        }
        Type::List(element, _) => {
            let element = owned(element);
            quote!(::std::vec::Vec<#element>)
        }
    }
}

/// Small values are passed as they are, all others by reference.
pub(crate) fn is_copied(base: &BaseType) -> bool {
    match base {
        BaseType::Int
        | BaseType::SymInt
        | BaseType::Bool
        | BaseType::SymBool
        | BaseType::Float
        | BaseType::Scalar
        | BaseType::ScalarType
        | BaseType::Layout
        | BaseType::Device
        | BaseType::DeviceIndex
        | BaseType::MemoryFormat
        | BaseType::QScheme
        | BaseType::Dimname
        | BaseType::Stream => true,
        BaseType::Tensor
        | BaseType::Str
        | BaseType::Generator
        | BaseType::Storage
        | BaseType::DimVector
        | BaseType::GraphModule
        | BaseType::Class(_) => false,
    }
}

/// Whether the runtime has a type for this one.
pub fn has_values(base: &BaseType) -> bool {
    match base {
        BaseType::DimVector | BaseType::QScheme | BaseType::GraphModule | BaseType::Class(_) => {
            false
        }
        BaseType::Tensor
        | BaseType::Int
        | BaseType::SymInt
        | BaseType::Bool
        | BaseType::SymBool
        | BaseType::Float
        | BaseType::Scalar
        | BaseType::Str
        | BaseType::ScalarType
        | BaseType::Layout
        | BaseType::Device
        | BaseType::DeviceIndex
        | BaseType::MemoryFormat
        | BaseType::Generator
        | BaseType::Dimname
        | BaseType::Storage
        | BaseType::Stream => true,
    }
}

/// Whether the runtime's type for this one has no values, so that an overload
/// with such a parameter is declared for those who know it from elsewhere, and
/// refused when called. It needs no kernel.
pub fn is_empty(base: &BaseType) -> bool {
    matches!(base, BaseType::Dimname | BaseType::Stream)
}

/// Types that are one word in Rust: the schema's word, and Rust's. Read in both
/// directions: the first row of a Rust type is what it is in a schema.
const WORDS: [(BaseType, &str, &str); 17] = [
    (BaseType::Tensor, "Tensor", "Tensor"),
    (BaseType::Int, "int", "i64"),
    (BaseType::SymInt, "SymInt", "i64"),
    (BaseType::DeviceIndex, "DeviceIndex", "i64"),
    (BaseType::Float, "float", "f64"),
    (BaseType::Bool, "bool", "bool"),
    (BaseType::SymBool, "SymBool", "bool"),
    (BaseType::Scalar, "Scalar", "Scalar"),
    (BaseType::Str, "str", "str"),
    (BaseType::ScalarType, "ScalarType", "DType"),
    (BaseType::Layout, "Layout", "Layout"),
    (BaseType::Device, "Device", "Device"),
    (BaseType::MemoryFormat, "MemoryFormat", "MemoryFormat"),
    (BaseType::Generator, "Generator", "Generator"),
    (BaseType::Storage, "Storage", "Storage"),
    (BaseType::Stream, "Stream", "Stream"),
    (BaseType::Dimname, "Dimname", "Dimname"),
];

/// The schema's type for a word of Rust, and its word.
pub(crate) fn of_rust(word: &str) -> Option<(&'static BaseType, &'static str)> {
    WORDS.iter().find(|(.., rust)| *rust == word).map(|(base, schema, _)| (base, *schema))
}

/// How parameters of these types are written in Rust, for messages.
pub(crate) fn parameters_in_rust() -> String {
    let mut shown: Vec<String> = Vec::new();
    for (base, _, rust) in &WORDS {
        let text = if is_copied(base) { (*rust).to_owned() } else { format!("&{rust}") };
        if !is_empty(base) && !shown.contains(&text) {
            shown.push(text);
        }
    }
    shown.join("`, `")
}

fn base_type(base: &BaseType) -> TokenStream {
    let row = WORDS.iter().find(|(known, ..)| known == base);
    match (row, base) {
        (Some((.., primitive @ ("i64" | "f64" | "bool" | "str"))), _) => {
            let primitive = format_ident!("{primitive}");
            quote!(::core::primitive::#primitive)
        }
        (Some((.., item)), _) => runtime(item),
        // See `has_values`.
        (None, BaseType::DimVector) => runtime("DimVector"),
        (None, BaseType::QScheme) => runtime("QScheme"),
        (None, BaseType::GraphModule) => runtime("GraphModule"),
        (None, _) => runtime("Class"),
    }
}
