//! A place among the tokens of a schema, and the errors that every rule needs.

use std::fmt;
use std::ops::Range;

use opwright_diagnostics::diag::{Diagnostic, Diagnostics};

use crate::codes;
use crate::lex::{Token, TokenKind, token};
use crate::model::{Span, Spanned};
use crate::types::Natives;

/// Reads tokens from left to right; never moves past the end.
pub(crate) struct Cursor<'cx, 'text> {
    pub(super) cx: &'cx mut Diagnostics,
    text: &'text str,
    /// Where the text stands.
    place: Span,
    /// Types of the crate that the text may name.
    pub(super) natives: Natives<'text>,
    /// What was taken last.
    previous: Option<TokenKind>,
    next: Token,
    second: Token,
}

impl<'cx, 'text> Cursor<'cx, 'text> {
    pub(crate) fn new(cx: &'cx mut Diagnostics, text: &'text str, place: &Span) -> Self {
        let next = token(text, 0);
        let second = token(text, next.end);
        let (place, natives) = (place.clone(), Natives::NONE);
        Cursor { cx, text, place, natives, previous: None, next, second }
    }

    /// The next token.
    pub(crate) fn peek(&self) -> Token {
        self.next
    }

    /// The one after it.
    pub(crate) fn peek_second(&self) -> Token {
        self.second
    }

    /// Takes the next token.
    pub(crate) fn bump(&mut self) -> Token {
        let taken = self.next;
        self.previous = Some(taken.kind);
        self.next = self.second;
        self.second = token(self.text, self.next.end);
        taken
    }

    /// How many commas follow.
    pub(crate) fn commas(&self) -> usize {
        self.text[self.next.start..].bytes().filter(|it| *it == b',').count()
    }

    /// What is written there.
    pub(crate) fn text(&self, range: Range<usize>) -> &'text str {
        &self.text[range]
    }

    /// The place in the source; the whole text's if its bytes are not those of
    /// the source.
    pub(crate) fn span(&self, range: Range<usize>) -> Span {
        let place = &self.place.range;
        if place.len() != self.text.len() {
            return self.place.clone();
        }
        Span::new(self.place.source, place.start + range.start..place.start + range.end)
    }

    pub(crate) fn error(
        &mut self,
        code: &'static str,
        span: &Span,
        message: impl fmt::Display,
    ) -> &mut Diagnostic {
        self.cx.error(code, span, message)
    }

    /// Reports that the next token is not what belongs here.
    pub(crate) fn expected(&mut self, what: &str) -> &mut Diagnostic {
        let token = self.peek();
        let span = self.span(token.range());
        let found = match token.kind {
            TokenKind::End => "the end".to_owned(),
            _ => format!("`{}`", self.text(token.range())),
        };
        self.error(codes::EXPECTED, &span, format_args!("expected {what}, found {found}"))
    }

    /// Reports blanks before the next token.
    pub(crate) fn tight(&mut self) {
        let token = self.peek();
        if token.gap == token.start {
            return;
        }
        let span = self.span(token.gap..token.start);
        let (before, after) = (&self.text[..token.gap], &self.text[token.start..]);
        let (before, after) = (last_word(before), first_word(after));
        self.error(codes::NOT_CANONICAL, &span, "no space belongs here")
            .help(format_args!("write `{before}{after}`"));
    }

    /// Reports anything but one space before the next token.
    pub(crate) fn one_space(&mut self, place: &str) {
        let token = self.peek();
        if self.gap_is(token, " ") {
            return;
        }
        let span = self.gap_span(token);
        let message = format!("expected one space {place}");
        self.error(codes::NOT_CANONICAL, &span, message).help("write one space here");
    }

    /// Takes `->` with one space on each side, and reports it once if not.
    pub(crate) fn arrow(&mut self) {
        let token = self.bump();
        let after = self.peek();
        // What is missing behind it is reported by whoever wants it.
        let spaced_after = self.gap_is(after, " ") || after.kind == TokenKind::End;
        if self.gap_is(token, " ") && spaced_after {
            return;
        }
        let span = self.span(token.gap..after.start);
        self.error(codes::NOT_CANONICAL, &span, "expected one space on each side of `->`")
            .help("write `) -> Tensor`");
    }

    fn gap_is(&self, token: Token, blanks: &str) -> bool {
        let gap = &self.text[token.gap..token.start];
        gap == blanks || self.is_fold(gap) && blanks == " "
    }

    /// Whether YAML reads these blanks, which stand in the source, as one.
    fn is_fold(&self, gap: &str) -> bool {
        self.place.range.len() == self.text.len()
            && gap.trim_start_matches(' ').trim_start_matches('\r').starts_with('\n')
            && gap.matches('\n').count() == 1
    }

    /// The blanks before a token, or the token itself if there are none.
    fn gap_span(&self, token: Token) -> Span {
        match token.gap == token.start {
            true => self.span(token.range()),
            false => self.span(token.gap..token.start),
        }
    }

    /// A name, to keep.
    pub(crate) fn name(&mut self, what: &str) -> Option<Spanned<String>> {
        self.word(what).map(|it| it.owned())
    }

    /// A name: letters, digits and underscores, not starting with a digit.
    pub(crate) fn word(&mut self, what: &str) -> Option<Spanned<&'text str>> {
        let token = self.peek();
        if !matches!(token.kind, TokenKind::Word | TokenKind::Number) {
            self.expected(what);
            return None;
        }
        self.bump();
        let text = self.text(token.range());
        let span = self.span(token.range());
        // A word starts with no digit, but may hold letters of any script.
        if token.kind != TokenKind::Word || !text.is_ascii() {
            self.error(codes::NAME, &span, format_args!("`{text}` is not a name")).note(
                "a name consists of ASCII letters, digits and `_`, and does not start with a digit",
            );
            return None;
        }
        let after = self.peek();
        let glued = after.gap == after.start
            && matches!(
                after.kind,
                TokenKind::Char('-' | '$' | '@' | '/' | '\'') | TokenKind::Number
            );
        if glued {
            let end = self.end_of_garbage();
            let span = self.span(token.start..end);
            let text = self.text(token.start..end);
            self.error(codes::NAME, &span, format_args!("`{text}` is not a name"))
                .note("a name consists of ASCII letters, digits and `_`");
            return None;
        }
        Some(Spanned::new(text, span))
    }

    /// Skips what sticks to a name without belonging to one.
    fn end_of_garbage(&mut self) -> usize {
        loop {
            let token = self.peek();
            let structural = matches!(token.kind, TokenKind::Char('(' | ')' | ',' | '=' | '.'));
            if structural || token.gap != token.start || token.kind == TokenKind::End {
                return token.gap;
            }
            self.bump();
        }
    }

    /// Goes to the next item of a list, reporting what stands in between.
    /// False at the end of the list.
    pub(crate) fn next_item(&mut self, close: char, what: &str) -> bool {
        if !self.at_item_end(close) {
            self.garbage(close, what);
        }
        let comma = self.peek();
        if !comma.is(',') {
            return false;
        }
        self.tight();
        self.bump();
        if self.peek().is(close) {
            let span = self.span(comma.range());
            self.error(codes::NOT_CANONICAL, &span, format_args!("no {what} follows this comma"))
                .help("remove it");
            // Whatever blank follows belongs to the comma.
            self.next.gap = self.next.start;
            return false;
        }
        self.one_space("after `,`");
        true
    }

    fn at_item_end(&self, close: char) -> bool {
        let token = self.peek();
        token.is(',') || token.is(close) || matches!(token.kind, TokenKind::End | TokenKind::Arrow)
    }

    /// Reports and skips what sticks to the end of an item.
    fn garbage(&mut self, close: char, what: &str) {
        let token = self.peek();
        if token.is('=') {
            let span = self.span(token.range());
            self.error(codes::DEFAULT, &span, "a default cannot contain `=`")
                .help("remove what follows the default");
        } else {
            self.expected(&format!("`,` or `{close}` after the {what}"));
        }
        self.skip_to_separator();
    }

    /// Takes a closing parenthesis; reports if it is missing.
    pub(crate) fn eat_close(&mut self, close: char) -> bool {
        if self.peek().is(close) {
            self.tight();
            self.bump();
            return true;
        }
        // A string without an end has taken the rest, and is reported.
        if self.previous != Some(TokenKind::OpenStr) {
            self.expected(&format!("`{close}`"));
        }
        false
    }

    /// Skips the rest of an item that is not understood: to the `,`, `)` or `->`
    /// that is not inside of it.
    pub(crate) fn skip_to_separator(&mut self) {
        let mut depth = 0_usize;
        loop {
            match self.peek().kind {
                TokenKind::End => return,
                TokenKind::Char(',' | ')') | TokenKind::Arrow if depth == 0 => return,
                TokenKind::Char('(' | '[') => depth += 1,
                TokenKind::Char(')' | ']') => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }

    /// Reports anything that is left.
    pub(crate) fn expect_end(&mut self, after: &str) -> bool {
        let token = self.peek();
        if token.kind == TokenKind::End {
            self.tight();
            return token.gap == token.start;
        }
        let span = self.span(token.start..self.text.trim_end().len());
        let rest = self.text[token.start..].trim_end();
        let message = format!("unexpected `{rest}` after {after}");
        self.error(codes::TRAILING, &span, message).help("remove it");
        false
    }
}

fn last_word(text: &str) -> &str {
    let start = text.rfind([' ', '(', ',']).map_or(0, |at| at + 1);
    if start == text.len() { &text[floor_char(text)..] } else { &text[start..] }
}

fn floor_char(text: &str) -> usize {
    text.char_indices().next_back().map_or(0, |(at, _)| at)
}

fn first_word(text: &str) -> &str {
    match text.find([' ', ')', ',']) {
        Some(0) => &text[..1],
        Some(at) => &text[..at],
        None => text,
    }
}
