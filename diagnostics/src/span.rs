//! Places in files.

use std::cmp::Ordering;
use std::ops::Range;

/// A file among [`Sources`](crate::source::Sources).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u32);

/// A place: a range of bytes in a source file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The file.
    pub source: SourceId,
    /// Byte offsets into its text.
    pub range: Range<usize>,
}

impl Span {
    /// These bytes of this file.
    pub fn new(source: SourceId, range: Range<usize>) -> Self {
        Span { source, range }
    }

    /// From the start of this place to the end of the other, in the same file.
    pub fn to(&self, end: &Span) -> Self {
        Span { source: self.source, range: self.range.start..end.range.end.max(self.range.start) }
    }

    /// The empty place where this one ends.
    pub fn end(&self) -> Self {
        Span { source: self.source, range: self.range.end..self.range.end }
    }

    fn sort_key(&self) -> (SourceId, usize, usize) {
        (self.source, self.range.start, self.range.end)
    }
}

impl Ord for Span {
    fn cmp(&self, other: &Self) -> Ordering {
        self.sort_key().cmp(&other.sort_key())
    }
}

impl PartialOrd for Span {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// This value, written there.
    pub fn new(value: T, span: Span) -> Self {
        Spanned { value, span }
    }
}

impl Spanned<String> {
    /// Where a part of the text stands; all of it if it is not written as it is read.
    pub fn place(&self, range: Range<usize>) -> Span {
        let mut span = self.span.clone();
        if span.range.len() == self.value.len() {
            span.range = span.range.start + range.start..span.range.start + range.end;
        }
        span
    }
}

impl Spanned<&str> {
    /// The same text without blanks around it.
    pub fn trimmed(self) -> Self {
        let Spanned { value: text, mut span } = self;
        let trimmed = text.trim();
        if span.range.len() == text.len() {
            span.range.start += text.len() - text.trim_start().len();
            span.range.end = span.range.start + trimmed.len();
        }
        Spanned::new(trimmed, span)
    }

    /// The same text, kept.
    pub fn owned(&self) -> Spanned<String> {
        Spanned::new(self.value.to_owned(), self.span.clone())
    }
}
