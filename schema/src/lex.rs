//! Tokens of the schema language, each with the blanks before it: canonical
//! form has one way to put them.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Letters, digits and underscores; does not start with a digit.
    Word,
    /// Starts with a digit, or with `-` and a digit; may be malformed.
    Number,
    /// A quoted string with its quotes.
    Str,
    /// A quoted string that does not end.
    OpenStr,
    /// `->`.
    Arrow,
    /// `::`.
    PathSep,
    /// Any other character.
    Char(char),
    /// After the last token.
    End,
}

/// A token and its place in the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// Where the blanks before it start.
    pub(crate) gap: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Token {
    pub(crate) fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    pub(crate) fn is(&self, ch: char) -> bool {
        self.kind == TokenKind::Char(ch)
    }
}

/// All tokens of a text; the last one is [`TokenKind::End`].
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(text.len() / 4 + 1);
    let mut at = 0;
    loop {
        let gap = at;
        at += run(&text[at..], char::is_whitespace);
        let (kind, len) = scan(&text[at..]);
        tokens.push(Token { kind, gap, start: at, end: at + len });
        if kind == TokenKind::End {
            return tokens;
        }
        at += len;
    }
}

/// The token at the start of a text that starts with no blank, and its length.
fn scan(text: &str) -> (TokenKind, usize) {
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return (TokenKind::End, 0) };
    match (first, chars.next()) {
        ('-', Some('>')) => (TokenKind::Arrow, 2),
        (':', Some(':')) => (TokenKind::PathSep, 2),
        ('-', Some('0'..='9')) => (TokenKind::Number, 1 + number(&text[1..])),
        ('0'..='9', _) => (TokenKind::Number, number(text)),
        ('\'' | '"', _) => string(text, first),
        _ if is_word(first) => (TokenKind::Word, run(text, is_word)),
        _ => (TokenKind::Char(first), first.len_utf8()),
    }
}

/// Length of a number without its sign. Whatever sticks to it belongs to it,
/// so that `1foo` is one wrong word and not two.
fn number(text: &str) -> usize {
    let mut len = run(text, |ch| ch.is_ascii_digit());
    if text[len..].starts_with('.') && text[len + 1..].starts_with(|ch: char| ch.is_ascii_digit()) {
        len += 1 + run(&text[len + 1..], |ch| ch.is_ascii_digit());
    }
    let exponent = text[len..].strip_prefix(['e', 'E']).map(|it| it.trim_start_matches(['+', '-']));
    if let Some(digits) = exponent.filter(|it| it.starts_with(|ch: char| ch.is_ascii_digit())) {
        len = text.len() - digits.len() + run(digits, |ch| ch.is_ascii_digit());
    }
    len + run(&text[len..], is_word)
}

fn string(text: &str, quote: char) -> (TokenKind, usize) {
    let mut escaped = false;
    for (at, ch) in text.char_indices().skip(1) {
        match ch {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if ch == quote => return (TokenKind::Str, at + 1),
            _ => {}
        }
    }
    (TokenKind::OpenStr, text.len())
}

fn is_word(ch: char) -> bool {
    ch == '_' || ch.is_ascii_alphanumeric() || !ch.is_ascii() && ch.is_alphanumeric()
}

fn run(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|ch| !belongs(ch)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let tokens = tokens(text);
        let words: Vec<_> = tokens.iter().map(|it| &text[it.range()]).collect();
        assert_eq!(words[..words.len() - 1], *expected);
    }

    #[test]
    fn splits_a_schema() {
        check(
            "a::f_.x(int[2]? y=-1, *, str s=\"\\\"'\") -> ()",
            &[
                "a",
                "::",
                "f_",
                ".",
                "x",
                "(",
                "int",
                "[",
                "2",
                "]",
                "?",
                "y",
                "=",
                "-1",
                ",",
                "*",
                ",",
                "str",
                "s",
                "=",
                "\"\\\"'\"",
                ")",
                "->",
                "(",
                ")",
            ],
        );
    }

    #[test]
    fn keeps_numbers_whole() {
        check(
            "1e-05 0.5 1. 1foo -2.5E+3x 1e",
            &["1e-05", "0.5", "1", ".", "1foo", "-2.5E+3x", "1e"],
        );
    }

    #[test]
    fn an_open_string_reaches_the_end() {
        assert_eq!(tokens("'ab\\'").first().map(|it| it.kind), Some(TokenKind::OpenStr));
    }
}
