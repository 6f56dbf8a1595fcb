//! What `#[derive(NativeType)]` finds above a struct and its fields, read by the macro and by the
//! scan.
//!
//! ```text
//! #[native(frozen, c = "name", close = "1e-9", doc = "...")]         above the struct
//! #[field(set, default = EXPR, name = "...", hide_c, doc = "...")]   above a field
//! #[field(skip, default = EXPR)]
//! ```

mod attribute;
mod check;
mod stub;

use proc_macro2::{Ident, Span};
use quote::format_ident;
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Error, Expr, Fields, LitStr, Result, Type};

use self::attribute::{OfField, OfStruct};
use crate::doc_comment::doc_comment;
use crate::mistake::combined;

pub use self::stub::class;

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
    pub fields: Vec<Field>,
}

/// A field of such a struct.
#[derive(Clone, Debug)]
pub struct Field {
    /// What Rust calls it.
    pub ident: Ident,
    /// What it is.
    pub ty: Type,
    /// What it is if nothing is said.
    pub default: Option<Expr>,
    /// What is seen of it outside; nothing if it is skipped.
    pub seen: Option<Seen>,
}

/// What is seen of a field.
#[derive(Clone, Debug)]
pub struct Seen {
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
        format_ident!("native_type_{}", self.ident.unraw())
    }

    /// The fields that are seen outside.
    pub fn seen(&self) -> impl Iterator<Item = (&Field, &Seen)> {
        self.fields.iter().filter_map(|it| Some((it, it.seen.as_ref()?)))
    }
}

/// Reads a struct.
///
/// # Errors
///
/// All that is wrong with it, combined.
pub fn read(input: &DeriveInput) -> Result<Structure> {
    let fields = named_fields(input)?;
    let mut errors = Vec::new();
    let own = OfStruct::read(&input.attrs).unwrap_or_else(|error| {
        errors.push(error);
        OfStruct::default()
    });
    let mut read = Vec::new();
    for field in fields {
        let Some(ident) = field.ident.clone() else { continue };
        match OfField::read(&field.attrs) {
            Ok(said) => {
                errors.extend(check::field(&said, &own, &ident));
                read.push((ident, said, field));
            }
            Err(error) => errors.push(error),
        }
    }
    errors.extend(check::together(&read.iter().map(|it| (&it.0, &it.1)).collect::<Vec<_>>()));
    combined(errors)?;
    let has_c = own.c.is_some();
    let fields = read.into_iter().map(|(ident, said, field)| {
        let seen = said.skip.is_none().then(|| Seen {
            name: said.name_of(&ident),
            doc: said.doc.as_ref().map_or_else(|| doc_comment(&field.attrs), LitStr::value),
            is_settable: said.set.is_some(),
            is_in_c: has_c && said.hide_c.is_none(),
        });
        Field { ident, ty: field.ty.clone(), default: said.default, seen }
    });
    Ok(Structure {
        ident: input.ident.clone(),
        doc: own.doc.map_or_else(|| doc_comment(&input.attrs), |it| it.value()),
        c: own.c.map(|it| it.value()),
        close: own.close.map(|(close, _)| close),
        fields: fields.collect(),
    })
}

fn named_fields(input: &DeriveInput) -> Result<impl Iterator<Item = &syn::Field>> {
    if !input.generics.params.is_empty() {
        let message = "a native type has no parameters: write a type for each";
        return Err(Error::new_spanned(&input.generics, message));
    }
    match &input.data {
        Data::Struct(it) => match &it.fields {
            Fields::Named(fields) => Ok(fields.named.iter()),
            Fields::Unnamed(fields) => {
                let message = "fields without names: attributes of Python have some";
                Err(Error::new_spanned(fields, message))
            }
            Fields::Unit => Err(no_struct(&input.ident)),
        },
        Data::Enum(_) | Data::Union(_) => Err(no_struct(&input.ident)),
    }
}

fn no_struct(ident: &Ident) -> Error {
    let message = "`#[derive(NativeType)]` stands above a struct with named fields; \
                   `#[native_type]` takes any type";
    Error::new(ident.span(), message)
}

/// A word of an attribute that says something by being there.
type Flag = Option<Span>;
