//! The texts that operators are read from, and how places in them are shown.
//!
//! Knows nothing of files on a disk: whoever reads a file adds its text.

use std::path::Path;

use crate::span::{SourceId, Span};

/// All texts of a run. A [`Span`] points into one of them.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

/// One text and the name that it is shown under.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: String,
    /// Offsets of the first byte of each line, and the end of the text.
    lines: Vec<usize>,
}

/// A place as people count: both from one, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// A path as diagnostics show it, and as what is generated names it: with `/` between folders on every
/// system.
pub fn shown_path(path: &Path) -> String {
    with_slashes(path.display().to_string())
}

fn with_slashes(path: String) -> String {
    if cfg!(windows) { path.replace('\\', "/") } else { path }
}

impl Sources {
    /// No texts yet.
    pub fn new() -> Self {
        Sources::default()
    }

    /// Adds a text under the name that diagnostics show.
    ///
    /// # Panics
    ///
    /// If there are more than `u32::MAX` texts.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        let id = u32::try_from(self.files.len()).expect("fewer than 2^32 sources");
        self.files.push(SourceFile::new(name.into(), text.into()));
        SourceId(id)
    }

    /// The text with this id.
    ///
    /// # Panics
    ///
    /// If the id belongs to another `Sources`.
    pub fn file(&self, id: SourceId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// Everything that was added, in order.
    pub fn files(&self) -> impl Iterator<Item = (SourceId, &SourceFile)> {
        (0..).map(SourceId).zip(&self.files)
    }

    /// What is written at this place.
    pub fn text(&self, span: &Span) -> &str {
        self.file(span.source).slice(span.range.start, span.range.end)
    }

    /// Where this place begins.
    pub fn position(&self, span: &Span) -> Position {
        self.file(span.source).position(span.range.start)
    }
}

impl SourceFile {
    /// A mark of the byte order in front of a text is no part of it.
    fn new(name: String, mut text: String) -> Self {
        let name = with_slashes(name);
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        let mut lines = line_starts(text.as_bytes());
        if lines.last() != Some(&text.len()) {
            lines.push(text.len());
        }
        SourceFile { name, text, lines }
    }

    /// The name that it is shown under.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Offsets of the first byte of each line, and the end of the text.
    pub fn line_starts(&self) -> &[usize] {
        &self.lines
    }

    /// The line, counted from one, that holds this byte.
    pub fn line(&self, offset: usize) -> usize {
        // Behind a last line break there is one more line, an empty one.
        let starts = match self.text.is_empty() || self.text.ends_with('\n') {
            true => self.lines.as_slice(),
            false => &self.lines[..self.lines.len() - 1],
        };
        starts.partition_point(|start| *start <= offset)
    }

    /// Where this byte is; the end of the text if it lies behind it.
    pub fn position(&self, offset: usize) -> Position {
        let offset = floor(&self.text, offset);
        let line = self.line(offset);
        let start = self.lines[line - 1];
        Position { line, column: self.text[start..offset].chars().count() + 1 }
    }

    /// The text between two bytes, widened to whole characters.
    fn slice(&self, start: usize, end: usize) -> &str {
        let start = floor(&self.text, start);
        &self.text[start..floor(&self.text, end).max(start)]
    }
}

/// Offsets of the first byte of each line. Looks at eight bytes at a time,
/// since every byte of a large file passes here.
fn line_starts(text: &[u8]) -> Vec<usize> {
    const BREAKS: u64 = u64::from_ne_bytes([b'\n'; 8]);
    const LOW_BITS: u64 = u64::from_ne_bytes([0x7f; 8]);
    let mut starts = Vec::with_capacity(text.len() / 32 + 2);
    starts.push(0);
    let (words, rest) = text.as_chunks::<8>();
    for (idx, word) in words.iter().enumerate() {
        // A byte of `other` is 0 where there is a line break. Adding 0x7f to its
        // low bits sets its highest bit unless they are 0, and never carries.
        let other = u64::from_le_bytes(*word) ^ BREAKS;
        let mut breaks = !(((other & LOW_BITS) + LOW_BITS) | other | LOW_BITS);
        while breaks != 0 {
            starts.push(8 * idx + breaks.trailing_zeros() as usize / 8 + 1);
            breaks &= breaks - 1;
        }
    }
    let behind = 8 * words.len();
    let breaks = rest.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    starts.extend(breaks.map(|(idx, _)| behind + idx + 1));
    starts
}

/// The nearest character border at or before `offset`.
pub(crate) fn floor(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_and_columns_from_one() {
        let mut sources = Sources::new();
        let id = sources.add("a.yaml", "ab\n\u{e9}cd\n");
        let at = |start, end| sources.position(&Span::new(id, start..end));
        assert_eq!(at(0, 1), Position { line: 1, column: 1 });
        assert_eq!(at(3, 5), Position { line: 2, column: 1 });
        assert_eq!(at(5, 6), Position { line: 2, column: 2 });
        assert_eq!(at(99, 99), Position { line: 3, column: 1 });
        assert_eq!(sources.text(&Span::new(id, 3..6)), "\u{e9}c");
    }

    #[test]
    fn a_mark_of_the_byte_order_is_no_column() {
        let mut sources = Sources::new();
        let id = sources.add("a.yaml", "\u{feff}ab");
        assert_eq!(sources.position(&Span::new(id, 1..2)), Position { line: 1, column: 2 });
        assert_eq!(sources.file(id).text(), "ab");
    }

    proptest::proptest! {
        #[test]
        fn finds_every_line(text in "[ab\n\u{8a}\u{10a}]{0,40}") {
            let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
            let expected: Vec<_> = std::iter::once(0).chain(breaks.map(|(idx, _)| idx + 1)).collect();
            proptest::prop_assert_eq!(line_starts(text.as_bytes()), expected);
        }
    }
}
