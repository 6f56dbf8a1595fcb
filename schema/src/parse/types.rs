//! Types and alias annotations: `Tensor(a!)[]`, `int[2]?`.

use opwright_diagnostics::diag::nearest;

use super::cursor::Cursor;
use crate::codes;
use crate::lex::TokenKind;
use crate::model::{AliasTarget, Annotation, BaseType, Span, Spanned, Type};
use crate::print::CLASS_PREFIX;
use crate::types::{NativeType, Natives};

/// Suffixes on one type; more than anybody writes, fewer than overflow a stack.
const MAX_SUFFIXES: usize = 8;

/// A size is how often one number is repeated, once for each dimension; no
/// tensor has more of these.
const MAX_LIST: u32 = 64;

/// Names that people bring from other languages.
const FOREIGN: [(&str, &str); 16] = [
    ("double", "float"),
    ("complex", "Scalar"),
    ("number", "Scalar"),
    ("long", "int"),
    ("int64_t", "int"),
    ("i64", "int"),
    ("usize", "int"),
    ("f64", "float"),
    ("boolean", "bool"),
    ("string", "str"),
    ("String", "str"),
    ("dtype", "ScalarType"),
    ("DType", "ScalarType"),
    ("TensorList", "Tensor[]"),
    ("IntArrayRef", "int[]"),
    ("Optional", "T?"),
];

type Annotated = (Spanned<Type>, Option<Spanned<Annotation>>);

impl Cursor<'_, '_> {
    /// A type with the annotation that may follow `Tensor`.
    pub(super) fn annotated_type(&mut self) -> Option<Annotated> {
        let start = self.peek().start;
        let base = self.base_type()?;
        let base_end = self.peek().gap;
        let annotation = self.annotation(base.as_ref(), start..base_end)?;
        let ty =
            self.suffixes(base.clone().map_or(Type::Base(BaseType::Tensor), Type::Base), start)?;
        let span = self.span(start..self.peek().gap);
        if let Some(annotation) = &annotation {
            self.check_annotated(&ty, &annotation.span)?;
        }
        if self.peek().is('(') && self.peek().gap == self.peek().start {
            self.late_annotation();
            return None;
        }
        base.map(|_| (Spanned::new(ty, span), annotation))
    }

    /// The base type of a word.
    pub(super) fn named_type(&self, text: &str) -> Option<BaseType> {
        let is_like_another = || {
            FOREIGN.iter().any(|(foreign, _)| *foreign == text)
                || !text.starts_with(|it: char| it.is_ascii_uppercase())
                || nearest(text, BaseType::NAMES.iter().copied()).is_some()
        };
        BaseType::from_name(text)
            .or_else(|| self.natives.find(text, is_like_another).map(BaseType::Native))
    }

    /// The word of a base type. The inner `None` is an unknown one, reported.
    fn base_type(&mut self) -> Option<Option<BaseType>> {
        let token = self.peek();
        if !matches!(token.kind, TokenKind::Word | TokenKind::Number) {
            self.expected("a type");
            return None;
        }
        if self.text(token.range()) == "__torch__" {
            return self.class_type().map(Some);
        }
        self.bump();
        let text = self.text(token.range());
        if let Some(base) = self.named_type(text) {
            return Some(Some(base));
        }
        let span = self.span(token.range());
        let natives = match self.natives {
            Natives::Of(natives) => natives,
            Natives::Unknown => &[],
        };
        let known = BaseType::NAMES.iter().copied().chain(natives.iter().map(NativeType::name));
        let error = self.error(codes::UNKNOWN_TYPE, &span, format_args!("unknown type `{text}`"));
        match FOREIGN.iter().find(|(foreign, _)| *foreign == text) {
            Some((_, ours)) => error.help(format_args!("did you mean `{ours}`?")),
            None => error.suggest(text, known),
        };
        Some(None)
    }

    /// `__torch__.torch.classes.quantized.Conv2d`.
    fn class_type(&mut self) -> Option<BaseType> {
        let start = self.bump().start;
        while self.peek().is('.') && self.peek().gap == self.peek().start {
            self.bump();
            if matches!(self.peek().kind, TokenKind::Word | TokenKind::Number) {
                self.bump();
            }
        }
        let range = start..self.peek().gap;
        let text = self.text(range.clone());
        match text
            .strip_prefix(CLASS_PREFIX)
            .filter(|it| !it.is_empty() && it.is_ascii() && !it.contains(' '))
        {
            Some(name) => Some(BaseType::Class(name.to_owned())),
            None => {
                let span = self.span(range);
                self.error(codes::UNKNOWN_TYPE, &span, format_args!("unknown type `{text}`"))
                    .help(format_args!("a custom class is written `{CLASS_PREFIX}<name>`"));
                None
            }
        }
    }

    /// `?`, `[]` and `[2]`, from the inside out.
    fn suffixes(&mut self, mut ty: Type, start: usize) -> Option<Type> {
        for _ in 0..MAX_SUFFIXES {
            ty = match self.peek().kind {
                TokenKind::Char('?') => self.optional(ty, start)?,
                TokenKind::Char('[') => Type::List(Box::new(ty), self.list_size()?),
                _ => return Some(ty),
            };
        }
        if !self.peek().is('?') && !self.peek().is('[') {
            return Some(ty);
        }
        let span = self.span(start..self.peek().end);
        self.error(codes::NESTED_TOO_DEEP, &span, "this type is nested too deeply")
            .help("use fewer `?` and `[]`");
        None
    }

    fn optional(&mut self, inner: Type, start: usize) -> Option<Type> {
        self.tight();
        let token = self.bump();
        if matches!(inner, Type::Optional(_)) {
            let span = self.span(start..token.end);
            self.error(codes::TYPE_SUFFIX, &span, "a type cannot be optional twice")
                .help("remove one `?`");
            return None;
        }
        Some(Type::Optional(Box::new(inner)))
    }

    /// `[]`, `[2]`. The inner value is the size.
    fn list_size(&mut self) -> Option<Option<u32>> {
        self.tight();
        let open = self.bump();
        self.tight();
        if self.peek().is(']') {
            self.bump();
            return Some(None);
        }
        let token = self.peek();
        if !matches!(token.kind, TokenKind::Number | TokenKind::Word) {
            self.expected("`]` or the size of the list");
            return None;
        }
        self.bump();
        let text = self.text(token.range());
        let size = text.parse::<u32>().ok();
        let size = size.filter(|it| it.to_string() == text && (1..=MAX_LIST).contains(it));
        if size.is_none() {
            let span = self.span(token.range());
            self.error(codes::LIST_SIZE, &span, format_args!("`{text}` is not the size of a list"))
                .help(format_args!("write a number from 1 to {MAX_LIST}, or `[]` for any length"))
                .note("one number stands for as many as the size says");
        }
        self.tight();
        if !self.peek().is(']') {
            let span = self.span(open.range());
            self.expected("`]`").also(&span, "opened here");
            return None;
        }
        self.bump();
        size.map(Some)
    }

    /// `(a!)`, `(a -> *)` directly after a base type. The outer `None` is a
    /// mistake, the inner one the absence of an annotation.
    fn annotation(
        &mut self,
        base: Option<&BaseType>,
        of: std::ops::Range<usize>,
    ) -> Option<Option<Spanned<Annotation>>> {
        let open = self.peek();
        if !open.is('(') || open.gap != open.start {
            return Some(None);
        }
        self.bump();
        let Some(annotation) = self.annotation_body() else {
            // Reported: go on behind it.
            self.skip_to_separator();
            self.peek().is(')').then(|| self.bump())?;
            return Some(None);
        };
        if !self.peek().is(')') {
            self.expected("`)` after the alias annotation");
            return None;
        }
        self.tight();
        let close = self.bump();
        let span = self.span(open.start..close.end);
        if let Some(base) = base.filter(|it| **it != BaseType::Tensor) {
            let text = self.text(of).to_owned();
            self.error(
                codes::ANNOTATION,
                &span,
                format_args!("`{text}` cannot carry an alias annotation"),
            )
            .note(format_args!("a value of type `{base}` is never shared, only a `Tensor` is"))
            .help("remove it");
            return None;
        }
        Some(Some(Spanned::new(annotation, span)))
    }

    fn annotation_body(&mut self) -> Option<Annotation> {
        let start = self.peek().start;
        self.tight();
        let before = self.alias_set()?;
        let write = self.peek().is('!');
        if write {
            self.tight();
            self.bump();
        }
        let before_end = self.peek().gap;
        if self.peek().is('|') {
            let span = self.span(start..self.peek().end);
            self.error(codes::ANNOTATION, &span, "only one alias set can be written to")
                .help("write one set: `a!`");
            return None;
        }
        let mut after = None;
        if self.peek().kind == TokenKind::Arrow {
            self.arrow();
            after = Some(self.alias_target()?);
        }
        let many_after = matches!(&after, Some(AliasTarget::Sets(sets)) if sets.len() > 1);
        let problem = match (before.len() > 1, write, many_after) {
            (true, true, _) => "only one alias set can be written to",
            (true, false, true) => "there are several alias sets on both sides of `->`",
            _ => return Some(Annotation { before, write, after }),
        };
        let end = if many_after { self.peek().gap } else { before_end };
        let span = self.span(start..end);
        self.error(codes::ANNOTATION, &span, problem).help("write one set where several stand");
        None
    }

    fn alias_target(&mut self) -> Option<AliasTarget> {
        if !self.peek().is('*') {
            return self.alias_set().map(AliasTarget::Sets);
        }
        self.bump();
        Some(AliasTarget::Wildcard)
    }

    /// `a`, `a|b`.
    fn alias_set(&mut self) -> Option<Vec<char>> {
        let start = self.peek().start;
        let mut sets = vec![self.alias_letter()?];
        while self.peek().is('|') {
            self.tight();
            self.bump();
            self.tight();
            sets.push(self.alias_letter()?);
        }
        if sets.len() > 2 {
            let span = self.span(start..self.peek().gap);
            self.error(codes::ANNOTATION, &span, "a value belongs to at most two alias sets")
                .help("write `a` or `a|b`");
            return None;
        }
        Some(sets)
    }

    fn alias_letter(&mut self) -> Option<char> {
        let token = self.peek();
        let text = self.text(token.range());
        let mut chars = text.chars();
        if let (Some(letter @ 'a'..='z'), None) = (chars.next(), chars.next()) {
            self.bump();
            return Some(letter);
        }
        let span = self.span(token.range());
        let message = match token.is(')') {
            true => "an alias annotation is empty".to_owned(),
            false => format!("`{text}` is not an alias set"),
        };
        self.error(codes::ANNOTATION, &span, message)
            .help("an alias set is one lower-case letter: `Tensor(a!)`");
        None
    }

    fn check_annotated(&mut self, ty: &Type, span: &Span) -> Option<()> {
        let inner = match ty {
            Type::Base(_) => return Some(()),
            Type::Optional(inner) | Type::List(inner, None) => inner.as_ref(),
            Type::List(_, Some(_)) => ty,
        };
        if matches!(inner, Type::Base(_)) {
            return Some(());
        }
        self.error(
            codes::ANNOTATION,
            span,
            format_args!("`{ty}` cannot carry an alias annotation"),
        )
        .note("only `Tensor`, `Tensor?` and `Tensor[]` can");
        None
    }

    /// `Tensor?(a)`: behind the suffix.
    fn late_annotation(&mut self) {
        let open = self.bump();
        self.skip_to_separator();
        let end = if self.peek().is(')') { self.bump().end } else { self.peek().gap };
        let span = self.span(open.start..end);
        let text = self.text(open.start..end).to_owned();
        self.error(codes::ANNOTATION, &span, "an alias annotation follows the word `Tensor`")
            .help(format_args!("write it there: `Tensor{text}`"));
    }
}
