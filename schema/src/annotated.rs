//! Annotated Rust functions that carry their schema: the same as an entry of
//! a file, with the keys in the annotation.

use crate::codes;
use crate::derive::{self, Derives};
use crate::diag::Diagnostics;
use crate::entry::{Draft, Entries};
use crate::keys::{Keys, split};
use crate::model::{Dispatch, Origin, Span, Spanned};
use crate::parse::parse_schema;
use crate::yaml::{Node, Value};

/// An annotated function, as the scanner of sources found it.
#[derive(Clone, Debug)]
pub struct Annotated {
    /// The schema: the value of the string literal. Its place is the text
    /// inside of the quotes.
    pub schema: Spanned<String>,
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

/// Options of an annotation, which are keys of an entry under the same name.
const KEYS: [&str; 9] = [
    "variants",
    "python_module",
    "category_override",
    "tags",
    "device_check",
    "python",
    "gil",
    "since",
    "deprecated",
];

/// Reads an annotation.
pub(crate) fn read(
    cx: &mut Diagnostics,
    item: &Annotated,
    tags: &[&str],
    entries: &mut Entries<'_>,
) {
    let before = cx.error_count();
    let schema = parse_schema(cx, &item.schema.value, &item.schema.span);
    let origin = Origin::Annotation { file: item.file.clone() };
    let mut draft = Draft::new(schema, origin, item.line);
    draft.set_dispatch(item.dispatch.clone());
    draft.set_doc(&item.doc);
    let node = options(cx, item);
    if let Some(keys) = Keys::open(cx, &node, "options") {
        draft.read_keys(cx, keys);
    }
    let count = entries.overloads.len();
    draft.finish(cx, before, false, tags, entries);
    if let Some(overload) = entries.overloads.get_mut(count) {
        let variants = derive::variants(overload, item.derives);
        entries.overloads.extend(variants);
    }
}

/// The options as a mapping of a file.
fn options(cx: &mut Diagnostics, item: &Annotated) -> Node<'static> {
    let mut pairs: Vec<(Node<'static>, Node<'static>)> = Vec::new();
    for (key, value) in &item.options {
        let (word, value) = match (key.value.as_str(), value.value.as_str()) {
            ("method", "") => {
                let both = Spanned::new("function, method".to_owned(), value.span.clone());
                ("variants", text(&both))
            }
            (word @ "tags", _) => (word, texts(value, ",")),
            (word @ "deprecated", _) => (word, texts(value, ";")),
            (word, _) if KEYS.contains(&word) => (word, text(value)),
            (word, _) => {
                unknown(cx, word, &key.span);
                continue;
            }
        };
        pairs.push((Node::scalar(word.to_owned(), key.span.clone()), value));
    }
    Node { value: Value::Mapping(pairs), span: item.schema.span.clone() }
}

fn unknown(cx: &mut Diagnostics, word: &str, span: &Span) {
    let known: Vec<&str> = KEYS.into_iter().chain(["method"]).collect();
    let message = format!("unknown option `{word}`");
    cx.error(codes::UNKNOWN_KEY, span, message).choose(word, &known);
}

/// A quoted text: YAML would read some words as something else.
fn text(value: &Spanned<String>) -> Node<'static> {
    let text = value.value.clone().into();
    Node { value: Value::Scalar { text, plain: false, folded: None }, span: value.span.clone() }
}

fn texts(value: &Spanned<String>, separator: &'static str) -> Node<'static> {
    let items = split(&value.value, &value.span, separator);
    let items = items.map(|it| text(&it.trimmed().owned())).collect();
    Node { value: Value::Sequence(items), span: value.span.clone() }
}
