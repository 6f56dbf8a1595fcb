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
//! | `Reduction` | `Reduction` | `Reduction` |
//! | `PaddingMode` and its like | `PaddingMode` | `PaddingMode` |
//! | `T?` | `Option<T>` | |
//!
//! Paths are absolute, or begin with `rt`, under which each generated module
//! takes in the runtime: so they hold in whatever crate the code is generated
//! for. Names of authors that stand in such a module are markers, of which
//! `schema::names` calls none `rt`, and parameters, which are no paths.

use opwright_schema::model::{BaseType, Param, Schema, Type};
use opwright_schema::types::NativeType;
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

/// The type of a kernel.
pub fn fn_pointer(schema: &Schema) -> TokenStream {
    let types = schema.params.iter().map(parameter);
    let ok = result(&returned(schema));
    quote!(fn(#(#types),*) -> #ok)
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
            let base = lent(base);
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

pub(crate) fn borrowed(ty: &Type) -> TokenStream {
    match ty {
        Type::Base(base) => {
            let name = lent(base);
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

pub(crate) fn owned(ty: &Type) -> TokenStream {
    match ty {
        Type::Base(base) => owned_base(base),
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
    base.row().is_copied
}

/// The schema's type for a word of Rust: the first whose parameters have that type.
pub(crate) fn of_rust(word: &str) -> Option<&'static BaseType> {
    BaseType::all().find(|it| it.row().rust == Some(word))
}

/// How parameters of these types are written in Rust, for messages.
pub(crate) fn parameters_in_rust() -> String {
    let mut shown: Vec<String> = Vec::new();
    for base in BaseType::all().filter(|it| !it.is_empty()) {
        let Some(rust) = base.row().rust else { continue };
        let text = if is_copied(base) { rust.to_owned() } else { format!("&{rust}") };
        if !shown.contains(&text) {
            shown.push(text);
        }
    }
    shown.join("`, `")
}

/// The path of a type of the crate.
pub(crate) fn native_path(native: &NativeType) -> TokenStream {
    let parts = native.path().split("::").map(ident);
    quote!(#(#parts)::*)
}

/// The type that a reference of a parameter leads to, or the parameter itself.
pub(crate) fn lent(base: &BaseType) -> TokenStream {
    rust_type(base, base.row().rust)
}

/// The same as a value of its own.
pub(crate) fn owned_base(base: &BaseType) -> TokenStream {
    rust_type(base, base.row().owned)
}

fn rust_type(base: &BaseType, rust: Option<&str>) -> TokenStream {
    if let BaseType::Native(native) = base {
        return native_path(native);
    }
    match rust {
        Some(primitive @ ("i64" | "f64" | "bool" | "str")) => {
            let primitive = format_ident!("{primitive}");
            quote!(::core::primitive::#primitive)
        }
        Some("String") => quote!(::std::string::String),
        Some(item) => runtime(item),
        // See `BaseType::has_values`.
        None if matches!(base, BaseType::Class(_)) => runtime("Class"),
        None => runtime(base.name()),
    }
}
