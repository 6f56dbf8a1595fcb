//! Control-flow check: whether a snippet stays within its block.

use super::declared;
use super::lex::{Broken, CToken, CTokenKind};

/// What is wrong with a text, and where.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) line: usize,
    pub(super) what: String,
}

impl From<Broken> for Finding {
    fn from(it: Broken) -> Finding {
        Finding { line: it.line, what: it.what.to_owned() }
    }
}

/// Looks at the statements of a text, and returns what they declare outside of braces of their own.
pub(super) fn statements(tokens: &[CToken]) -> Result<Vec<CToken>, Finding> {
    let mut walk = StatementWalk { tokens, at: 0, declared: Vec::new(), depth: 0 };
    walk.list(Inside::default())?;
    match walk.peek() {
        Some(it) => Err(finding(it, "`}` closes a brace of the block")),
        None => Ok(walk.declared),
    }
}

/// Looks at the declarations of a file: functions may return.
pub(super) fn declarations(tokens: &[CToken]) -> Result<Vec<CToken>, Finding> {
    let mut walk = StatementWalk { tokens, at: 0, declared: Vec::new(), depth: 0 };
    walk.list(Inside { members: true, ..Inside::default() })?;
    match walk.peek() {
        Some(it) => Err(finding(it, "`}` closes a brace that nothing opened")),
        None => Ok(walk.declared),
    }
}

/// What a statement stands in, as far as the text itself says.
#[derive(Clone, Copy, Default)]
struct Inside {
    looped: bool,
    switched: bool,
    function: bool,
    /// Declarations of a file or a structure: what follows a parenthesis is a body.
    members: bool,
}

impl Inside {
    const BODY: Inside = Inside { looped: false, switched: false, function: true, members: false };
    const MEMBERS: Inside =
        Inside { looped: false, switched: false, function: false, members: true };
}

struct StatementWalk<'a> {
    tokens: &'a [CToken],
    at: usize,
    declared: Vec<CToken>,
    /// How many braces are open.
    depth: usize,
}

impl<'a> StatementWalk<'a> {
    fn peek(&self) -> Option<&'a CToken> {
        self.tokens.get(self.at)
    }

    fn sees(&self, text: &str) -> bool {
        self.peek().is_some_and(|it| it.is(text))
    }

    fn take(&mut self, text: &str) -> bool {
        let sees = self.sees(text);
        self.at += usize::from(sees);
        sees
    }

    /// Statements until a brace closes, or the text ends.
    fn list(&mut self, inside: Inside) -> Result<(), Finding> {
        while self.peek().is_some() && !self.sees("}") {
            self.statement(inside)?;
        }
        Ok(())
    }

    fn block(&mut self, inside: Inside) -> Result<(), Finding> {
        let Some(open) = self.peek() else { return Ok(()) };
        self.at += 1;
        self.depth += 1;
        self.list(inside)?;
        self.depth -= 1;
        if self.take("}") { Ok(()) } else { Err(finding(open, "`{` is not closed")) }
    }

    fn statement(&mut self, inside: Inside) -> Result<(), Finding> {
        let Some(token) = self.peek() else { return Ok(()) };
        if token.kind == CTokenKind::Directive {
            self.at += 1;
            if let Some(name) = declared::macro_name(token) {
                self.declared.push(name);
            }
            return Ok(());
        }
        if token.kind != CTokenKind::Word {
            return match token.text.as_str() {
                "{" => self.block(inside),
                _ => self.expression(inside),
            };
        }
        match token.text.as_str() {
            "for" | "while" => self.controlled(Inside { looped: true, ..inside }, inside),
            "switch" => self.controlled(Inside { switched: true, ..inside }, inside),
            "catch" => self.controlled(inside, inside),
            "if" => {
                self.controlled(inside, inside)?;
                if self.take("else") { self.statement(inside) } else { Ok(()) }
            }
            "do" => {
                self.at += 1;
                self.statement(Inside { looped: true, ..inside })?;
                if self.take("while") { self.expression(inside) } else { Ok(()) }
            }
            "else" | "try" => {
                self.at += 1;
                self.statement(inside)
            }
            "case" | "default" => {
                while self.peek().is_some_and(|it| !it.is(":") && !it.is(";") && !it.is("}")) {
                    self.at += 1;
                }
                self.take(":");
                Ok(())
            }
            "extern" if self.tokens.get(self.at + 2).is_some_and(|it| it.is("{")) => {
                self.at += 2;
                self.block(inside)
            }
            _ if self.tokens.get(self.at + 1).is_some_and(|it| it.is(":")) => {
                self.declared.push(token.clone());
                self.at += 2;
                Ok(())
            }
            _ => self.expression(inside),
        }
    }

    /// `for (…) body`: parentheses in what stands around, the body in what it opens.
    fn controlled(&mut self, body: Inside, around: Inside) -> Result<(), Finding> {
        self.at += 1;
        self.take("constexpr");
        if self.sees("(") {
            self.parenthesised(around)?;
        }
        self.statement(body)
    }

    fn parenthesised(&mut self, inside: Inside) -> Result<(), Finding> {
        let Some(open) = self.peek() else { return Ok(()) };
        let close = if open.is("[") { "]" } else { ")" };
        self.at += 1;
        let mut lambda = false;
        loop {
            let Some(token) = self.peek() else {
                return Err(finding(open, format_args!("`{}` is not closed", open.text)));
            };
            match token.text.as_str() {
                _ if token.kind == CTokenKind::Literal => self.at += 1,
                text if text == close => {
                    self.at += 1;
                    return Ok(());
                }
                ")" | "]" | "}" => {
                    return Err(finding(open, format_args!("`{}` is not closed", open.text)));
                }
                _ => {
                    self.part(inside, &mut lambda, false)?;
                }
            }
        }
    }

    /// A declaration or an expression, with its semicolon.
    fn expression(&mut self, inside: Inside) -> Result<(), Finding> {
        let start = self.at;
        let mut lambda = false;
        while let Some(token) = self.peek() {
            match token.text.as_str() {
                _ if token.kind == CTokenKind::Literal => self.at += 1,
                ";" => {
                    self.at += 1;
                    break;
                }
                "}" => break,
                ")" | "]" => {
                    let text = format_args!("`{}` closes nothing", token.text);
                    return Err(finding(token, text));
                }
                "for" | "while" | "do" | "if" | "switch" | "try" | "case"
                    if token.kind == CTokenKind::Word && self.at > start =>
                {
                    // A macro before it needs no semicolon.
                    break;
                }
                _ if token.kind == CTokenKind::Directive && self.at > start => break,
                _ => {
                    let ends = self.part(inside, &mut lambda, true)?;
                    if ends {
                        break;
                    }
                }
            }
        }
        self.declared_in(start);
        Ok(())
    }

    fn declared_in(&mut self, start: usize) {
        if self.depth == 0 {
            self.declared.extend(declared::names(&self.tokens[start..self.at]));
        }
    }

    /// One token of an expression, or what it encloses; whether the statement ends with it.
    fn part(
        &mut self,
        inside: Inside,
        lambda: &mut bool,
        outermost: bool,
    ) -> Result<bool, Finding> {
        let Some(token) = self.peek() else { return Ok(false) };
        if token.kind == CTokenKind::Word {
            leaves(self.tokens, self.at, inside)?;
            self.at += 1;
            return Ok(false);
        }
        let before = self.at.checked_sub(1).and_then(|it| self.tokens.get(it));
        match token.text.as_str() {
            "(" if self.tokens.get(self.at + 1).is_some_and(|it| it.is("{")) => {
                self.at += 1;
                self.block(inside)?;
                self.take(")");
            }
            "(" => self.parenthesised(inside)?,
            "[" => {
                let indexes = before.is_some_and(|it| {
                    (it.kind == CTokenKind::Word && it.text != "return") || it.is(")") || it.is("]")
                });
                *lambda |= !indexes && !self.tokens.get(self.at + 1).is_some_and(|it| it.is("["));
                self.parenthesised(inside)?;
            }
            "{" if *lambda => {
                *lambda = false;
                self.block(Inside::BODY)?;
            }
            "{" => return self.braced(inside, before, outermost),
            _ => self.at += 1,
        }
        Ok(false)
    }

    /// A brace within a statement: members, a body, or values; whether the statement ends with it.
    fn braced(
        &mut self,
        inside: Inside,
        before: Option<&CToken>,
        outermost: bool,
    ) -> Result<bool, Finding> {
        let behind = |texts: &[&str]| before.is_some_and(|it| texts.contains(&it.text.as_str()));
        if behind(&["=", ",", "(", "return", "{", "]"]) && before.is_some_and(|it| !it.is("]")) {
            self.block(Inside { members: false, ..inside })?;
            return Ok(false);
        }
        let start = (0..self.at).rev().find(|at| {
            let it = &self.tokens[*at];
            it.is(";") || it.is("{") || it.is("}") || it.kind == CTokenKind::Directive
        });
        let statement = &self.tokens[start.map_or(0, |it| it + 1)..self.at];
        let has_call = statement.iter().any(|it| it.is("("));
        let structure = |it: &CToken| {
            ["struct", "class", "union", "namespace", "extern"].iter().any(|word| it.is(word))
        };
        if !has_call && statement.iter().any(structure) {
            self.block(Inside::MEMBERS)?;
            return Ok(statement.iter().any(|it| it.is("namespace") || it.is("extern")));
        }
        if inside.members && has_call {
            self.block(Inside::BODY)?;
            return Ok(outermost && !self.sees(";"));
        }
        let body = behind(&[")"]) && outermost;
        self.block(Inside { members: false, ..inside })?;
        Ok(body)
    }
}

/// Whether a word within a statement leaves the block.
fn leaves(tokens: &[CToken], at: usize, inside: Inside) -> Result<(), Finding> {
    let token = &tokens[at];
    let wrong = match token.text.as_str() {
        "return" | "co_return" | "goto" => !inside.function,
        "break" => !inside.looped && !inside.switched,
        "continue" => !inside.looped,
        "longjmp" | "siglongjmp" | "_longjmp" => true,
        "asm" | "__asm__" | "__asm" => {
            tokens[at + 1..].iter().take(3).take_while(|it| !it.is("(")).any(|it| it.is("goto"))
        }
        _ => false,
    };
    if wrong {
        let shown = statement_at(tokens, at);
        return Err(finding(token, format_args!("`{shown}` leaves the block")));
    }
    Ok(())
}

fn statement_at(tokens: &[CToken], at: usize) -> String {
    let words = tokens[at..].iter().take(6).take_while(|it| !it.is(";") && !it.is("}"));
    words.map(|it| it.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn finding(token: &CToken, what: impl std::fmt::Display) -> Finding {
    Finding { line: token.line, what: what.to_string() }
}

#[cfg(test)]
mod tests {
    use super::{declarations, statements};
    use crate::cc::lex::tokens;

    fn check(text: &str, expected: Result<&[&str], &str>) {
        let found = tokens(text).map_err(Into::into).and_then(|it| statements(&it));
        let found = found.map(|it| it.into_iter().map(|it| it.text).collect::<Vec<_>>());
        let found = found.map_err(|it| format!("{}: {}", it.line, it.what));
        let expected = expected.map(|it| it.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(found, expected.map_err(str::to_owned), "{text}");
    }

    #[test]
    fn what_stays_within_the_block_is_taken() {
        for text in [
            "a = 1; b = a;",
            "/* return */ { double s = 0; for (int i = 0; i < 10; i++) { if (i == 3) break; s += i; } r = s; }",
            "while (1) if (a) break; else continue;",
            "do { if (a) continue; } while (b);",
            "do x(); while (a);",
            "switch (a) { case 1: b(); break; default: break; }",
            "for (;;) switch (a) { case 1: continue; }",
            "f([&](int a) { return a; });",
            "auto g = [](int a) -> int { if (a) return 1; return 2; };",
            "struct F { int operator()(int a) const { return a; } }; r = F()(1);",
            "Py_BEGIN_ALLOW_THREADS for (;;) break; Py_END_ALLOW_THREADS",
            "x = ({ int y = f(); y; });",
            "int a[] = { 1, 2 }; P p{1, 2};",
            "if (a) { ; } r = \"return\";",
            "#define OUT return 1\nr = 1;",
            "for (auto it : items) { if (it) break; }",
            "try { f(); } catch (const E& e) { g(); }",
            "",
        ] {
            let found = tokens(text).map_err(Into::into).and_then(|it| statements(&it));
            assert!(found.is_ok(), "{text}: {found:?}");
        }
    }

    #[test]
    fn what_leaves_the_block_is_refused() {
        check("V = 1;\n return 0;", Err("2: `return 0` leaves the block"));
        check("if (a) goto end;", Err("1: `goto end` leaves the block"));
        check("break;", Err("1: `break` leaves the block"));
        check("if (a) { continue; }", Err("1: `continue` leaves the block"));
        check("switch (a) { case 1: continue; }", Err("1: `continue` leaves the block"));
        check("for (;;) {} break;", Err("1: `break` leaves the block"));
        check("longjmp(env, 1);", Err("1: `longjmp ( env , 1 )` leaves the block"));
        check("asm goto (\"\" : : : : l);", Err("1: `asm goto ( \"\" : :` leaves the block"));
        check("MACRO return 1;", Err("1: `return 1` leaves the block"));
        check("f([&] { g(); }); return;", Err("1: `return` leaves the block"));
        check("ret\\\nurn 1;", Err("1: `return 1` leaves the block"));
    }

    #[test]
    fn braces_are_balanced() {
        check("{ a;", Err("1: `{` is not closed"));
        check("a; }", Err("1: `}` closes a brace of the block"));
        check("f(a;", Err("1: `(` is not closed"));
        check("f(a));", Err("1: `)` closes nothing"));
        check("\"a", Err("1: a text or a character has no end"));
    }

    #[test]
    fn declared_names_are_found() {
        check("double a;", Ok(&["a"]));
        check("double a_re, *a_im = 0; PyObject* a_o;", Ok(&["a_re", "a_im", "a_o"]));
        check("typedef struct { int x; } a_t; a_t a;", Ok(&["a_t", "a"]));
        check("struct a_s { int x; }; struct a_s a;", Ok(&["a_s", "a"]));
        check("int (*a_f)(int b), a[3];", Ok(&["a_f", "a"]));
        check("std::map<int, double> a; unsigned long long n_a = f(b), m;", Ok(&["a", "n_a", "m"]));
        check("a = b; f(c); a->b = c; x[1] = 2;", Ok(&[]));
        check("#define a_AT(i) b[i]\nint a;", Ok(&["a_AT", "a"]));
        check("int a __attribute__((unused));", Ok(&["a"]));
        check("enum { A, B = 2 } a;", Ok(&["A", "B", "a"]));
        check("using a = int; { int b; }", Ok(&["a"]));
    }

    #[test]
    fn functions_of_a_file_may_return() {
        let texts = [
            "static double twice(double v) { return 2 * v; } static int ready = 0;",
            "template <typename T> T f(T a) { for (;;) { break; } return a; }",
            "namespace n { int f() { return 1; } }",
            "extern \"C\" { int f(void) { return 1; } }",
            "struct S { S() : a(1) {} int f() { return a; } int a; };",
            "static const int a[] = {1, 2};",
        ];
        for text in texts {
            let found = tokens(text).map_err(Into::into).and_then(|it| declarations(&it));
            assert!(found.is_ok(), "{text}: {found:?}");
        }
        let found = tokens("int f() {").map_err(Into::into).and_then(|it| declarations(&it));
        assert!(found.is_err());
    }
}
