//! Defaults: `None`, `1e-05`, `[0,1]`, `"linear"`, `contiguous_format`.
//!
//! Whether a default fits its type is the matter of
//! [`validate`](crate::validate).

use super::cursor::Cursor;
use crate::codes;
use crate::lex::{Token, TokenKind};
use crate::model::{Default, Spanned};

impl Cursor<'_, '_> {
    /// What stands behind `=`.
    pub(super) fn default(&mut self, param: &str) -> Option<Spanned<Default>> {
        let token = self.peek();
        if token.is(',') || token.is(')') || token.kind == TokenKind::End {
            self.missing_default(param);
            return None;
        }
        self.tight();
        let value = match token.kind {
            TokenKind::Word => Some(self.named()),
            TokenKind::Number => self.number(),
            TokenKind::Str => self.string(),
            TokenKind::OpenStr => self.open_string(),
            TokenKind::Char('[') => self.int_list(),
            TokenKind::Arrow | TokenKind::PathSep | TokenKind::Char(_) | TokenKind::End => {
                self.expected("a default");
                None
            }
        };
        let end = self.peek().gap;
        value.map(|it| Spanned::new(it, self.span(token.start..end)))
    }

    fn missing_default(&mut self, param: &str) {
        let at = self.peek().gap;
        let span = self.span(at.saturating_sub(1)..at);
        self.error(codes::DEFAULT, &span, format_args!("no default for `{param}` follows `=`"))
            .help("write one, or remove the `=`");
    }

    fn named(&mut self) -> Default {
        let token = self.bump();
        match self.text(token.range()) {
            "None" => Default::None,
            "True" => Default::Bool(true),
            "False" => Default::Bool(false),
            other => Default::Name(other.to_owned()),
        }
    }

    fn number(&mut self) -> Option<Default> {
        let token = self.bump();
        let text = self.text(token.range());
        if let Some(value) = self.exact_int(token) {
            return Some(Default::Int(value));
        }
        let float = text.contains(['.', 'e', 'E']) && !has_leading_zero(text);
        match text.parse::<f64>() {
            Ok(value) if float && value.is_finite() => Some(Default::Float(value, text.to_owned())),
            _ => {
                self.bad_number(token);
                None
            }
        }
    }

    /// The integer, if printing gives its text back.
    fn exact_int(&self, token: Token) -> Option<i64> {
        let text = self.text(token.range());
        text.parse::<i64>().ok().filter(|it| it.to_string() == text)
    }

    fn bad_number(&mut self, token: Token) {
        let text = self.text(token.range());
        let span = self.span(token.range());
        let digits = text.trim_start_matches('-').bytes().all(|it| it.is_ascii_digit());
        let note = match digits {
            true if has_leading_zero(text) => "a number has no leading zeros and no sign before 0",
            true => "an integer has at most 64 bits",
            false => "a number is written `1`, `-1`, `0.5` or `1e-05`",
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
    fn int_list(&mut self) -> Option<Default> {
        self.bump();
        let mut values = Vec::new();
        if self.peek().is(']') {
            self.tight();
            self.bump();
            return Some(Default::IntList(values));
        }
        loop {
            self.tight();
            let token = self.peek();
            if token.kind != TokenKind::Number {
                self.expected("an integer");
                return None;
            }
            self.bump();
            match self.exact_int(token) {
                Some(value) => values.push(value),
                None => {
                    let text = self.text(token.range());
                    let span = self.span(token.range());
                    self.error(codes::DEFAULT, &span, format_args!("`{text}` is not an integer"))
                        .note("a list default holds integers only");
                }
            }
            self.tight();
            if self.peek().is(']') {
                self.bump();
                return Some(Default::IntList(values));
            }
            if !self.peek().is(',') {
                self.expected("`,` or `]`");
                return None;
            }
            self.bump();
        }
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
