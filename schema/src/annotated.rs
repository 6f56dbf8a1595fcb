//! Annotated Rust functions that carry their schema: the same as an entry of
//! a file, with the keys in the annotation.

use opwright_diagnostics::diag::Diagnostics;

use crate::codes;
use crate::derive::{self, Derives};
use crate::entry::{Draft, Entries};
use crate::keys::{Keys, split};
use crate::model::{Dispatch, Origin, Spanned};
use crate::parse::Parsed;
use crate::yaml::{YamlNode, YamlValue};

/// An annotated function, as the scanner of sources found it.
#[derive(Clone, Debug)]
pub struct Annotated {
    /// The schema, as far as it could be read, and its place.
    pub schema: Spanned<Parsed>,
    /// The line of the annotation, counted from one.
    pub line: usize,
    /// The file's shown name.
    pub file: String,
    /// Options by name; a flag such as `method` has an empty value.
    pub options: Vec<(Spanned<String>, Spanned<String>)>,
    /// The function's documentation, as Markdown.
    pub doc: String,
    /// What the function is a kernel for.
    pub dispatch: Vec<Dispatch>,
    /// Which variants follow from it.
    pub derives: Derives,
}

/// An option of an annotation with the meaning of an entry's key.
#[derive(Clone, Copy, Debug)]
pub struct OptionOfEntry {
    /// Its name, which is that of the key unless it is a flag.
    pub name: &'static str,
    /// What it takes.
    pub takes: Takes,
}

/// What an [`OptionOfEntry`] takes.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// Nothing: it stands for a key with this value.
    Nothing {
        /// The key.
        key: &'static str,
        /// Its value.
        value: &'static str,
    },
    /// The key's value.
    Text,
    /// The values of a sequence, with this between them.
    Texts(&'static str),
}

/// All of them, in the order in which messages list them.
pub const OPTIONS: [OptionOfEntry; 14] = [
    option("method", Takes::Nothing { key: "variants", value: "function, method" }),
    option("variants", Takes::Text),
    option("python_module", Takes::Text),
    option("python", Takes::Text),
    option("c", Takes::Text),
    option("go", Takes::Text),
    option("tags", Takes::Texts(",")),
    option("gil", Takes::Text),
    option("since", Takes::Text),
    option("types", Takes::Text),
    option("ranges", Takes::Texts(",")),
    option("deprecated", Takes::Texts(";")),
    option("category_override", Takes::Text),
    option("device_check", Takes::Text),
];

const fn option(name: &'static str, takes: Takes) -> OptionOfEntry {
    OptionOfEntry { name, takes }
}

/// Reads an annotation.
pub(crate) fn read(
    cx: &mut Diagnostics,
    item: &Annotated,
    tags: &[&str],
    entries: &mut Entries<'_>,
) {
    let before = cx.error_count();
    let origin = Origin::Annotation { file: item.file.clone() };
    let mut draft = Draft::new(item.schema.value.clone(), origin, item.line);
    draft.set_dispatch(item.dispatch.clone());
    draft.set_doc(&item.doc);
    let node = options(cx, item);
    if let Some(keys) = Keys::open(cx, &node, "options") {
        draft.read_keys(cx, keys);
    }
    let count = entries.overloads.len();
    draft.finish(cx, before, false, tags, entries);
    if let Some(overload) = entries.overloads.get_mut(count) {
        let variants = derive::variants(cx, overload, &item.derives);
        entries.overloads.extend(variants);
    }
}

/// The options as a mapping of a file.
fn options(cx: &mut Diagnostics, item: &Annotated) -> YamlNode<'static> {
    let mut pairs: Vec<(YamlNode<'static>, YamlNode<'static>)> = Vec::new();
    for (key, value) in &item.options {
        let Some(option) = OPTIONS.iter().find(|it| it.name == key.value) else {
            unknown(cx, key);
            continue;
        };
        let (word, value) = match option.takes {
            Takes::Nothing { key, value: said } => {
                (key, text(&Spanned::new(said.to_owned(), value.span.clone())))
            }
            Takes::Text => (option.name, text(value)),
            Takes::Texts(separator) => (option.name, texts(value, separator)),
        };
        pairs.push((YamlNode::scalar(word.to_owned(), key.span.clone()), value));
    }
    YamlNode { value: YamlValue::Mapping(pairs), span: item.schema.span.clone() }
}

fn unknown(cx: &mut Diagnostics, option: &Spanned<String>) {
    let message = format!("unknown option `{}`", option.value);
    let error = cx.error(codes::UNKNOWN_KEY, &option.span, message);
    error.choose(&option.value, &OPTIONS.map(|it| it.name));
}

/// A quoted text: YAML would read some words as something else.
fn text(value: &Spanned<String>) -> YamlNode<'static> {
    let text = value.value.clone().into();
    YamlNode {
        value: YamlValue::Scalar { text, plain: false, folded: None },
        span: value.span.clone(),
    }
}

fn texts(value: &Spanned<String>, separator: &'static str) -> YamlNode<'static> {
    let items = split(&value.value, &value.span, separator);
    let items = items.map(|it| text(&it.trimmed().owned())).collect();
    YamlNode { value: YamlValue::Sequence(items), span: value.span.clone() }
}
