//! Nodes of a YAML document, each with its exact place.

use std::borrow::Cow;

use crate::model::Span;

/// A value of a YAML file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node<'a> {
    /// What it is.
    pub value: Value<'a>,
    /// Where it stands, with its quotes.
    pub span: Span,
}

/// The three forms of a YAML value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// A text, unquoted or not.
    Scalar {
        /// What it says.
        text: Cow<'a, str>,
        /// It stands there without quotes and is not a block: it may be a
        /// number, a boolean or nothing.
        plain: bool,
        /// As it is written, if that is several lines which YAML joins with
        /// blanks.
        folded: Option<&'a str>,
    },
    /// A list.
    Sequence(Vec<Node<'a>>),
    /// Keys and values in file order; a key may occur twice.
    Mapping(Vec<(Node<'a>, Node<'a>)>),
}

impl<'a> Node<'a> {
    /// A plain scalar.
    pub fn scalar(text: impl Into<Cow<'a, str>>, span: Span) -> Self {
        Node { value: Value::Scalar { text: text.into(), plain: true, folded: None }, span }
    }

    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar { text, .. } => Some(text),
            Value::Sequence(_) | Value::Mapping(_) => None,
        }
    }

    /// The text of a scalar that YAML does not read as something else.
    pub fn string(&self) -> Option<&str> {
        match &self.value {
            Value::Scalar { text, plain, .. } if !(*plain && is_typed(text)) => Some(text),
            Value::Scalar { .. } | Value::Sequence(_) | Value::Mapping(_) => None,
        }
    }

    /// The truth value of an unquoted scalar.
    pub fn bool(&self) -> Option<bool> {
        match &self.value {
            Value::Scalar { text, plain: true, .. } => match text.as_ref() {
                "True" | "true" | "TRUE" => Some(true),
                "False" | "false" | "FALSE" => Some(false),
                _ => None,
            },
            Value::Scalar { plain: false, .. } | Value::Sequence(_) | Value::Mapping(_) => None,
        }
    }

    /// The text of a scalar as it is written, if that is several lines which
    /// YAML joins with blanks.
    pub(crate) fn folded(&self) -> Option<&'a str> {
        match &self.value {
            Value::Scalar { folded, .. } => *folded,
            Value::Sequence(_) | Value::Mapping(_) => None,
        }
    }

    /// Whether nothing was written.
    pub fn is_null(&self) -> bool {
        matches!(&self.value, Value::Scalar { text, plain: true, .. } if is_null(text))
    }

    /// Where the text of a scalar stands, without quotes.
    pub fn text_span(&self) -> Span {
        let Value::Scalar { text, plain, .. } = &self.value else { return self.span.clone() };
        let range = &self.span.range;
        if !plain && range.len() == text.len() + 2 {
            return Span::new(self.span.source, range.start + 1..range.end - 1);
        }
        self.span.clone()
    }

    /// What it is, for messages.
    pub fn describe(&self) -> &'static str {
        match &self.value {
            Value::Scalar { .. } if self.is_null() => "nothing",
            Value::Scalar { .. } if self.bool().is_some() => "a truth value",
            Value::Scalar { text, plain: true, .. } if is_number(text) => "a number",
            Value::Scalar { .. } => "a text",
            Value::Sequence(_) => "a list",
            Value::Mapping(_) => "a mapping",
        }
    }
}

/// Whether YAML reads an unquoted text as something else than a text.
fn is_typed(text: &str) -> bool {
    const BOOLS: [&str; 6] = ["true", "false", "yes", "no", "on", "off"];
    is_null(text) || is_number(text) || BOOLS.iter().any(|it| text.eq_ignore_ascii_case(it))
}

fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']);
    digits.starts_with(|ch: char| ch.is_ascii_digit()) && text.parse::<f64>().is_ok()
}
