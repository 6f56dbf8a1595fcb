//! The form that nearly all entries have, read without the YAML parser:
//!
//! ```yaml
//! - key: plain value  # comment
//!   key:
//!     key, key: plain value
//!   key: [word, 'word']
//! ```
//!
//! Anything else is left to the parser. What is read here is exactly what the
//! parser would have read; tests compare the two.

use std::borrow::Cow;

use super::node::{YamlNode, YamlValue};
use crate::model::{SourceId, Span};

/// The column of an entry's keys.
const INDENT: usize = 2;

/// Longer keys are not simple keys of YAML.
const MAX_KEY: usize = 1024;

type Pair<'a> = (YamlNode<'a>, YamlNode<'a>);

/// Reads an entry whose lines start at these bytes of the source; the last of
/// them is the end of the entry. Nothing if it has another form, or is wrong.
pub(super) fn entry<'a>(text: &'a str, source: SourceId, lines: &[usize]) -> Option<YamlNode<'a>> {
    let (start, end) = (*lines.first()?, *lines.last()?);
    if !text[start..end].starts_with("- ") || !is_printable(&text[start..end]) {
        return None;
    }
    let mut reader = Reader { text, source, pairs: Vec::with_capacity(lines.len()), inner: None };
    for (idx, line) in lines.windows(2).enumerate() {
        let content = text[line[0]..line[1]].strip_suffix('\n').unwrap_or(&text[line[0]..line[1]]);
        reader.line(line[0], content, idx == 0)?;
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
    /// The whole source.
    text: &'a str,
    source: SourceId,
    /// Keys and values that are complete.
    pairs: Vec<Pair<'a>>,
    /// A key without a value on its line, and the mapping below it.
    inner: Option<Inner<'a>>,
}

struct Inner<'a> {
    key: YamlNode<'a>,
    indent: usize,
    pairs: Vec<Pair<'a>>,
}

impl<'a> Reader<'a> {
    /// Reads a line that starts at this byte of the source.
    fn line(&mut self, start: usize, line: &str, first: bool) -> Option<()> {
        let indent = match first {
            true => INDENT,
            false => line.bytes().take_while(|it| *it == b' ').count(),
        };
        let body = &line[indent..];
        if !first && (body.is_empty() || body.starts_with('#')) {
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
            true => YamlNode::scalar("", key.span.end()),
            false => mapping(pairs),
        };
        self.pairs.push((key, value));
    }

    /// `key: value  # comment`; the value may be missing.
    fn pair(&self, start: usize, body: &str) -> Option<(YamlNode<'a>, Option<YamlNode<'a>>)> {
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
        let value = match value.starts_with('[') {
            true => self.list(value_start, value)?,
            false => self.scalar(value_start, value_start + plain_len(value)?),
        };
        Some((key, Some(value)))
    }

    /// `[word, 'word']  # comment`.
    fn list(&self, start: usize, value: &str) -> Option<YamlNode<'a>> {
        let len = value.find(']')?;
        let rest = &value[len + 1..];
        let comment = rest.trim_start_matches(' ');
        let is_comment = comment.starts_with('#') && comment.len() < rest.len();
        if !comment.is_empty() && !is_comment {
            return None;
        }
        let mut items = Vec::new();
        let mut at = start + 1;
        let inner = &value[1..len];
        for item in inner.split(',').filter(|_| !inner.is_empty()) {
            let word = item.trim_matches(' ');
            let before = item.len() - item.trim_start_matches(' ').len();
            items.push(self.word(at + before, word)?);
            at += item.len() + 1;
        }
        let span = Span::new(self.source, start..start + len + 1);
        Some(YamlNode { value: YamlValue::Sequence(items), span })
    }

    /// `word`, `'word'`, `"word"`.
    fn word(&self, start: usize, word: &str) -> Option<YamlNode<'a>> {
        let quoted = ['\'', '"'].into_iter().find_map(|it| word.strip_prefix(it)?.strip_suffix(it));
        let inner = quoted.unwrap_or(word);
        let is_word = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
        if inner.is_empty() || !inner.bytes().all(is_word) {
            return None;
        }
        let mut node = self.scalar(start, start + word.len());
        if quoted.is_some() {
            let text = Cow::Borrowed(&self.text[start + 1..start + word.len() - 1]);
            node.value = YamlValue::Scalar { text, plain: false, folded: None };
        }
        Some(node)
    }

    fn scalar(&self, start: usize, end: usize) -> YamlNode<'a> {
        let text = Cow::Borrowed(&self.text[start..end]);
        let span = Span::new(self.source, start..end);
        YamlNode { value: YamlValue::Scalar { text, plain: true, folded: None }, span }
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
    let mut from = 0;
    while let Some(len) = bytes[from..].iter().position(|it| matches!(*it, b':' | b'#')) {
        let at = from + len;
        // It starts with neither, so there is a byte before.
        match (bytes[at], bytes[at - 1], bytes.get(at + 1)) {
            (b':', _, None | Some(b' ')) => return None,
            (b'#', b' ', _) => {
                end = at;
                break;
            }
            _ => from = at + 1,
        }
    }
    let len = value[..end].trim_end_matches(' ').len();
    (bytes[len - 1] != b':').then_some(len)
}

fn mapping(pairs: Vec<Pair<'_>>) -> YamlNode<'_> {
    let first = &pairs[0].0.span;
    let last = pairs.last().map_or(first, |(_, value)| &value.span);
    let span = first.to(last);
    YamlNode { value: YamlValue::Mapping(pairs), span }
}
