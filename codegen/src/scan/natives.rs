//! Types of the crate that its schemas name: structs and enums with `#[native_type]`.

use opwright_schema::diag::Diagnostics;
use opwright_schema::model::{BaseType, Span};
use opwright_schema::types::Native;
use syn::{Attribute, Ident, Item};

use crate::attribute::ends_in;
use crate::codes;

/// The types that were found so far, and where.
#[derive(Debug, Default)]
pub(super) struct Found(Vec<(Native, Span)>);

impl Found {
    /// Takes in a type of this module, or says why a schema could not name it.
    pub(super) fn add(
        &mut self,
        cx: &mut Diagnostics,
        ident: &Ident,
        module: &[String],
        span: Span,
    ) {
        let name = ident.to_string();
        if let Some((_, first)) = self.0.iter().find(|(it, _)| it.name() == name) {
            cx.error(codes::NATIVE_TYPE, &span, format_args!("there are two types `{name}`"))
                .also(first, "the first")
                .help("schemas know types by their names alone: rename one");
        } else if BaseType::from_name(&name).is_some() {
            let message = format_args!("`{name}` is a type of the schema language already");
            cx.error(codes::NATIVE_TYPE, &span, message).help("give it another name");
        } else if self.0.len() == Native::MOST {
            let message = format_args!("a crate has at most {} types of its own", Native::MOST);
            cx.error(codes::NATIVE_TYPE, &span, message)
                .help("let a call take one type that holds several things");
        } else {
            let path = ["crate"].into_iter().chain(module.iter().map(String::as_str));
            let path: Vec<&str> = path.chain([name.as_str()]).collect();
            let native = Native::new(&name, &path.join("::"), self.0.len() as u8);
            self.0.push((native, span));
        }
    }

    pub(super) fn types(self) -> Vec<Native> {
        self.0.into_iter().map(|(native, _)| native).collect()
    }
}

/// The name of a type that schemas may name.
pub(super) fn declared(item: &Item) -> Option<(&Ident, &[Attribute])> {
    let (ident, attrs) = match item {
        Item::Struct(it) => (&it.ident, &it.attrs),
        Item::Enum(it) => (&it.ident, &it.attrs),
        _ => return None,
    };
    attrs.iter().any(|it| ends_in(&it.meta, "native_type")).then_some((ident, attrs))
}
