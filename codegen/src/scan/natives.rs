//! Types of the crate that its schemas name: structs and enums with `#[native_type]`, structs with
//! `#[derive(NativeType)]`.

use opwright_diagnostics::diag::Diagnostics;
use opwright_schema::model::{BaseType, Span};
use opwright_schema::names::go_field;
use opwright_schema::types::NativeType;
use syn::punctuated::Punctuated;
use syn::{Attribute, DeriveInput, Error, Ident, ImplItem, Item, Meta, Path, Token};

use crate::attribute::ends_in;
use crate::codes;
use crate::doc_comment::doc_comment;
use crate::structure::{self, Structure};

/// The types that were found so far, and where.
#[derive(Debug, Default)]
pub(super) struct Found(Vec<(DeclaredType, Span)>);

/// A type as its item declares it.
#[derive(Debug)]
struct DeclaredType {
    name: String,
    path: String,
    doc: String,
    structure: Option<Structure>,
}

impl Found {
    /// Takes in a type of this module, or says why a schema could not name it.
    pub(super) fn add(
        &mut self,
        cx: &mut Diagnostics,
        ident: &Ident,
        (doc, structure): TypeAttributes,
        module: &[String],
        span: Span,
    ) {
        let name = ident.to_string();
        if let Some((_, first)) = self.0.iter().find(|(it, _)| it.name == name) {
            cx.error(codes::NATIVE_TYPE, &span, format_args!("there are two types `{name}`"))
                .also(first, "the first")
                .help("schemas know types by their names alone: rename one");
        } else if BaseType::from_name(&name).is_some() {
            let message = format_args!("`{name}` is a type of the schema language already");
            cx.error(codes::NATIVE_TYPE, &span, message).help("give it another name");
        } else if self.0.len() == NativeType::MOST {
            let message = format_args!("a crate has at most {} types of its own", NativeType::MOST);
            cx.error(codes::NATIVE_TYPE, &span, message)
                .help("let a call take one type that holds several things");
        } else {
            let path = ["crate"].into_iter().chain(module.iter().map(String::as_str));
            let path: Vec<&str> = path.chain([name.as_str()]).collect();
            let path = path.join("::");
            self.0.push((DeclaredType { name, path, doc, structure }, span));
        }
    }

    /// All of them; `classed` are the names of those that say what their classes are.
    pub(super) fn types(self, classed: &[String]) -> Vec<NativeType> {
        let names: Vec<String> = self.0.iter().map(|(it, _)| it.name.clone()).collect();
        let numbered = self.0.iter().zip(0..);
        let native = |((it, _), number): (&(DeclaredType, Span), u8)| {
            let native = NativeType::new(&it.name, &it.path, number);
            match &it.structure {
                Some(structure) => native.derived(structure::stub::class(structure, &names)),
                None if classed.contains(&it.name) => {
                    native.written(structure::stub::written_class(&it.name, &it.doc))
                }
                None => native,
            }
        };
        let natives: Vec<NativeType> = numbered.map(native).collect();
        let declared = self.0.iter();
        let declared = declared.map(|(it, _)| (&*it.name, &*it.doc, it.structure.as_ref()));
        let seen = structure::in_c::seen(&declared.collect::<Vec<_>>(), &natives);
        natives
            .into_iter()
            .zip(seen)
            .map(|(native, seen)| native.seen_in_c(seen, go_field(native.name())))
            .collect()
    }
}

/// What is said of a type, and what is derived of it.
pub(super) type TypeAttributes = (String, Option<Structure>);

/// The name of a type that schemas may name, its attributes, and what these say; and what is wrong
/// with that. A type of which something is wrong is known all the same.
pub(super) fn declared(
    item: &Item,
) -> Option<(&Ident, &[Attribute], TypeAttributes, Option<Error>)> {
    let (ident, attrs) = match item {
        Item::Struct(it) => (&it.ident, &it.attrs),
        Item::Enum(it) => (&it.ident, &it.attrs),
        _ => return None,
    };
    let input = match item {
        _ if !is_derived(attrs) => None,
        Item::Struct(item) => Some(DeriveInput::from(item.clone())),
        Item::Enum(item) => Some(DeriveInput::from(item.clone())),
        _ => None,
    };
    if let Some(input) = input {
        let read = structure::read::structure(&input);
        return Some(match read {
            Ok(structure) => (ident, attrs, (structure.doc.clone(), Some(structure)), None),
            Err(error) => (ident, attrs, (doc_comment(attrs), None), Some(error)),
        });
    }
    let is_native = attrs.iter().any(|it| ends_in(&it.meta, "native_type"));
    is_native.then(|| (ident, attrs.as_slice(), (doc_comment(attrs), None), None))
}

/// Whether `#[derive(NativeType)]` is among these.
fn is_derived(attrs: &[Attribute]) -> bool {
    let derives = attrs.iter().filter(|it| it.path().is_ident("derive"));
    let lists = derives
        .filter_map(|it| it.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated).ok());
    let last = |it: &Path| it.segments.last().is_some_and(|it| it.ident == "NativeType");
    lists.flatten().any(|it| last(&it))
}

/// The type that an item implements `Clone` for, by its name.
pub(super) fn cloned(item: &Item) -> Option<String> {
    implemented("Clone", item).map(|(name, _)| name)
}

/// The type that an item implements `Native` for, by its name, if it says there what its class is.
pub(super) fn classed(item: &Item) -> Option<String> {
    let (name, items) = implemented("Native", item)?;
    let is_class = |it: &ImplItem| matches!(it, ImplItem::Fn(it) if it.sig.ident == "class");
    items.iter().any(is_class).then_some(name)
}

/// The type that an item implements a trait for, by their names, and with what.
fn implemented<'a>(name: &str, item: &'a Item) -> Option<(String, &'a [ImplItem])> {
    let Item::Impl(item) = item else { return None };
    let (of, _) = item.trait_.as_ref()?;
    let is_it = of.segments.last().is_some_and(|it| it.ident == name);
    let syn::Type::Path(ty) = &*item.self_ty else { return None };
    let last = ty.path.segments.last().filter(|_| is_it)?;
    Some((last.ident.to_string(), &item.items))
}

/// Whether a derived type says nothing of `Clone`, not even below a condition.
pub(super) fn lacks_clone(attrs: &[Attribute]) -> bool {
    let says = |it: &Attribute| match &it.meta {
        Meta::List(list) => list.tokens.to_string().contains("Clone"),
        Meta::Path(_) | Meta::NameValue(_) => false,
    };
    is_derived(attrs) && !attrs.iter().any(says)
}
