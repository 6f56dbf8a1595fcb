//! Defaults: `None`, `1e-05`, `-inf`, `2j`, `[0,1]`, `"linear"`, `contiguous_format`.
//!
//! Whether a default fits its type is the matter of
//! [`validate`](crate::validate).

use std::ops::Range;

use super::cursor::Cursor;
use crate::codes;
use crate::lex::TokenKind;
use crate::model::{Default, Spanned};

impl Cursor<'_, '_> {
    /// What stands behind `=`.
    pub(crate) fn default(&mut self, param: &str) -> Option<Spanned<Default>> {
        let token = self.peek();
        if token.is(',') || token.is(')') || token.kind == TokenKind::End {
            self.missing_default(param);
            return None;
        }
        self.tight();
        let value = self.literal();
        let end = self.peek().gap;
        value.map(|it| Spanned::new(it, self.span(token.start..end)))
    }

    /// A value, which may be an element of a list.
    fn literal(&mut self) -> Option<Default> {
        let token = self.peek();
        match token.kind {
            TokenKind::Word => self.named(),
            TokenKind::Number | TokenKind::Char('-' | '.') => self.number(),
            TokenKind::Str => self.string(),
            TokenKind::OpenStr => self.open_string(),
            TokenKind::Char('[') => self.list(),
            TokenKind::Arrow | TokenKind::PathSep | TokenKind::Char(_) | TokenKind::End => {
                self.expected("a default");
                None
            }
        }
    }

    fn missing_default(&mut self, param: &str) {
        let at = self.peek().gap;
        let span = self.span(at.saturating_sub(1)..at);
        self.error(codes::DEFAULT, &span, format_args!("no default for `{param}` follows `=`"))
            .help("write one, or remove the `=`");
    }

    fn named(&mut self) -> Option<Default> {
        let token = self.bump();
        Some(match self.text(token.range()) {
            "None" => Default::None,
            "True" => Default::Bool(true),
            "False" => Default::Bool(false),
            word if UNBOUNDED.contains(&word) => return self.number_from(token.start, token.end),
            other => Default::Name(other.to_owned()),
        })
    }

    /// A number, which is one token or, as `-inf`, `.5`, `1.` and `1+2j`, several.
    fn number(&mut self) -> Option<Default> {
        let start = self.peek().start;
        let end = self.real();
        self.number_from(start, end)
    }

    fn number_from(&mut self, start: usize, mut end: usize) -> Option<Default> {
        if self.begins(end, "+") || self.begins(end, "-") {
            if self.peek().is('+') {
                self.bump();
            }
            end = self.real();
        }
        let text = self.text(start..end);
        if let Ok(value) = text.parse::<i64>()
            && value.to_string() == text
        {
            return Some(Default::Int(value));
        }
        if let Some((re, im)) = complex(text) {
            return Some(Default::Complex(re, im, text.to_owned()));
        }
        match real(text) {
            Some(value) => Some(Default::Float(value, text.to_owned())),
            None => {
                self.bad_number(start..end);
                None
            }
        }
    }

    /// Takes the tokens of a real or imaginary number, and says where they end.
    fn real(&mut self) -> usize {
        let mut token = self.bump();
        let mut end = token.end;
        for sign in ["-", "."] {
            let next = self.peek();
            let follows = matches!(next.kind, TokenKind::Number)
                || next.is('.')
                || next.kind == TokenKind::Word;
            if self.text(token.range()) == sign && follows && next.start == end {
                token = self.bump();
                end = token.end;
            }
        }
        // The point of `1.`, and what sticks to it.
        if token.kind == TokenKind::Number && self.begins(end, ".") {
            end = self.bump().end;
            let next = self.peek();
            if next.start == end && matches!(next.kind, TokenKind::Word | TokenKind::Number) {
                end = self.bump().end;
            }
        }
        end
    }

    /// Whether the next token is here, and begins so.
    fn begins(&mut self, at: usize, text: &str) -> bool {
        let next = self.peek();
        next.start == at
            && next.kind != TokenKind::Arrow
            && self.text(next.range()).starts_with(text)
    }

    fn bad_number(&mut self, range: Range<usize>) {
        let text = self.text(range.clone());
        let span = self.span(range);
        let digits = text.trim_start_matches('-');
        let digits = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
        let note = match digits {
            true if has_leading_zero(text) => "a number has no leading zeros and no sign before 0",
            true => "an integer has at most 64 bits",
            false => "a number is written `1`, `-1`, `0.5`, `1e-05`, `inf`, `nan` or `2j`",
        };
        self.error(codes::DEFAULT, &span, format_args!("`{text}` is not a number")).note(note);
    }

    fn string(&mut self) -> Option<Default> {
        let token = self.bump();
        let text = self.text(token.range());
        // Upstream's parser splits parameters at `, ` and defaults at `=`, in
        // strings too; a file that both can read has neither.
        if let Some(bad) = [", ", "="].into_iter().find(|it| text.contains(it)) {
            let span = self.span(token.range());
            let message = format!("a string default cannot contain `{bad}`");
            self.error(codes::STRING_DEFAULT, &span, message)
                .note("upstream's parser would take it apart there")
                .help("choose another text, or make the parameter optional");
            return None;
        }
        if text.contains(char::is_control) {
            let span = self.span(token.range());
            let message =
                "a string default cannot contain line breaks and other control characters";
            self.error(codes::STRING_DEFAULT, &span, message)
                .help("write an escape instead, such as `\\n`");
            return None;
        }
        if let Some(escape) = unknown_escape(text) {
            let span = self.span(token.range());
            let message = format!("`{escape}` is no escape of a string default");
            self.error(codes::STRING_DEFAULT, &span, message)
                .help(format_args!("write `\\{escape}` if a backslash is meant"))
                .note(format_args!(
                    "there are `{}`",
                    ESCAPES.map(|it| format!("\\{it}")).join("`, `")
                ));
            return None;
        }
        let quote = text.chars().next()?;
        let inner = &text[1..text.len() - 1];
        Some(Default::Str(inner.to_owned(), quote))
    }

    fn open_string(&mut self) -> Option<Default> {
        let token = self.bump();
        let span = self.span(token.range());
        self.error(codes::OPEN_STRING, &span, "this string has no end")
            .help("write its quote behind it");
        None
    }

    /// `[0,1]`, without blanks.
    fn list(&mut self) -> Option<Default> {
        self.bump();
        let mut values = Vec::new();
        if self.peek().is(']') {
            self.tight();
            self.bump();
            return Some(Default::IntList(Vec::new()));
        }
        loop {
            self.tight();
            let token = self.peek();
            if token.is('[') {
                self.expected("a value that is no list");
                return None;
            }
            // What is wrong with one is said, and the others are read.
            match self.literal() {
                Some(value) => values.push(value),
                None if token.kind == TokenKind::Number => {}
                None => return None,
            }
            self.tight();
            if self.peek().is(']') {
                self.bump();
                return Some(list_of(values));
            }
            if !self.peek().is(',') {
                self.expected("`,` or `]`");
                return None;
            }
            self.bump();
        }
    }
}

/// A list of integers alone has a form of its own.
fn list_of(values: Vec<Default>) -> Default {
    let int = |it: &Default| if let Default::Int(it) = it { Some(*it) } else { None };
    match values.iter().map(int).collect::<Option<Vec<i64>>>() {
        Some(ints) => Default::IntList(ints),
        None => Default::List(values),
    }
}

/// Words that are numbers.
const UNBOUNDED: [&str; 2] = ["inf", "nan"];

/// A real number as Python or C writes it, `inf` and `nan` among them.
fn real(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if UNBOUNDED.contains(&digits) {
        return text.parse().ok();
    }
    let is_plain = digits.starts_with(|it: char| it.is_ascii_digit() || it == '.')
        && digits.contains(['.', 'e', 'E'])
        && !has_leading_zero(text);
    text.parse::<f64>().ok().filter(|it| is_plain && it.is_finite())
}

/// `2j`, `1-2j`: what Python calls complex.
fn complex(text: &str) -> Option<(f64, f64)> {
    let part = |it: &str| match it.bytes().all(|it| it.is_ascii_digit() || it == b'-') {
        true if has_leading_zero(it) && it != "-0" => None,
        true => it.parse::<f64>().ok(),
        false => real(it),
    };
    let imaginary = text.strip_suffix('j')?;
    // The sign of an exponent separates nothing.
    let inner = imaginary
        .char_indices()
        .skip(1)
        .filter(|(at, it)| matches!(it, '+' | '-') && !imaginary[..*at].ends_with(['e', 'E']));
    match inner.last() {
        Some((at, _)) => {
            let im = &imaginary[at..];
            Some((part(&imaginary[..at])?, part(im.strip_prefix('+').unwrap_or(im))?))
        }
        None => Some((0.0, part(imaginary)?)),
    }
}

/// What may follow a backslash; it means the same in Python.
const ESCAPES: [char; 10] = ['a', 'b', 'f', 'n', 'r', 't', 'v', '\\', '\'', '"'];

/// The first escape of a string that is none.
fn unknown_escape(text: &str) -> Option<String> {
    let mut chars = text.chars();
    while let Some(ch) = chars.next() {
        let escaped = if ch == '\\' { chars.next() } else { None };
        if let Some(escaped) = escaped.filter(|it| !ESCAPES.contains(it)) {
            return Some(format!("\\{escaped}"));
        }
    }
    None
}

fn has_leading_zero(text: &str) -> bool {
    let digits = text.trim_start_matches('-');
    let zeros = digits.starts_with('0') && digits[1..].starts_with(|ch: char| ch.is_ascii_digit());
    zeros || text == "-0"
}
