//! Lexer for C snippets.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CTokenKind {
    /// A name or a keyword.
    Word,
    /// A number, a text, a character.
    Literal,
    /// `::`, `->`, or one character.
    Mark,
    /// A line that begins with `#`.
    Directive,
}

/// A token, and the line where it begins.
#[derive(Clone, Debug)]
pub(super) struct CToken {
    pub(super) kind: CTokenKind,
    pub(super) text: String,
    pub(super) line: usize,
}

impl CToken {
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text && matches!(self.kind, CTokenKind::Word | CTokenKind::Mark)
    }
}

/// A text that no compiler can read, and where.
pub(super) struct Broken {
    pub(super) line: usize,
    pub(super) what: &'static str,
}

/// The tokens of a text, without comments.
pub(super) fn tokens(text: &str) -> Result<Vec<CToken>, Broken> {
    let mut lexer = Lexer { chars: spliced(text), at: 0, tokens: Vec::new() };
    while lexer.at < lexer.chars.len() {
        lexer.next()?;
    }
    Ok(lexer.tokens)
}

/// The characters with their lines; a line that ends in a backslash goes on.
fn spliced(text: &str) -> Vec<(char, usize)> {
    let (mut chars, mut line) = (Vec::with_capacity(text.len()), 1);
    let mut rest = text.chars().peekable();
    while let Some(it) = rest.next() {
        if it == '\\' && rest.peek() == Some(&'\n') {
            rest.next();
            line += 1;
            continue;
        }
        chars.push((it, line));
        line += usize::from(it == '\n');
    }
    chars
}

struct Lexer {
    chars: Vec<(char, usize)>,
    at: usize,
    tokens: Vec<CToken>,
}

impl Lexer {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).map_or('\0', |it| it.0)
    }

    fn line(&self) -> usize {
        let last = self.chars.len().saturating_sub(1);
        self.chars.get(self.at.min(last)).map_or(1, |it| it.1)
    }

    fn push(&mut self, kind: CTokenKind, from: usize) {
        let text = self.chars[from..self.at].iter().map(|it| it.0).collect();
        self.tokens.push(CToken { kind, text, line: self.chars[from].1 });
    }

    fn next(&mut self) -> Result<(), Broken> {
        let from = self.at;
        match (self.peek(0), self.peek(1)) {
            ('/', '/') => self.skip_until(|it| it == '\n'),
            ('/', '*') => self.comment()?,
            ('#', _) if self.begins_line() => self.directive(from)?,
            ('"' | '\'', _) => {
                self.quoted()?;
                self.push(CTokenKind::Literal, from);
            }
            (it, _) if it.is_ascii_digit() => self.number(from),
            (it, _) if is_word(it) => self.word(from)?,
            (it, _) if it.is_whitespace() => self.at += 1,
            (':', ':') | ('-', '>') => {
                self.at += 2;
                self.push(CTokenKind::Mark, from);
            }
            _ => {
                self.at += 1;
                self.push(CTokenKind::Mark, from);
            }
        }
        Ok(())
    }

    fn skip_until(&mut self, end: impl Fn(char) -> bool) {
        while self.at < self.chars.len() && !end(self.peek(0)) {
            self.at += 1;
        }
    }

    fn begins_line(&self) -> bool {
        let before = self.chars[..self.at].iter().rev().take_while(|it| it.0 != '\n');
        before.into_iter().all(|it| it.0.is_whitespace())
    }

    fn comment(&mut self) -> Result<(), Broken> {
        let line = self.line();
        self.at += 2;
        while (self.peek(0), self.peek(1)) != ('*', '/') {
            if self.at >= self.chars.len() {
                return Err(Broken { line, what: "a comment has no end" });
            }
            self.at += 1;
        }
        self.at += 2;
        Ok(())
    }

    fn directive(&mut self, from: usize) -> Result<(), Broken> {
        while self.at < self.chars.len() && self.peek(0) != '\n' {
            if (self.peek(0), self.peek(1)) == ('/', '*') {
                self.comment()?;
            } else {
                self.at += 1;
            }
        }
        self.push(CTokenKind::Directive, from);
        Ok(())
    }

    fn quoted(&mut self) -> Result<(), Broken> {
        let (line, quote) = (self.line(), self.peek(0));
        self.at += 1;
        while self.peek(0) != quote {
            if self.at >= self.chars.len() || self.peek(0) == '\n' {
                return Err(Broken { line, what: "a text or a character has no end" });
            }
            self.at += if self.peek(0) == '\\' { 2 } else { 1 };
        }
        self.at += 1;
        Ok(())
    }

    fn number(&mut self, from: usize) {
        loop {
            let (it, next) = (self.peek(0), self.peek(1));
            let goes_on = is_word(it) || it == '.' || (it == '\'' && is_word(next));
            let sign = matches!(it, 'e' | 'E' | 'p' | 'P') && matches!(next, '+' | '-');
            if !goes_on {
                break;
            }
            self.at += if sign { 2 } else { 1 };
        }
        self.push(CTokenKind::Literal, from);
    }

    fn word(&mut self, from: usize) -> Result<(), Broken> {
        self.skip_until(|it| !is_word(it));
        let prefix: String = self.chars[from..self.at].iter().map(|it| it.0).collect();
        let raw = matches!(prefix.as_str(), "R" | "LR" | "uR" | "UR" | "u8R");
        match self.peek(0) {
            '"' if raw => self.raw(from),
            '"' | '\'' if matches!(prefix.as_str(), "L" | "u" | "U" | "u8") => {
                self.quoted()?;
                self.push(CTokenKind::Literal, from);
                Ok(())
            }
            _ => {
                self.push(CTokenKind::Word, from);
                Ok(())
            }
        }
    }

    /// `R"x( … )x"`.
    fn raw(&mut self, from: usize) -> Result<(), Broken> {
        let line = self.line();
        self.at += 1;
        let start = self.at;
        self.skip_until(|it| it == '(');
        let mut end = vec![')'];
        end.extend(self.chars[start..self.at].iter().map(|it| it.0));
        end.push('"');
        while !(0..end.len()).all(|at| self.peek(at) == end[at]) {
            if self.at >= self.chars.len() {
                return Err(Broken { line, what: "a text or a character has no end" });
            }
            self.at += 1;
        }
        self.at += end.len();
        self.push(CTokenKind::Literal, from);
        Ok(())
    }
}

fn is_word(it: char) -> bool {
    it.is_alphanumeric() || matches!(it, '_' | '$')
}

#[cfg(test)]
mod tests {
    use super::tokens;

    fn texts(text: &str) -> Vec<String> {
        tokens(text).map_or_else(
            |it| vec![it.what.to_owned()],
            |it| it.into_iter().map(|it| it.text).collect(),
        )
    }

    #[test]
    fn comments_and_texts_are_no_words() {
        assert_eq!(texts("a /* return */ = \"} return\"; // {"), ["a", "=", "\"} return\"", ";"]);
        assert_eq!(texts("c = '}';"), ["c", "=", "'}'", ";"]);
        assert_eq!(texts("x = 1'000e-3;"), ["x", "=", "1'000e-3", ";"]);
        assert_eq!(texts("s = R\"(a\")b)\";"), ["s", "=", "R\"(a\")b)\"", ";"]);
        assert_eq!(texts("ret\\\nurn"), ["return"]);
    }

    #[test]
    fn what_has_no_end_is_broken() {
        assert_eq!(texts("a /* b"), ["a comment has no end"]);
        assert_eq!(texts("\"a"), ["a text or a character has no end"]);
        assert_eq!(texts("\"a\\"), ["a text or a character has no end"]);
    }
}
