//! Names of operators: `aten::add_.Tensor`, `__iadd__`.

use super::cursor::Cursor;
use crate::codes;
use crate::lex::TokenKind;
use crate::model::{BaseName, OpName, Span, Spanned};

/// Python's in-place methods, without the underscores around them.
const AUGMENTED: [&str; 11] =
    ["iadd", "isub", "imul", "idiv", "imod", "ipow", "ilshift", "irshift", "iand", "ixor", "ior"];

/// Whether a text is a name of the schema language.
pub fn is_identifier(text: &str) -> bool {
    let plain = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
    text.bytes().all(plain) && !text.starts_with(|ch: char| ch.is_ascii_digit()) && !text.is_empty()
}

impl Cursor<'_, '_> {
    /// `ns::base.overload`, up to the parameters.
    pub(super) fn op_name(&mut self) -> Option<Spanned<OpName>> {
        self.tight();
        let start = self.peek().start;
        let mut base = self.word("an operator's name");
        let mut namespace: Option<String> = None;
        while self.peek().kind == TokenKind::PathSep {
            self.tight();
            self.bump();
            self.tight();
            let outer = base.map(|it| it.value);
            base = self.word("an operator's name").filter(|_| outer.is_some());
            let inner = namespace.take().map(|it| format!("{it}::"));
            namespace = outer.map(|it| inner.unwrap_or_default() + it);
        }
        let base = base.and_then(|it| self.base_name(it.value, &it.span));
        let overload = self.overload()?;
        let end = self.peek().gap;
        let span = self.span(start..end.max(start));
        Some(Spanned::new(OpName { namespace, base: base?, overload }, span))
    }

    /// `.Tensor`, `.a.b` or nothing. `None` after a mistake.
    fn overload(&mut self) -> Option<String> {
        let mut overload = String::new();
        while self.peek().is('.') {
            self.tight();
            let dot = self.bump();
            if !matches!(self.peek().kind, TokenKind::Word | TokenKind::Number) {
                let span = self.span(dot.range());
                self.error(codes::OPERATOR_NAME, &span, "no overload name follows the dot")
                    .help("the default overload is written without a dot");
                return None;
            }
            self.tight();
            let segment = self.word("an overload's name")?;
            if !overload.is_empty() {
                overload.push('.');
            }
            overload.push_str(segment.value);
        }
        Some(overload)
    }

    /// Takes the conventions of a base name apart.
    fn base_name(&mut self, text: &str, span: &Span) -> Option<BaseName> {
        if let Some(root) = text.strip_suffix("_out") {
            self.error(codes::OPERATOR_NAME, span, "an operator's name cannot end in `_out`")
                .help(format_args!("an out variant is an overload: `{root}.out`"));
            return None;
        }
        let inner = text.strip_prefix("__").and_then(|it| it.strip_suffix("__"));
        match inner {
            Some(core) if !core.is_empty() && !core.contains('_') => self.dunder(core, span),
            None if text.starts_with("__") => {
                let message = "an operator's name cannot start with two underscores";
                self.error(codes::OPERATOR_NAME, span, message)
                    .note("inside of a class, Python takes such a name for another one")
                    .help("remove one of them; methods of Python itself end in two as well");
                None
            }
            _ => self.plain(text, span),
        }
    }

    fn dunder(&mut self, core: &str, span: &Span) -> Option<BaseName> {
        let (root, inplace) = match core.strip_prefix('i') {
            Some(root) if AUGMENTED.contains(&core) => (root, true),
            Some(_) => {
                let known: Vec<_> = AUGMENTED.iter().map(|it| format!("__{it}__")).collect();
                let message = format!("`__{core}__` is no in-place operator of Python");
                self.error(codes::OPERATOR_NAME, span, message)
                    .note("a name of the form `__i...__` is read as an in-place operator")
                    .suggest(&format!("__{core}__"), known.iter().map(String::as_str));
                return None;
            }
            None => (core, false),
        };
        Some(BaseName { root: root.to_owned(), inplace, dunder: true, functional: false })
    }

    fn plain(&mut self, text: &str, span: &Span) -> Option<BaseName> {
        let inplace = text.ends_with('_');
        let root = text.strip_suffix('_').unwrap_or(text);
        if root.is_empty() || root.ends_with('_') {
            self.error(
                codes::OPERATOR_NAME,
                span,
                "an operator's name cannot end in two underscores",
            )
            .note("one underscore at the end makes an operator in-place")
            .help("remove one of them");
            return None;
        }
        let functional = root.strip_suffix("_functional");
        match functional {
            Some(_) if inplace => {
                self.error(
                    codes::OPERATOR_NAME,
                    span,
                    "an operator cannot be both functional and in-place",
                )
                .help("drop the underscore at the end, or rename it");
                None
            }
            Some("") | None => {
                Some(BaseName { root: root.to_owned(), inplace, dunder: false, functional: false })
            }
            Some(root) => Some(BaseName {
                root: root.to_owned(),
                inplace: false,
                dunder: false,
                functional: true,
            }),
        }
    }
}
