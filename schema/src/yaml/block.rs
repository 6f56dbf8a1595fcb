//! The form that nearly all entries have, read without the YAML parser:
//!
//! ```yaml
//! - key: plain value  # comment
//!   key:
//!     key, key: plain value
//! ```
//!
//! Anything else is left to the parser. What is read here is exactly what the
//! parser would have read; tests compare the two.

use std::borrow::Cow;

use super::{Node, Value};
use crate::model::{SourceId, Span};

/// The column of an entry's keys.
const INDENT: usize = 2;

/// Longer keys are not simple keys of YAML.
const MAX_KEY: usize = 1024;

type Pair<'a> = (Node<'a>, Node<'a>);

/// Reads an entry that starts at `offset` of its source. Nothing if it has
/// another form, or is wrong.
pub(super) fn entry(text: &str, source: SourceId, offset: usize) -> Option<Node<'_>> {
    if !text.starts_with("- ") || !is_printable(text) {
        return None;
    }
    let mut reader = Reader { text, source, offset, pairs: Vec::new(), inner: None };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        reader.line(start, line.trim_end_matches('\n'))?;
        start += line.len();
    }
    reader.close();
    Some(mapping(reader.pairs))
}

/// Whether a text is printable ASCII. Looks at many bytes at a time.
fn is_printable(text: &str) -> bool {
    let printable = |byte: &u8| *byte == b'\n' || matches!(*byte, b' '..=b'~');
    text.as_bytes().chunks(64).all(|it| it.iter().fold(true, |all, byte| all & printable(byte)))
}

struct Reader<'a> {
    text: &'a str,
    source: SourceId,
    offset: usize,
    /// Keys and values that are complete.
    pairs: Vec<Pair<'a>>,
    /// A key without a value on its line, and the mapping below it.
    inner: Option<Inner<'a>>,
}

struct Inner<'a> {
    key: Node<'a>,
    indent: usize,
    pairs: Vec<Pair<'a>>,
}

impl<'a> Reader<'a> {
    /// Reads a line that starts at this byte of the text.
    fn line(&mut self, start: usize, line: &str) -> Option<()> {
        let (indent, body) = match start {
            0 => (INDENT, &line[INDENT..]),
            _ => {
                let body = line.trim_start_matches(' ');
                (line.len() - body.len(), body)
            }
        };
        if start > 0 && (body.is_empty() || body.starts_with('#')) {
            return Some(());
        }
        let (key, value) = self.pair(start + indent, body)?;
        if indent == INDENT {
            self.close();
            match value {
                Some(value) => self.pairs.push((key, value)),
                None => self.inner = Some(Inner { key, indent: 0, pairs: Vec::new() }),
            }
            return Some(());
        }
        let inner = self.inner.as_mut()?;
        if inner.pairs.is_empty() {
            inner.indent = indent;
        }
        if indent != inner.indent || indent < INDENT {
            return None;
        }
        inner.pairs.push((key, value?));
        Some(())
    }

    /// Ends the mapping below a key, if there is one.
    fn close(&mut self) {
        let Some(Inner { key, pairs, .. }) = self.inner.take() else { return };
        let value = match pairs.is_empty() {
            true => Node::scalar("", key.span.end()),
            false => mapping(pairs),
        };
        self.pairs.push((key, value));
    }

    /// `key: value  # comment`; the value may be missing.
    fn pair(&self, start: usize, body: &str) -> Option<(Node<'a>, Option<Node<'a>>)> {
        let in_key = |byte: u8| matches!(byte, b'_' | b',' | b' ') || byte.is_ascii_alphanumeric();
        let len = body.bytes().position(|it| !in_key(it)).filter(|it| (1..MAX_KEY).contains(it))?;
        let (key, rest) = body.split_at(len);
        let sound = !key.starts_with([' ', ',']) && !key.ends_with([' ', ',']);
        let rest = rest.strip_prefix(':').filter(|_| sound)?;
        let key = self.scalar(start, start + len);
        if !rest.is_empty() && !rest.starts_with(' ') {
            return None;
        }
        let value = rest.trim_start_matches(' ');
        if value.is_empty() || value.starts_with('#') {
            return Some((key, None));
        }
        let value_start = start + body.len() - value.len();
        let value_len = plain_len(value)?;
        Some((key, Some(self.scalar(value_start, value_start + value_len))))
    }

    fn scalar(&self, start: usize, end: usize) -> Node<'a> {
        let span = Span::new(self.source, self.offset + start..self.offset + end);
        let text = Cow::Borrowed(&self.text[start..end]);
        Node { value: Value::Scalar { text, plain: true }, span }
    }
}

/// Length of the plain scalar that fills the rest of a line, without the
/// comment behind it.
fn plain_len(value: &str) -> Option<usize> {
    let bytes = value.as_bytes();
    let first = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'(');
    if !first(*bytes.first()?) {
        return None;
    }
    let mut end = value.len();
    for (at, pair) in bytes.windows(2).enumerate() {
        match pair {
            b": " => return None,
            b" #" => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    let len = value[..end].trim_end_matches(' ').len();
    (bytes[len - 1] != b':').then_some(len)
}

fn mapping(pairs: Vec<Pair<'_>>) -> Node<'_> {
    let first = &pairs[0].0.span;
    let last = pairs.last().map_or(first, |(_, value)| &value.span);
    let span = first.to(last);
    Node { value: Value::Mapping(pairs), span }
}
