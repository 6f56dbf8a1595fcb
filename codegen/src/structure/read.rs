//! A struct with its attributes as what they say.

use proc_macro2::Ident;
use syn::{Data, DeriveInput, Error, Fields, LitStr, Result};

use super::attribute::{OfField, OfStruct};
use super::{FieldVisibility, NativeField, Structure, check};
use crate::doc_comment::doc_comment;
use crate::mistake::combined;

/// Reads a struct.
///
/// # Errors
///
/// All that is wrong with it, combined.
pub fn structure(input: &DeriveInput) -> Result<Structure> {
    let fields = named_fields(input)?;
    let mut errors = Vec::new();
    let own = OfStruct::read(&input.attrs).unwrap_or_else(|error| {
        errors.push(error);
        OfStruct::default()
    });
    errors.extend(check::of_struct(&own));
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
        let seen = said.skip.is_none().then(|| FieldVisibility {
            name: said.name_of(&ident),
            doc: said.doc.as_ref().map_or_else(|| doc_comment(&field.attrs), LitStr::value),
            is_settable: said.set.is_some(),
            is_in_c: has_c && said.hide_c.is_none(),
        });
        NativeField { ident, ty: field.ty.clone(), default: said.default, seen }
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
