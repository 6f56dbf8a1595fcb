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

/// The token at this byte of a text, or behind the blanks there. At the end it
/// is [`TokenKind::End`], again and again.
pub(crate) fn token(text: &str, gap: usize) -> Token {
    let start = gap + blanks(&text[gap..]);
    let (kind, len) = scan(&text[start..]);
    Token { kind, gap, start, end: start + len }
}

/// Length of the blanks at the start, of which there is one nearly always.
fn blanks(text: &str) -> usize {
    match text.as_bytes() {
        [b'!'..=b'~', ..] => 0,
        [b' ', b'!'..=b'~', ..] => 1,
        _ => run(text, char::is_whitespace),
    }
}

/// The token at the start of a text that starts with no blank, and its length.
fn scan(text: &str) -> (TokenKind, usize) {
    match text.as_bytes() {
        [] => (TokenKind::End, 0),
        [b'_' | b'a'..=b'z' | b'A'..=b'Z', ..] => (TokenKind::Word, word(text)),
        [b'-', b'>', ..] => (TokenKind::Arrow, 2),
        [b':', b':', ..] => (TokenKind::PathSep, 2),
        [b'-', b'0'..=b'9', ..] => (TokenKind::Number, 1 + number(&text[1..])),
        [b'0'..=b'9', ..] => (TokenKind::Number, number(text)),
        [b'\'', ..] => string(text, '\''),
        [b'"', ..] => string(text, '"'),
        [first @ 0..=0x7f, ..] => (TokenKind::Char(char::from(*first)), 1),
        [0x80..=0xff, ..] => match text.chars().next() {
            Some(first) if !is_word(first) => (TokenKind::Char(first), first.len_utf8()),
            _ => (TokenKind::Word, word(text)),
        },
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

/// Length of the word at the start.
fn word(text: &str) -> usize {
    let is_plain = |byte: &u8| *byte == b'_' || byte.is_ascii_alphanumeric();
    let len = text.bytes().take_while(|it| is_plain(it)).count();
    match text.as_bytes().get(len) {
        Some(byte) if !byte.is_ascii() => run(text, is_word),
        _ => len,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mut words = Vec::new();
        let mut next = token(text, 0);
        while next.kind != TokenKind::End {
            words.push(&text[next.range()]);
            next = token(text, next.end);
        }
        assert_eq!(words, expected);
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
        assert_eq!(token("'ab\\'", 0).kind, TokenKind::OpenStr);
    }
}
