//! A mapping of a YAML file, taken apart key by key: what is left is unknown.

use std::fmt;

use opwright_diagnostics::diag::{Diagnostic, Diagnostics, listed, nearest};

use crate::codes;
use crate::model::{Span, Spanned};
use crate::yaml::{YamlNode, YamlValue};

/// The keys of a mapping that nobody has taken yet.
pub(crate) struct Keys<'n, 'a> {
    fields: Vec<Field<'n, 'a>>,
    /// The mapping.
    pub(crate) span: Span,
}

/// One key and its value.
#[derive(Clone)]
pub(crate) struct Field<'n, 'a> {
    pub(crate) key: &'n str,
    pub(crate) key_span: Span,
    pub(crate) node: &'n YamlNode<'a>,
}

impl<'n, 'a> Keys<'n, 'a> {
    /// Opens a mapping; reports anything else, and keys that occur twice.
    pub(crate) fn open(cx: &mut Diagnostics, node: &'n YamlNode<'a>, what: &str) -> Option<Self> {
        let YamlValue::Mapping(pairs) = &node.value else {
            let message = format!("expected {what}, a mapping, found {}", node.describe());
            cx.error(codes::NOT_A_MAPPING, &node.span, message)
                .help("a mapping consists of lines `key: value`");
            return None;
        };
        let mut fields: Vec<Field<'n, 'a>> = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            let Some(text) = key.text() else {
                let message = format!("expected a key, found {}", key.describe());
                cx.error(codes::UNKNOWN_KEY, &key.span, message);
                continue;
            };
            if let Some(first) = fields.iter().find(|it| it.key == text) {
                cx.error(codes::DUPLICATE_KEY, &key.span, format_args!("`{text}` occurs twice"))
                    .also(&first.key_span, "first here")
                    .help("remove one of them");
                continue;
            }
            fields.push(Field { key: text, key_span: key.span.clone(), node: value });
        }
        Some(Keys { fields, span: node.span.clone() })
    }

    /// Where the mapping begins: its first key.
    pub(crate) fn start(&self) -> Span {
        self.fields.first().map_or(&self.span, |it| &it.key_span).clone()
    }

    /// Takes a key out.
    pub(crate) fn take(&mut self, key: &str) -> Option<Field<'n, 'a>> {
        let at = self.fields.iter().position(|it| it.key == key)?;
        Some(self.fields.remove(at))
    }

    /// Whether an unknown key is probably this one.
    pub(crate) fn misspells(&self, key: &str, known: &[&str]) -> bool {
        let unknown = self.fields.iter().filter(|it| !known.contains(&it.key));
        unknown.map(|it| nearest(it.key, known.iter().copied())).any(|it| it == Some(key))
    }

    /// All keys that are left, in file order.
    pub(crate) fn rest(self) -> Vec<Field<'n, 'a>> {
        self.fields
    }

    /// Reports the keys that are left.
    pub(crate) fn finish(self, cx: &mut Diagnostics, known: &[&str]) {
        for field in self.fields {
            field.unknown(cx, known);
        }
    }
}

impl<'n, 'a> Field<'n, 'a> {
    /// Reports an unknown key.
    pub(crate) fn unknown(&self, cx: &mut Diagnostics, known: &[&str]) {
        let message = format!("unknown key `{}`", self.key);
        cx.error(codes::UNKNOWN_KEY, &self.key_span, message).choose(self.key, known);
    }

    /// Reports a value that is not what the key takes.
    pub(crate) fn wrong<'cx>(
        &self,
        cx: &'cx mut Diagnostics,
        expected: impl fmt::Display,
    ) -> &'cx mut Diagnostic {
        let span = if self.node.is_null() { &self.key_span } else { &self.node.span };
        let found = self.node.describe();
        let message = format!("`{}` takes {expected}, not {found}", self.key);
        cx.error(codes::WRONG_VALUE, span, message)
    }

    /// `True` or `False`.
    pub(crate) fn bool(&self, cx: &mut Diagnostics) -> Option<bool> {
        let value = self.node.bool();
        if value.is_none() {
            self.wrong(cx, "`True` or `False`");
        }
        value
    }

    /// A text.
    pub(crate) fn str(&self, cx: &mut Diagnostics) -> Option<Spanned<&'n str>> {
        let text = self.node.string().map(|it| Spanned::new(it, self.node.text_span()));
        if text.is_none() {
            self.wrong(cx, "a text");
        }
        text
    }

    /// A text that places are shown in: as it is written, if it can be read so.
    pub(crate) fn code(&self, cx: &mut Diagnostics) -> Option<Spanned<&'n str>> {
        let text = self.str(cx)?;
        match self.node.folded() {
            Some(written) => Some(Spanned::new(written, self.node.span.clone())),
            // A block ends in a line break.
            None => Some(Spanned::new(text.value.trim_end_matches('\n'), text.span)),
        }
    }

    /// A text, to keep.
    pub(crate) fn string(&self, cx: &mut Diagnostics) -> Option<Spanned<String>> {
        self.str(cx).map(|it| it.owned())
    }

    /// One of some words.
    pub(crate) fn choice<T: Clone>(
        &self,
        cx: &mut Diagnostics,
        choices: &[(&str, T)],
    ) -> Option<T> {
        let text = self.node.string();
        let known = choices.iter().find(|(word, _)| Some(*word) == text);
        if let Some((_, value)) = known {
            return Some(value.clone());
        }
        let words: Vec<_> = choices.iter().map(|(word, _)| *word).collect();
        match text {
            None => self.wrong(cx, listed(&words)),
            Some(text) => {
                let message = format!("unknown value `{text}` of `{}`", self.key);
                cx.error(codes::UNKNOWN_VALUE, &self.node.text_span(), message).choose(text, &words)
            }
        };
        None
    }

    /// A list of texts.
    pub(crate) fn list(&self, cx: &mut Diagnostics) -> Vec<Spanned<String>> {
        let YamlValue::Sequence(items) = &self.node.value else {
            self.wrong(cx, "a list of texts");
            return Vec::new();
        };
        let mut texts = Vec::new();
        for item in items {
            match item.string() {
                Some(text) => texts.push(Spanned::new(text.to_owned(), item.text_span())),
                None => {
                    let message = format!("`{}` takes texts, not {}", self.key, item.describe());
                    cx.error(codes::WRONG_VALUE, &item.span, message);
                }
            }
        }
        texts
    }

    /// One text or a list of them.
    pub(crate) fn texts(&self, cx: &mut Diagnostics) -> Vec<Spanned<String>> {
        match &self.node.value {
            YamlValue::Scalar { .. } => self.string(cx).into_iter().collect(),
            YamlValue::Sequence(_) => self.list(cx),
            YamlValue::Mapping(_) => {
                self.wrong(cx, "a text or a list of texts");
                Vec::new()
            }
        }
    }
}

/// The parts of a text between separators, each with its place.
pub(crate) fn split<'t>(
    text: &'t str,
    span: &Span,
    separator: &'static str,
) -> impl Iterator<Item = Spanned<&'t str>> {
    place(text.split(separator), text.len(), span, separator.len())
}

/// The parts of a text between commas, each with its place.
pub(crate) fn split_commas<'t>(
    text: &'t str,
    span: &Span,
) -> impl Iterator<Item = Spanned<&'t str>> {
    place(text.split(','), text.len(), span, 1)
}

fn place<'t>(
    parts: impl Iterator<Item = &'t str>,
    len: usize,
    span: &Span,
    separator: usize,
) -> impl Iterator<Item = Spanned<&'t str>> {
    let (exact, span) = (span.range.len() == len, span.clone());
    let mut at = span.range.start;
    parts.map(move |part| {
        let start = at;
        at += part.len() + separator;
        match exact {
            true => Spanned::new(part, Span::new(span.source, start..start + part.len())),
            false => Spanned::new(part, span.clone()),
        }
    })
}
