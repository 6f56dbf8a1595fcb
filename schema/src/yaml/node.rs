//! Nodes of a YAML document, each with its exact place.

use std::borrow::Cow;

use crate::model::Span;

/// A value of a YAML file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YamlNode<'a> {
    /// What it is.
    pub value: YamlValue<'a>,
    /// Where it stands, with its quotes.
    pub span: Span,
}

/// The three forms of a YAML value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum YamlValue<'a> {
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
    Sequence(Vec<YamlNode<'a>>),
    /// Keys and values in file order; a key may occur twice.
    Mapping(Vec<(YamlNode<'a>, YamlNode<'a>)>),
}

impl<'a> YamlNode<'a> {
    /// A plain scalar.
    pub fn scalar(text: impl Into<Cow<'a, str>>, span: Span) -> Self {
        YamlNode { value: YamlValue::Scalar { text: text.into(), plain: true, folded: None }, span }
    }

    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            YamlValue::Scalar { text, .. } => Some(text),
            YamlValue::Sequence(_) | YamlValue::Mapping(_) => None,
        }
    }

    /// The text of a scalar that YAML does not read as something else.
    pub fn string(&self) -> Option<&str> {
        match &self.value {
            YamlValue::Scalar { text, plain, .. } if !(*plain && is_typed(text)) => Some(text),
            YamlValue::Scalar { .. } | YamlValue::Sequence(_) | YamlValue::Mapping(_) => None,
        }
    }

    /// The truth value of an unquoted scalar.
    pub fn bool(&self) -> Option<bool> {
        match &self.value {
            YamlValue::Scalar { text, plain: true, .. } => match text.as_ref() {
                "True" | "true" | "TRUE" => Some(true),
                "False" | "false" | "FALSE" => Some(false),
                _ => None,
            },
            YamlValue::Scalar { plain: false, .. }
            | YamlValue::Sequence(_)
            | YamlValue::Mapping(_) => None,
        }
    }

    /// The text of a scalar as it is written, if that is several lines which
    /// YAML joins with blanks.
    pub(crate) fn folded(&self) -> Option<&'a str> {
        match &self.value {
            YamlValue::Scalar { folded, .. } => *folded,
            YamlValue::Sequence(_) | YamlValue::Mapping(_) => None,
        }
    }

    /// Whether nothing was written.
    pub fn is_null(&self) -> bool {
        matches!(&self.value, YamlValue::Scalar { text, plain: true, .. } if is_null(text))
    }

    /// Where the text of a scalar stands, without quotes.
    pub fn text_span(&self) -> Span {
        let YamlValue::Scalar { text, plain, .. } = &self.value else { return self.span.clone() };
        let range = &self.span.range;
        if !plain && range.len() == text.len() + 2 {
            return Span::new(self.span.source, range.start + 1..range.end - 1);
        }
        self.span.clone()
    }

    /// What it is, for messages.
    pub fn describe(&self) -> &'static str {
        match &self.value {
            YamlValue::Scalar { .. } if self.is_null() => "nothing",
            YamlValue::Scalar { .. } if self.bool().is_some() => "a truth value",
            YamlValue::Scalar { text, plain: true, .. } if is_number(text) => "a number",
            YamlValue::Scalar { .. } => "a text",
            YamlValue::Sequence(_) => "a list",
            YamlValue::Mapping(_) => "a mapping",
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
