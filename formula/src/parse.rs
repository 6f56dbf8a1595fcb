//! From tokens to a tree.

use std::ops::Range;

use crate::lex::{Token, TokenKind, error, tokens};
use crate::{BinaryOperator, Expr, ExprKind, Name, Path, Prefix, SyntaxError};

/// How deep expressions may lie in one another, so that no text exhausts the stack.
const MAX_DEPTH: usize = 64;

/// Names behind which `<` begins a template and compares nothing.
const TEMPLATES: [&str; 5] = ["tuple", "vector", "optional", "get", "static_cast"];

/// Parses a formula.
///
/// # Errors
///
/// The first place that does not fit, with what was expected there.
pub fn parse(text: &str) -> Result<Expr, SyntaxError> {
    parse_all(text, false)
}

/// The same where arguments may have names: `add(a, b, alpha=2)`.
pub(crate) fn parse_with_keywords(text: &str) -> Result<Expr, SyntaxError> {
    parse_all(text, true)
}

fn parse_all(text: &str, has_keywords: bool) -> Result<Expr, SyntaxError> {
    let mut parser = Parser { text, tokens: tokens(text)?, at: 0, depth: 0, has_keywords };
    let formula = parser.expression()?;
    if parser.peek().kind != TokenKind::End {
        return Err(parser.expected("the end of the formula"));
    }
    Ok(formula)
}

struct Parser<'t> {
    text: &'t str,
    /// The last one is the end.
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    has_keywords: bool,
}

impl Parser<'_> {
    fn expression(&mut self) -> Result<Expr, SyntaxError> {
        self.deeper(|parser| {
            let condition = parser.binary(0)?;
            if !parser.take("?") {
                return Ok(condition);
            }
            let then = parser.expression()?;
            parser.expect(":")?;
            let otherwise = parser.expression()?;
            let range = condition.range.start..otherwise.range.end;
            let kind = ExprKind::Conditional {
                condition: condition.into(),
                then: then.into(),
                otherwise: otherwise.into(),
            };
            Ok(Expr { kind, range })
        })
    }

    /// Operands with operators between them that bind at least so strongly.
    fn binary(&mut self, level: u8) -> Result<Expr, SyntaxError> {
        let mut left = self.prefixed()?;
        while let Some(operator) = self.operator().filter(|it| it.level() >= level) {
            self.at += 1;
            let right = self.deeper(|parser| parser.binary(operator.level() + 1))?;
            let range = left.range.start..right.range.end;
            let kind = ExprKind::Binary { operator, left: left.into(), right: right.into() };
            left = Expr { kind, range };
        }
        Ok(left)
    }

    fn prefixed(&mut self) -> Result<Expr, SyntaxError> {
        let start = self.peek().range.start;
        let prefix = match self.sign() {
            Some("-") => Prefix::Neg,
            Some("!") => Prefix::Not,
            Some("*") => Prefix::Deref,
            _ => return self.postfix(),
        };
        self.at += 1;
        let operand = self.deeper(Self::prefixed)?;
        let range = start..operand.range.end;
        Ok(Expr { kind: ExprKind::Prefix { prefix, operand: operand.into() }, range })
    }

    fn postfix(&mut self) -> Result<Expr, SyntaxError> {
        let mut object = self.primary()?;
        loop {
            let start = object.range.start;
            let kind = if self.take(".") || self.take("->") {
                let name = self.name("the name of a method")?;
                self.expect("(")?;
                ExprKind::Method { object: object.into(), name, args: self.list(")")? }
            } else if self.take("[") {
                let index = self.expression()?;
                self.expect("]")?;
                ExprKind::Index { object: object.into(), index: index.into() }
            } else {
                return Ok(object);
            };
            object = Expr { kind, range: start..self.end() };
        }
    }

    fn primary(&mut self) -> Result<Expr, SyntaxError> {
        let Token { kind, range } = self.peek().clone();
        let start = range.start;
        let kind = match (kind, &self.text[range.clone()]) {
            (TokenKind::Number, text) => {
                self.at += 1;
                number(text, &range)?
            }
            (TokenKind::Str, text) => {
                self.at += 1;
                ExprKind::Str(text[1..text.len() - 1].to_owned())
            }
            (TokenKind::Sign, "(") => {
                self.at += 1;
                let inner = self.expression()?;
                self.expect(")")?;
                return Ok(Expr { range: start..self.end(), ..inner });
            }
            (TokenKind::Sign, "{") => {
                self.at += 1;
                ExprKind::List(self.list("}")?)
            }
            (TokenKind::Sign, "[") => self.lambda()?,
            (TokenKind::Word, _) | (TokenKind::Sign, "::") => self.named()?,
            _ => return Err(self.expected("an expression")),
        };
        Ok(Expr { kind, range: start..self.end() })
    }

    /// A name, or the call of one.
    fn named(&mut self) -> Result<ExprKind, SyntaxError> {
        let path = self.path()?;
        let takes_template = TEMPLATES.contains(&path.last().text.as_str());
        let template = match takes_template && self.sign() == Some("<") {
            true => Some(self.template()?),
            false => None,
        };
        if template.is_some() {
            self.expect("(")?;
        } else if !self.take("(") {
            return Ok(ExprKind::Name(path));
        }
        Ok(ExprKind::Call { function: path, template, args: self.list(")")? })
    }

    fn path(&mut self) -> Result<Path, SyntaxError> {
        self.take("::");
        let mut names = vec![self.name("a name")?];
        while self.take("::") {
            names.push(self.name("a name")?);
        }
        Ok(Path { names })
    }

    /// What stands in `<` and `>`.
    fn template(&mut self) -> Result<Name, SyntaxError> {
        let open = self.peek().range.clone();
        let mut depth = 0;
        loop {
            depth = match self.sign() {
                Some("<") => depth + 1,
                Some(">") => depth - 1,
                _ if self.peek().kind == TokenKind::End => {
                    return Err(error(open, "the template does not end"));
                }
                _ => depth,
            };
            self.at += 1;
            if depth == 0 {
                let range = open.end..self.end() - 1;
                return Ok(Name { text: self.text[range.clone()].to_owned(), range });
            }
        }
    }

    /// `[](SymInt i) { return -i; }`
    fn lambda(&mut self) -> Result<ExprKind, SyntaxError> {
        for sign in ["[", "]", "("] {
            self.expect(sign)?;
        }
        self.path()?;
        let param = self.name("the name of the parameter")?;
        for sign in [")", "{"] {
            self.expect(sign)?;
        }
        let word = self.name("`return`")?;
        if word.text != "return" {
            return Err(error(word.range, format!("expected `return`, found `{}`", word.text)));
        }
        let body = self.expression()?.into();
        for sign in [";", "}"] {
            self.expect(sign)?;
        }
        Ok(ExprKind::Lambda { param, body })
    }

    /// Expressions with commas between them, up to a sign.
    fn list(&mut self, end: &'static str) -> Result<Vec<Expr>, SyntaxError> {
        let mut items = Vec::new();
        if self.take(end) {
            return Ok(items);
        }
        loop {
            items.push(self.item()?);
            if self.take(end) {
                return Ok(items);
            }
            if !self.take(",") {
                return Err(self.expected(&format!("`,` or `{end}`")));
            }
        }
    }

    /// An expression, or a name with what it gets.
    fn item(&mut self) -> Result<Expr, SyntaxError> {
        let expr = self.expression()?;
        if !self.has_keywords || !self.take("=") {
            return Ok(expr);
        }
        let Some(name) = expr.name().cloned() else {
            return Err(error(expr.range, "expected the name of a parameter before `=`"));
        };
        let value = self.expression()?;
        let range = name.range.start..value.range.end;
        Ok(Expr { kind: ExprKind::Keyword { name, value: value.into() }, range })
    }

    fn name(&mut self, what: &str) -> Result<Name, SyntaxError> {
        let Token { kind, range } = self.peek().clone();
        if kind != TokenKind::Word {
            return Err(self.expected(what));
        }
        self.at += 1;
        Ok(Name { text: self.text[range.clone()].to_owned(), range })
    }

    fn operator(&self) -> Option<BinaryOperator> {
        let sign = self.sign()?;
        BinaryOperator::ALL.iter().copied().find(|it| it.sign() == sign)
    }

    fn sign(&self) -> Option<&str> {
        let token = self.peek();
        (token.kind == TokenKind::Sign).then(|| &self.text[token.range.clone()])
    }

    /// Goes past a sign, if it is the next one.
    fn take(&mut self, sign: &str) -> bool {
        let is_next = self.sign() == Some(sign);
        self.at += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, sign: &str) -> Result<(), SyntaxError> {
        if self.take(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.at]
    }

    /// The end of the token before this one.
    fn end(&self) -> usize {
        self.tokens[self.at - 1].range.end
    }

    fn expected(&self, what: &str) -> SyntaxError {
        let Token { kind, range } = self.peek();
        let found = match kind {
            TokenKind::End => "the end".to_owned(),
            _ => format!("`{}`", &self.text[range.clone()]),
        };
        error(range.clone(), format!("expected {what}, found {found}"))
    }

    fn deeper<T>(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Result<T, SyntaxError>,
    ) -> Result<T, SyntaxError> {
        if self.depth == MAX_DEPTH {
            let range = self.peek().range.clone();
            return Err(error(range, "expressions lie too deep in one another"));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }
}

fn number(text: &str, range: &Range<usize>) -> Result<ExprKind, SyntaxError> {
    let is_int = text.bytes().all(|it| it.is_ascii_digit());
    let kind = match is_int {
        true => text.parse().ok().map(ExprKind::Int),
        false => text.parse().ok().filter(|it: &f64| it.is_finite()).map(ExprKind::Float),
    };
    kind.ok_or_else(|| error(range.clone(), format!("`{text}` is no number")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tree with parentheses around everything.
    fn shown(expr: &Expr) -> String {
        let list = |items: &[Expr]| items.iter().map(shown).collect::<Vec<_>>().join(", ");
        match &expr.kind {
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Float(value) => format!("{value:?}"),
            ExprKind::Str(text) => format!("{text:?}"),
            ExprKind::Name(path) => path.to_string(),
            ExprKind::Call { function, template: None, args } => {
                format!("{function}({})", list(args))
            }
            ExprKind::Call { function, template: Some(it), args } => {
                format!("{function}<{}>({})", it.text, list(args))
            }
            ExprKind::Keyword { name, value } => format!("{}={}", name.text, shown(value)),
            ExprKind::Method { object, name, args } => {
                format!("{}.{}({})", shown(object), name.text, list(args))
            }
            ExprKind::Index { object, index } => format!("{}[{}]", shown(object), shown(index)),
            ExprKind::Prefix { prefix, operand } => format!("({prefix:?} {})", shown(operand)),
            ExprKind::Binary { operator, left, right } => {
                format!("({} {} {})", shown(left), operator.sign(), shown(right))
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                format!("({} ? {} : {})", shown(condition), shown(then), shown(otherwise))
            }
            ExprKind::List(items) => format!("{{{}}}", list(items)),
            ExprKind::Lambda { param, body } => format!("[{}] {}", param.text, shown(body)),
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let formula = parse(text).unwrap_or_else(|it| panic!("{it} at {:?}", it.range));
        assert_eq!(shown(&formula), expected);
    }

    #[track_caller]
    fn refuse(text: &str, at: Range<usize>, expected: &str) {
        let found = parse(text).unwrap_err();
        assert_eq!((found.message.as_str(), found.range), (expected, at));
    }

    #[test]
    fn operators_bind_as_in_c() {
        check("a + b * c - d", "((a + (b * c)) - d)");
        check("a & b == c", "(a & (b == c))");
        check("a || b && !c", "(a || (b && (Not c)))");
        check("-a * b", "((Neg a) * b)");
        check("a - -b", "(a - (Neg b))");
        check("(a + b) / 2", "((a + b) / 2)");
        check("a ? b : c ? d : e", "(a ? b : (c ? d : e))");
        check("a >= 0 || *eps < 1.5e-3", "((a >= 0) || ((Deref eps) < 0.0015))");
    }

    #[test]
    fn calls_may_have_namespaces_and_templates() {
        check("at::where(x, 0)", "at::where(x, 0)");
        check("::std::tuple<Tensor, Tensor>()", "std::tuple<Tensor, Tensor>()");
        check("std::get<1>(x)", "std::get<1>(x)");
        check("size < x", "(size < x)");
        check("x->size().f()", "x.size().f()");
        check(
            "grads[0].defined() ? f({a, {}}) : at::Reduction::None",
            "(grads[0].defined() ? f({a, {}}) : at::Reduction::None)",
        );
        check("f(g, /*largest=*/ true, \"tanh\")", "f(g, true, \"tanh\")");
        check("fmap(x, [](c10::SymInt i) { return -i; })", "fmap(x, [i] (Neg i))");
    }

    #[test]
    fn places_are_those_of_the_text() {
        let formula = parse(" f( x ) * (a + b)").unwrap();
        let ExprKind::Binary { left, right, .. } = &formula.kind else { panic!() };
        assert_eq!((formula.range.clone(), left.range.clone()), (1..17, 1..7));
        assert_eq!(right.range, 10..17);
    }

    #[test]
    fn what_does_not_fit_has_a_place() {
        refuse("", 0..0, "expected an expression, found the end");
        refuse("grad *", 6..6, "expected an expression, found the end");
        refuse("f(a b)", 4..5, "expected `,` or `)`, found `b`");
        refuse("a ? b", 5..5, "expected `:`, found the end");
        refuse("a b", 2..3, "expected the end of the formula, found `b`");
        refuse("x.size", 6..6, "expected `(`, found the end");
        refuse("2.0f * x", 0..4, "`2.0f` is no number");
        refuse("99999999999999999999", 0..20, "`99999999999999999999` is no number");
        refuse("f(\"tanh)", 2..8, "the text does not end");
        refuse("a /* b", 2..6, "the comment does not end");
        refuse("std::get<1 (x)", 8..9, "the template does not end");
        refuse("[](SymInt i) { give i; }", 15..19, "expected `return`, found `give`");
    }

    #[test]
    fn depth_is_limited() {
        for (open, close) in [("(", ")"), ("-", ""), ("f(", ")"), ("{", "}"), ("a ? b : ", "")] {
            let deep = format!("{}x{}", open.repeat(100), close.repeat(100));
            let error = parse(&deep).unwrap_err();
            assert_eq!(error.message, "expressions lie too deep in one another");
        }
        assert!(parse(&format!("{}x", "x + ".repeat(1_500))).is_ok());
        let long = format!("{}x", "x + ".repeat(5_000));
        assert_eq!(parse(&long).unwrap_err().message, "the formula is too long");
    }
}
