//! Tokens of a formula.

use std::ops::Range;

use crate::SyntaxError;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// Letters, digits and underscores; does not begin with a digit.
    Word,
    /// Begins with a digit, or with a point and a digit.
    Number,
    /// A text in its quotes.
    Str,
    /// A sign, as long as possible: `<=`.
    Sign,
    /// Behind the last token.
    End,
}

#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) range: Range<usize>,
}

/// Signs of more than one character.
const LONG: [&str; 8] = ["->", "::", "==", "!=", "<=", ">=", "&&", "||"];

/// How many tokens a formula may have, so that its tree can be walked with a call for each level.
const MAX_TOKENS: usize = 4_000;

/// The tokens of a text, with one at the end.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, SyntaxError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        at += blanks(text, at)?;
        let (kind, len) = scan(text, at)?;
        tokens.push(Token { kind, range: at..at + len });
        if kind == TokenKind::End {
            return Ok(tokens);
        }
        if tokens.len() == MAX_TOKENS {
            return Err(error(at..at + len, "the formula is too long"));
        }
        at += len;
    }
}

/// The length of the blanks and comments at a place.
fn blanks(text: &str, start: usize) -> Result<usize, SyntaxError> {
    let mut rest = &text[start..];
    loop {
        rest = rest.trim_start();
        let Some(comment) = rest.strip_prefix("/*") else { break };
        let Some(end) = comment.find("*/") else {
            let at = text.len() - rest.len();
            return Err(error(at..text.len(), "the comment does not end"));
        };
        rest = &comment[end + 2..];
    }
    Ok(text.len() - start - rest.len())
}

fn scan(text: &str, at: usize) -> Result<(TokenKind, usize), SyntaxError> {
    let rest = &text[at..];
    let Some(first) = rest.chars().next() else { return Ok((TokenKind::End, 0)) };
    let second = rest[first.len_utf8()..].chars().next();
    let is_word = |ch: char| ch == '_' || ch.is_ascii_alphanumeric();
    if first.is_ascii_digit() || (first == '.' && second.is_some_and(|it| it.is_ascii_digit())) {
        return Ok((TokenKind::Number, number(rest)));
    }
    if is_word(first) {
        return Ok((TokenKind::Word, rest.find(|ch| !is_word(ch)).unwrap_or(rest.len())));
    }
    if first == '"' {
        let end = rest[1..].find('"');
        let len = end.ok_or_else(|| error(at..text.len(), "the text does not end"))?;
        return Ok((TokenKind::Str, len + 2));
    }
    let long = LONG.iter().find(|it| rest.starts_with(**it));
    Ok((TokenKind::Sign, long.map_or(first.len_utf8(), |it| it.len())))
}

/// The length of digits, of a point and of an exponent with its sign, and of what is written to
/// them by mistake.
fn number(text: &str) -> usize {
    let mut before = ' ';
    let end = text.find(|ch: char| {
        let is_sign = matches!(ch, '+' | '-') && matches!(before, 'e' | 'E');
        let belongs = ch == '.' || ch == '_' || ch.is_ascii_alphanumeric() || is_sign;
        before = ch;
        !belongs
    });
    end.unwrap_or(text.len())
}

pub(crate) fn error(range: Range<usize>, message: impl Into<String>) -> SyntaxError {
    SyntaxError { range, message: message.into() }
}
