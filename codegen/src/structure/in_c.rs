//! Types of a crate in its library for C.

use opwright_schema::model::Type as SchemaType;
use opwright_schema::names;
use opwright_schema::types::{FieldInC, InC, NativeType, Natives};
use syn::Type;

use super::{FieldVisibility, NativeField, Structure};
use crate::form::syntax::argument_of;
use crate::schema_of::owned;

/// A type of a crate: its name, what is said of it, and what is derived of it.
pub(crate) type Declared<'a> = (&'a str, &'a str, Option<&'a Structure>);

/// What C sees of all of them. A struct is passed by value if it consists of numbers, truth values
/// and other such structs, and of nothing that is hidden.
pub(crate) fn seen(declared: &[Declared<'_>], natives: &[NativeType]) -> Vec<InC> {
    let seen = declared.iter().map(|(name, doc, structure)| InC {
        name: names::c_struct(name),
        tag: structure.and_then(|it| it.c.clone()),
        doc: (*doc).to_owned(),
        is_by_value: false,
        fields: structure.map_or_else(Vec::new, |it| fields(it, Natives::Of(natives))),
    });
    let mut seen: Vec<InC> = seen.collect();
    // A struct that consists of others waits for these.
    while let Some(next) = (0..seen.len()).find(|at| {
        let (_, _, structure) = declared[*at];
        let is_whole = structure.is_some_and(|it| it.seen().count() == it.fields.len());
        let is_plain = seen[*at].fields.iter().all(|it| is_plain(it, declared, &seen));
        is_whole && is_plain && !seen[*at].is_by_value && !seen[*at].fields.is_empty()
    }) {
        seen[next].is_by_value = true;
    }
    seen
}

fn fields(structure: &Structure, natives: Natives<'_>) -> Vec<FieldInC> {
    let field = |(field, seen): (&NativeField, &FieldVisibility)| {
        let is_hidden = structure.c.is_some() && !seen.is_in_c;
        FieldInC {
            name: seen.name.clone(),
            doc: seen.doc.clone(),
            ty: schema_type(&field.ty, natives).filter(|_| !is_hidden).map(|it| it.to_string()),
            is_settable: seen.is_settable,
            has_default: field.default.is_some(),
        }
    };
    structure.seen().map(field).collect()
}

fn schema_type(ty: &Type, natives: Natives<'_>) -> Option<SchemaType> {
    match argument_of(ty, "Option") {
        Some(inner) => owned(inner, natives).map(|it| SchemaType::Optional(Box::new(it))),
        None => owned(ty, natives),
    }
}

fn is_plain(field: &FieldInC, declared: &[Declared<'_>], seen: &[InC]) -> bool {
    let Some(ty) = field.ty.as_deref() else { return false };
    let of = declared.iter().position(|(name, ..)| *name == ty);
    matches!(ty, "int" | "float" | "bool") || of.is_some_and(|it| seen[it].is_by_value)
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::*;
    use crate::structure::read;

    /// Which of the structs are passed by value.
    fn by_value(structs: &[syn::DeriveInput]) -> Vec<String> {
        let read = structs.iter().map(|it| read::structure(it).expect("a sound struct"));
        let read: Vec<Structure> = read.collect();
        let names: Vec<String> = read.iter().map(|it| it.ident.to_string()).collect();
        let natives: Vec<NativeType> = names.iter().map(|it| NativeType::new(it, it, 0)).collect();
        let declared = names.iter().zip(&read).map(|(name, it)| (name.as_str(), "", Some(it)));
        let seen = seen(&declared.collect::<Vec<_>>(), &natives);
        seen.into_iter().filter(|it| it.is_by_value).map(|it| it.name).collect()
    }

    #[test]
    fn structs_of_numbers_are_values() {
        let structs = [
            parse_quote!(
                struct Outer {
                    it: crate::Inner,
                    is_one: bool,
                }
            ),
            parse_quote!(
                struct Inner {
                    x: f64,
                    count: i64,
                }
            ),
            parse_quote!(
                struct WithTensor {
                    x: f64,
                    it: Tensor,
                }
            ),
            parse_quote!(
                struct OfIt {
                    it: WithTensor,
                }
            ),
            parse_quote!(
                struct Perhaps {
                    x: Option<f64>,
                }
            ),
            parse_quote!(
                struct Itself {
                    it: Itself,
                }
            ),
            parse_quote!(
                struct Nothing {}
            ),
            parse_quote!(
                struct Skipped {
                    x: f64,
                    #[field(skip, default = 0)]
                    more: u64,
                }
            ),
            parse_quote!(
                #[native(c = "h")]
                struct Hidden {
                    x: f64,
                    #[field(hide_c)]
                    y: f64,
                }
            ),
            parse_quote!(
                struct Foreign {
                    x: f64,
                    y: other::Thing,
                }
            ),
        ];
        assert_eq!(by_value(&structs), ["outer", "inner"]);
    }

    #[test]
    fn fields_have_types_of_schemas() {
        let structure: syn::DeriveInput = parse_quote! {
            struct All {
                a: Vec<Tensor>,
                b: Option<String>,
                c: Option<Vec<f64>>,
                d: DType,
                e: Complex<f64>,
                #[field(set, name = "_f")]
                f: Option<All>,
            }
        };
        let structure = read::structure(&structure).expect("a sound struct");
        let natives = [NativeType::new("All", "All", 0)];
        let found = fields(&structure, Natives::Of(&natives));
        let types: Vec<Option<&str>> = found.iter().map(|it| it.ty.as_deref()).collect();
        let expected = [
            Some("Tensor[]"),
            Some("str?"),
            Some("float[]?"),
            Some("ScalarType"),
            None,
            Some("All?"),
        ];
        assert_eq!(types, expected);
        assert_eq!((found[5].name.as_str(), found[5].is_settable), ("_f", true));
    }
}
