//! Declared names of a C statement.

use super::lex::{CToken, CTokenKind};

/// Words that stand where names do.
const KEYWORDS: [&str; 14] = [
    "struct", "class", "union", "enum", "const", "int", "long", "short", "char", "double",
    "unsigned", "signed", "volatile", "operator",
];

/// The names that a statement declares.
pub(super) fn names(statement: &[CToken]) -> Vec<CToken> {
    let mut finder = Finder { tokens: statement, at: 0, declared: Vec::new(), typed: false };
    let no_declaration = ["return", "delete", "throw", "new", "goto", "sizeof"];
    if statement.first().is_some_and(|it| no_declaration.contains(&it.text.as_str())) {
        return Vec::new();
    }
    while finder.at < statement.len() {
        finder.step();
    }
    finder.declared
}

/// The name that `#define` gives.
pub(super) fn macro_name(directive: &CToken) -> Option<CToken> {
    let text = directive.text.strip_prefix('#')?.trim_start().strip_prefix("define")?.trim_start();
    let name: String = text.chars().take_while(|it| it.is_alphanumeric() || *it == '_').collect();
    (!name.is_empty()).then_some(CToken {
        kind: CTokenKind::Word,
        text: name,
        line: directive.line,
    })
}

struct Finder<'a> {
    tokens: &'a [CToken],
    at: usize,
    declared: Vec<CToken>,
    /// Whether a type came before.
    typed: bool,
}

impl Finder<'_> {
    fn is(&self, at: usize, texts: &[&str]) -> bool {
        let token = self.tokens.get(at);
        token.is_some_and(|it| it.kind != CTokenKind::Literal && texts.contains(&it.text.as_str()))
    }

    fn step(&mut self) {
        let token = &self.tokens[self.at];
        match (token.kind, token.text.as_str()) {
            (CTokenKind::Mark, "(") => self.parenthesis(),
            (CTokenKind::Mark, "{") => self.brace(),
            (CTokenKind::Mark, "[") => self.at = self.closed(self.at),
            (CTokenKind::Mark, "<") => self.at = self.angles(),
            (CTokenKind::Mark, "=") => self.skip_value(),
            (CTokenKind::Word, "__attribute__" | "alignas" | "decltype" | "__declspec") => {
                self.typed = true;
                self.at += 1;
                if self.is(self.at, &["("]) {
                    self.at = self.closed(self.at);
                }
            }
            (CTokenKind::Word, _) => self.word(),
            _ => self.at += 1,
        }
    }

    fn word(&mut self) {
        let ends = [";", ",", "=", "[", "(", "{", ":", "__attribute__"];
        let is_last = self.at + 1 == self.tokens.len() || self.is(self.at + 1, &ends);
        let continues = !self.declared.is_empty() && self.is(self.at.wrapping_sub(1), &[","]);
        let follows = self.at > 0 && self.follows_type();
        let is_name = !KEYWORDS.contains(&self.tokens[self.at].text.as_str());
        if is_name && is_last && self.typed && (follows || continues) {
            self.declared.push(self.tokens[self.at].clone());
        }
        self.typed = true;
        self.at += 1;
    }

    fn follows_type(&self) -> bool {
        self.tokens[self.at - 1].kind == CTokenKind::Word
            || self.is(self.at - 1, &["*", "&", ">", "}", ")"])
    }

    /// `(*name)(…)` declares a name, other parentheses do not.
    fn parenthesis(&mut self) {
        if self.typed && self.is(self.at + 1, &["*"]) && self.is(self.at + 3, &[")", "["]) {
            self.declared.push(self.tokens[self.at + 2].clone());
        }
        self.at = self.closed(self.at);
    }

    /// Members are no names of the block; what an enumeration lists is.
    fn brace(&mut self) {
        let end = self.closed(self.at);
        if self.tokens[..self.at].iter().any(|it| it.is("enum")) {
            for at in self.at + 1..end {
                let listed =
                    self.is(at - 1, &["{", ","]) && self.tokens[at].kind == CTokenKind::Word;
                if listed {
                    self.declared.push(self.tokens[at].clone());
                }
            }
        }
        self.typed = true;
        self.at = end;
    }

    fn skip_value(&mut self) {
        while self.at < self.tokens.len() && !self.is(self.at, &[",", ";"]) {
            let opens = self.is(self.at, &["(", "[", "{"]);
            self.at = if opens { self.closed(self.at) } else { self.at + 1 };
        }
    }

    /// Behind what closes the bracket at `open`.
    fn closed(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for at in open..self.tokens.len() {
            if self.is(at, &["(", "[", "{"]) {
                depth += 1;
            } else if self.is(at, &[")", "]", "}"]) {
                depth = depth.saturating_sub(1);
            }
            if depth == 0 {
                return at + 1;
            }
        }
        self.tokens.len()
    }

    /// Behind the arguments of a template, if they are such.
    fn angles(&self) -> usize {
        let mut depth = 0_usize;
        for at in self.at..self.tokens.len() {
            match self.tokens[at].text.as_str() {
                "<" => depth += 1,
                ">" => depth -= 1,
                ";" | "=" | "{" => break,
                _ => {}
            }
            if depth == 0 {
                // The closing one stays: a name may follow it.
                return at;
            }
        }
        self.at + 1
    }
}
