//! The words of `#[native(...)]` and `#[field(...)]`.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, Lit, LitStr, Result};

/// A word that says something by being there.
pub(super) type Flag = Option<Span>;

/// What stands above the struct.
#[derive(Default)]
pub(super) struct OfStruct {
    pub(super) frozen: Flag,
    pub(super) c: Option<LitStr>,
    pub(super) close: Option<(f64, Span)>,
    pub(super) doc: Option<LitStr>,
}

/// What stands above a field.
#[derive(Default)]
pub(super) struct OfField {
    pub(super) set: Flag,
    pub(super) skip: Flag,
    pub(super) hide_c: Flag,
    pub(super) name: Option<LitStr>,
    pub(super) default: Option<Expr>,
    pub(super) doc: Option<LitStr>,
}

impl OfStruct {
    pub(super) fn read(attrs: &[Attribute]) -> Result<OfStruct> {
        let mut said = OfStruct::default();
        each(attrs, "native", |word, meta| match word.to_string().as_str() {
            "frozen" => flag(&mut said.frozen, word),
            "c" => value(&mut said.c, word, meta.value()?.parse()?),
            "close" => {
                let close = close(&meta.value()?.parse()?)?;
                value(&mut said.close, word, (close, word.span()))
            }
            "doc" => value(&mut said.doc, word, meta.value()?.parse()?),
            _ => Err(unknown(word, "`frozen`, `c`, `close` and `doc`")),
        })?;
        Ok(said)
    }
}

impl OfField {
    pub(super) fn read(attrs: &[Attribute]) -> Result<OfField> {
        let mut said = OfField::default();
        each(attrs, "field", |word, meta| match word.to_string().as_str() {
            "set" => flag(&mut said.set, word),
            "skip" => flag(&mut said.skip, word),
            "hide_c" => flag(&mut said.hide_c, word),
            "name" => value(&mut said.name, word, meta.value()?.parse()?),
            "default" => value(&mut said.default, word, meta.value()?.parse()?),
            "doc" => value(&mut said.doc, word, meta.value()?.parse()?),
            _ => Err(unknown(word, "`set`, `skip`, `hide_c`, `name`, `default` and `doc`")),
        })?;
        Ok(said)
    }

    /// What Python calls the field.
    pub(super) fn name_of(&self, ident: &Ident) -> String {
        self.name.as_ref().map_or_else(|| ident.unraw().to_string(), LitStr::value)
    }
}

fn each(
    attrs: &[Attribute],
    name: &str,
    mut read: impl FnMut(&Ident, &ParseNestedMeta<'_>) -> Result<()>,
) -> Result<()> {
    for attr in attrs.iter().filter(|it| it.path().is_ident(name)) {
        attr.parse_nested_meta(|meta| match meta.path.get_ident() {
            Some(word) => read(word, &meta),
            None => Err(Error::new(meta.path.span(), "expected a word")),
        })?;
    }
    Ok(())
}

fn flag(flag: &mut Flag, word: &Ident) -> Result<()> {
    value(flag, word, word.span())
}

fn value<T>(place: &mut Option<T>, word: &Ident, value: T) -> Result<()> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(Error::new(word.span(), format_args!("`{word}` is said twice"))),
    }
}

fn unknown(word: &Ident, known: &str) -> Error {
    Error::new(word.span(), format_args!("unknown option `{word}`: there are {known}"))
}

/// A number, which may stand in a string.
fn close(said: &Lit) -> Result<f64> {
    let number = match said {
        Lit::Str(it) => it.value().parse().ok(),
        Lit::Float(it) => it.base10_parse().ok(),
        _ => None,
    };
    number.filter(|it: &f64| *it >= 0.0 && it.is_finite()).ok_or_else(|| {
        Error::new(said.span(), "`close` is a real number, not less than zero: `close = \"1e-9\"`")
    })
}
