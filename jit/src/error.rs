//! Errors of compilation: each has a place in the source, and shows it.

use std::fmt::{self, Write as _};
use std::sync::Arc;

use crate::ast::Span;

/// What kind of error it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Types do not go together, or nothing fits.
    Typing,
    /// What is met is outside of the language.
    Unsupported,
    /// Several overloads fit.
    Ambiguous,
    /// The host raised something, which it keeps.
    Host,
    /// No error: what follows is never reached, as far as is known yet.
    Unreached,
}

/// Why a function was not compiled.
#[derive(Clone, Debug)]
pub struct Error(Box<Report>);

/// What an [`Error`] reports.
#[derive(Clone, Debug)]
pub struct Report {
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// What is wrong.
    pub message: String,
    /// Where.
    pub place: Option<SourcePlace>,
    /// What else is known of it: the calls that led there, candidates that declined.
    pub notes: Vec<String>,
}

/// A place in a file, with its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePlace {
    /// The file.
    pub file: Arc<str>,
    /// Where in it.
    pub span: Span,
    /// The text of the line.
    pub text: String,
}

/// Results of compilation.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error that has no place yet.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error(Box::new(Report { kind, message: message.into(), place: None, notes: Vec::new() }))
    }

    /// Types that do not go together.
    pub fn typing(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Typing, message)
    }

    /// What the language does not have.
    pub fn unsupported(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Unsupported, message)
    }

    /// What stands for a value that is never there.
    pub(crate) fn unreached() -> Error {
        Error::new(ErrorKind::Unreached, "a function has no return that needs no call of itself")
    }

    /// Whatever the host raised.
    pub fn host() -> Error {
        Error::new(ErrorKind::Host, String::new())
    }

    /// The same, with a further note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Error {
        self.0.notes.push(note.into());
        self
    }

    /// The same, at a place if it has none yet.
    #[must_use]
    pub fn at(mut self, place: impl FnOnce() -> SourcePlace) -> Error {
        if self.0.place.is_none() {
            self.0.place = Some(place());
        }
        self
    }

    /// What it reports.
    pub fn report(&self) -> &Report {
        &self.0
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = &*self.0;
        let Some(place) = &report.place else { return write_notes(f, report) };
        let span = place.span;
        write!(f, "{}:{}:{}: ", place.file, span.line, span.column)?;
        write_notes(f, report)?;
        let end = if span.end_line == span.line { span.end_column } else { span.column + 1 };
        let mut marker = String::new();
        for letter in place.text.chars().take(span.column as usize) {
            marker.push(if letter == '\t' { '\t' } else { ' ' });
        }
        for _ in span.column..end.max(span.column + 1) {
            marker.write_char('^')?;
        }
        write!(f, "\n  {}\n  {marker}", place.text)
    }
}

fn write_notes(f: &mut fmt::Formatter<'_>, report: &Report) -> fmt::Result {
    f.write_str(&report.message)?;
    report.notes.iter().try_for_each(|note| write!(f, "\n  {note}"))
}
