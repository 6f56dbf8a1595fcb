//! Mistakes of an author: what is wrong, where, and the way out.
//!
//! A phase takes `cx: &mut Diagnostics`, reports what it finds and goes on;
//! [`Diagnostics::finish`] is the only way to turn the findings into a result.
//! [`render`](crate::render::render) shows them as rustc shows its own.

use std::fmt;

use crate::span::Span;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is built.
    Error,
    /// Worth a look; the build goes on.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        })
    }
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// `E0101`; those of operator files are listed by `opwright_schema::codes`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The exact text that is wrong.
    pub span: Option<Span>,
    /// What is wrong: lower case, no full stop, names in backticks.
    pub message: String,
    /// A few words under the caret.
    pub label: Option<String>,
    /// Other places that take part, each with a few words.
    pub secondary: Vec<(Span, String)>,
    /// Why it is wrong, if that is not plain.
    pub notes: Vec<String>,
    /// The way out.
    pub helps: Vec<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(code: &'static str, span: Span, message: impl fmt::Display) -> Self {
        Diagnostic::new(code, Severity::Error, Some(span), message)
    }

    /// An error that has no place, such as a file that cannot be read.
    pub fn global(code: &'static str, message: impl fmt::Display) -> Self {
        Diagnostic::new(code, Severity::Error, None, message)
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, span: Span, message: impl fmt::Display) -> Self {
        Diagnostic::new(code, Severity::Warning, Some(span), message)
    }

    fn new(
        code: &'static str,
        severity: Severity,
        span: Option<Span>,
        message: impl fmt::Display,
    ) -> Self {
        Diagnostic {
            code,
            severity,
            span,
            message: message.to_string(),
            label: None,
            secondary: Vec::new(),
            notes: Vec::new(),
            helps: Vec::new(),
        }
    }

    /// Puts a few words under the caret.
    pub fn label(&mut self, text: impl fmt::Display) -> &mut Self {
        self.label = Some(text.to_string());
        self
    }

    /// Points at another place that takes part.
    pub fn also(&mut self, span: &Span, text: impl fmt::Display) -> &mut Self {
        self.secondary.push((span.clone(), text.to_string()));
        self
    }

    /// Adds a reason.
    pub fn note(&mut self, text: impl fmt::Display) -> &mut Self {
        self.notes.push(text.to_string());
        self
    }

    /// Adds a way out.
    pub fn help(&mut self, text: impl fmt::Display) -> &mut Self {
        self.helps.push(text.to_string());
        self
    }

    /// Adds `did you mean ...?` if one of the known names is near.
    pub fn suggest<'a>(
        &mut self,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> &mut Self {
        if let Some(near) = nearest(name, known) {
            self.help(format_args!("did you mean `{near}`?"));
        }
        self
    }

    /// Adds `did you mean ...?` if one of a few words is near, else all of them.
    pub fn choose(&mut self, name: &str, words: &[&str]) -> &mut Self {
        match nearest(name, words.iter().copied()) {
            Some(near) => self.help(format_args!("did you mean `{near}`?")),
            None if words.len() <= MAX_LISTED => {
                self.help(format_args!("expected {}", listed(words)))
            }
            None => self,
        }
    }
}

/// How many words a help lists at most.
const MAX_LISTED: usize = 8;

/// `` `a`, `b` or `c` ``.
pub fn listed(words: &[&str]) -> String {
    let quoted: Vec<_> = words.iter().map(|it| format!("`{it}`")).collect();
    match quoted.as_slice() {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
        words => words.concat(),
    }
}

/// The known name that was probably meant.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let budget = (name.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|it| (distance(name, it), it))
        .filter(|(distance, _)| *distance <= budget)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, it)| it)
}

/// Edits between two names; a different case alone is a near miss.
fn distance(name: &str, known: &str) -> usize {
    if name.eq_ignore_ascii_case(known) {
        return usize::from(name != known);
    }
    strsim::damerau_levenshtein(name, known)
}

/// The findings of a run so far.
///
/// Must be finished: findings that nobody reads are a generator that prints
/// nothing and succeeds.
#[must_use]
#[derive(Debug)]
pub struct Diagnostics {
    /// `None` once finished.
    items: Option<Vec<Diagnostic>>,
    /// How many of them are errors.
    errors: usize,
}

impl Default for Diagnostics {
    fn default() -> Self {
        Diagnostics { items: Some(Vec::new()), errors: 0 }
    }
}

impl Diagnostics {
    /// Nothing found yet.
    pub fn new() -> Self {
        Diagnostics::default()
    }

    /// Reports a finding.
    pub fn push(&mut self, diagnostic: Diagnostic) -> &mut Diagnostic {
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        let items = self.items.get_or_insert_default();
        items.push(diagnostic);
        items.last_mut().expect("one was pushed just now")
    }

    /// Reports an error at a place; the result takes labels, notes and helps.
    pub fn error(
        &mut self,
        code: &'static str,
        span: &Span,
        message: impl fmt::Display,
    ) -> &mut Diagnostic {
        self.push(Diagnostic::error(code, span.clone(), message))
    }

    /// Reports a warning at a place.
    pub fn warn(
        &mut self,
        code: &'static str,
        span: &Span,
        message: impl fmt::Display,
    ) -> &mut Diagnostic {
        self.push(Diagnostic::warning(code, span.clone(), message))
    }

    /// Takes over the findings of a part that was read apart from the rest.
    pub fn append(&mut self, mut part: Diagnostics) {
        let items = part.items.take().unwrap_or_default();
        self.errors += part.errors;
        self.items.get_or_insert_default().extend(items);
    }

    /// Forgets the findings of a part that is going to be read again.
    pub fn discard(mut self) {
        self.items = None;
    }

    /// Whether an error was reported at a place or inside of it: a later step
    /// that finds the same mistake there has nothing to add.
    pub fn is_wrong_within(&self, place: &Span) -> bool {
        self.items.iter().flatten().filter(|it| it.severity == Severity::Error).any(|it| {
            it.span.as_ref().is_some_and(|span| {
                span.source == place.source
                    && place.range.start <= span.range.start
                    && span.range.end <= place.range.end
            })
        })
    }

    /// How many errors there are so far; compare two of these to see whether a
    /// step went well.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Ends the run: the warnings if nothing is wrong, else everything.
    /// Both are sorted by place.
    ///
    /// # Errors
    ///
    /// All findings if at least one of them is an error.
    pub fn finish(mut self) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let mut items = self.items.take().unwrap_or_default();
        items.sort_by(|a, b| a.span.cmp(&b.span));
        match self.errors {
            0 => Ok(items),
            _ => Err(items),
        }
    }
}

impl Drop for Diagnostics {
    fn drop(&mut self) {
        if self.items.is_some() && !std::thread::panicking() {
            panic!("diagnostics dropped without being finished");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::SourceId;

    #[test]
    fn suggests_near_names_only() {
        let known = ["Tensor", "int", "Scalar", "dispatch"];
        assert_eq!(nearest("Tensr", known), Some("Tensor"));
        assert_eq!(nearest("dispach", known), Some("dispatch"));
        assert_eq!(nearest("Int", known), Some("int"));
        assert_eq!(nearest("wholly", known), None);
    }

    #[test]
    fn finishes_in_order_of_place() {
        let mut cx = Diagnostics::new();
        let at = |start| Span::new(SourceId(0), start..start + 1);
        cx.error("E0000", &at(9), "second");
        cx.error("E0000", &at(3), "first");
        let messages: Vec<_> = cx.finish().unwrap_err().into_iter().map(|it| it.message).collect();
        assert_eq!(messages, ["first", "second"]);
    }

    #[test]
    #[should_panic(expected = "without being finished")]
    fn unread_findings_are_a_bug() {
        drop(Diagnostics::new());
    }
}
