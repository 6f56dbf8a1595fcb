//! Options of `#[derive(NativeType)]` above a struct and its fields, read by the macro and by the
//! scan.
//!
//! ```text
//! #[native(frozen, c = "name", close = "1e-9", doc = "...")]         above the struct
//! #[field(set, default = EXPR, name = "...", hide_c, doc = "...")]   above a field
//! #[field(skip, default = EXPR)]
//! ```

mod attribute;
mod check;
pub(crate) mod in_c;
pub mod read;
pub mod stub;

use proc_macro2::Ident;
use quote::format_ident;
use syn::ext::IdentExt;
use syn::{Expr, Type};

/// A struct that Python sees as a class.
#[derive(Clone, Debug)]
pub struct Structure {
    /// What it is called.
    pub ident: Ident,
    /// What is said of it.
    pub doc: String,
    /// Its tag in C.
    pub c: Option<String>,
    /// How near numbers are that count as close.
    pub close: Option<f64>,
    /// Its fields in their order.
    pub fields: Vec<NativeField>,
}

/// The name by which the scan and the macros know the annotation of a type.
pub fn mark(of: &Ident) -> Ident {
    format_ident!("native_type_{}", of.unraw())
}

/// A field of such a struct.
#[derive(Clone, Debug)]
pub struct NativeField {
    /// What Rust calls it.
    pub ident: Ident,
    /// What it is.
    pub ty: Type,
    /// What it is if nothing is said.
    pub default: Option<Expr>,
    /// What is seen of it outside; nothing if it is skipped.
    pub seen: Option<FieldVisibility>,
}

/// What is seen of a field.
#[derive(Clone, Debug)]
pub struct FieldVisibility {
    /// What it is called.
    pub name: String,
    /// What is said of it.
    pub doc: String,
    /// Whether it may be set.
    pub is_settable: bool,
    /// Whether C sees it.
    pub is_in_c: bool,
}

impl Structure {
    /// The name by which the scan and the macro know the annotation.
    pub fn mark(&self) -> Ident {
        mark(&self.ident)
    }

    /// The fields that are seen outside.
    pub fn seen(&self) -> impl Iterator<Item = (&NativeField, &FieldVisibility)> {
        self.fields.iter().filter_map(|it| Some((it, it.seen.as_ref()?)))
    }
}
