//! The schema language, by recursive descent: text in, [`Schema`] out.
//!
//! Every mistake is reported at the exact text that is wrong, and parsing goes
//! on behind it. What is accepted prints back byte for byte. Whether a schema
//! makes sense is the matter of [`validate`]; of a schema with
//! mistakes, its sound parts are handed there from here.

mod cursor;
mod default;
mod name;
mod types;

use opwright_diagnostics::diag::Diagnostics;

use crate::codes;
use crate::lex::TokenKind;
use crate::model::{BaseType, Default, OpName, Param, Return, Role, Schema, Span, Spanned, Type};
use crate::types::Natives;
use crate::validate;

pub(crate) use cursor::Cursor;
pub use name::is_identifier;

/// What could be read of a schema.
#[derive(Clone, Debug)]
pub enum Parsed {
    /// Everything.
    Sound(Schema),
    /// Its name, if that much; there was a mistake.
    Broken(Option<OpName>),
}

impl Parsed {
    /// The schema, if there was no mistake.
    pub fn sound(self) -> Option<Schema> {
        match self {
            Parsed::Sound(schema) => Some(schema),
            Parsed::Broken(_) => None,
        }
    }
}

/// Parses the text of a schema, which stands at `span`.
///
/// If the text and the place differ in length, because the text was written
/// with escapes or over several lines, mistakes are shown at the whole place.
pub fn parse_schema(cx: &mut Diagnostics, natives: Natives<'_>, text: &str, span: &Span) -> Parsed {
    let before = cx.error_count();
    let mut cursor = Cursor::new(cx, text, span);
    cursor.natives = natives;
    let name = cursor.op_name();
    let mut params = Vec::new();
    let goes_on = cursor.params(&mut params);
    let returns = goes_on.then(|| cursor.returns()).flatten();
    match (name, returns) {
        (Some(name), Some(returns)) if cx.error_count() == before => {
            let Spanned { value: name, span: name_span } = name;
            Parsed::Sound(Schema { name, params, returns, span: span.clone(), name_span })
        }
        (name, returns) => {
            validate::parts(cx, &params, &returns.unwrap_or_default());
            Parsed::Broken(name.map(|it| it.value))
        }
    }
}

/// Parses the name of an operator alone: `add.out`.
pub fn parse_op_name(cx: &mut Diagnostics, text: &str, span: &Span) -> Option<Spanned<OpName>> {
    let mut cursor = Cursor::new(cx, text, span);
    let name = cursor.op_name()?;
    cursor.expect_end("the operator's name").then_some(name)
}

/// Parses a default alone: `1e-05`, `'linear'`, `[0,1]`.
pub fn parse_default(
    cx: &mut Diagnostics,
    text: &str,
    span: &Span,
    param: &str,
) -> Option<Spanned<Default>> {
    let mut cursor = Cursor::new(cx, text, span);
    let default = cursor.default(param)?;
    cursor.expect_end("the default").then_some(default)
}

/// Parses a type alone: `Tensor?[]`.
pub fn parse_type(cx: &mut Diagnostics, text: &str, span: &Span) -> Option<Type> {
    let mut cursor = Cursor::new(cx, text, span);
    let (ty, _) = cursor.annotated_type()?;
    cursor.expect_end("the type").then_some(ty.value)
}

/// Parses a parameter alone, as in a list of precomputed values.
pub(crate) fn parse_param(cx: &mut Diagnostics, text: &str, span: &Span) -> Option<Param> {
    let mut cursor = Cursor::new(cx, text, span);
    let param = cursor.param()?;
    cursor.expect_end("the parameter").then_some(param)
}

impl Cursor<'_, '_> {
    /// `(Tensor self, *, Scalar alpha=1)`. Whether the returns may follow.
    fn params(&mut self, params: &mut Vec<Param>) -> bool {
        if !self.peek().is('(') {
            self.expected("`(` after the operator's name")
                .help("a schema is written `name(Tensor self) -> Tensor`");
            return false;
        }
        self.tight();
        self.bump();
        params.reserve(self.commas() + 1);
        let mut star = None;
        let mut keyword = usize::MAX;
        if self.peek().is(')') {
            self.tight();
            self.bump();
            return true;
        }
        self.tight();
        loop {
            if self.peek().is('*') {
                self.star(&mut star);
                keyword = keyword.min(params.len());
            } else if let Some(param) = self.param() {
                params.push(param);
            } else {
                self.skip_to_separator();
            }
            if !self.next_item(')', "parameter") {
                break;
            }
        }
        let goes_on = self.eat_close(')') || self.peek().kind == TokenKind::Arrow;
        assign_roles(self.cx, params, keyword);
        goes_on
    }

    /// `*`, once, with something behind it. The inner value is its place
    /// until a parameter follows.
    fn star(&mut self, star: &mut Option<Option<Span>>) {
        let token = self.bump();
        let span = self.span(token.range());
        if let Some(first) = star {
            let first = first.clone();
            let error = self.error(codes::STAR, &span, "`*` occurs twice");
            if let Some(first) = first {
                error.also(&first, "first here");
            }
            error.help("keyword-only parameters follow one `*`");
            return;
        }
        if self.peek().is(')') {
            self.error(codes::STAR, &span, "no parameter follows `*`")
                .help("remove it, or put the keyword-only parameters behind it");
        }
        *star = Some(Some(span));
    }

    /// `Tensor(a!)? self=None`.
    fn param(&mut self) -> Option<Param> {
        if self.reports_bare_word() {
            return None;
        }
        let (ty, annotation) = self.annotated_type()?;
        self.one_space("between type and name");
        let name = self.name("a parameter's name")?;
        let default = match self.peek().is('=') {
            true => {
                self.tight();
                self.bump();
                Some(self.default(&name.value)?)
            }
            false => None,
        };
        Some(Param { name, ty, annotation, default, role: Role::Positional })
    }

    /// Reports a parameter that is a type without a name, a name without a
    /// type, or `...`.
    fn reports_bare_word(&mut self) -> bool {
        let (first, second) = (self.peek(), self.peek_second());
        if first.is('.') {
            let span = self.span(first.range());
            self.error(codes::NOT_A_PARAMETER, &span, "expected a parameter, found `...`")
                .help("a variable number of values is a list: `Tensor[] tensors`");
            return true;
        }
        let alone = second.is(',') || second.is(')') || second.is('=');
        if first.kind != TokenKind::Word || !alone {
            return false;
        }
        let text = self.text(first.range());
        let is_type = self.named_type(text).is_some();
        let (what, help) = match is_type {
            true => ("name", format!("write the name behind it: `{text} self`")),
            false => ("type", format!("write the type in front: `Tensor {text}`")),
        };
        let span = self.span(first.range());
        let message = format!("parameter `{text}` has no {what}");
        self.error(codes::NOT_A_PARAMETER, &span, message).help(help);
        true
    }

    /// `-> Tensor`, `-> ()`, `-> (Tensor values, Tensor indices)`.
    fn returns(&mut self) -> Option<Vec<Return>> {
        if self.peek().kind != TokenKind::Arrow {
            self.expected("` -> ` and what is returned")
                .help("an operator without a result returns `()`");
            return None;
        }
        self.arrow();
        let returns = match self.peek().is('(') {
            true => self.return_list()?,
            false => vec![self.single_return()?],
        };
        self.expect_end("the returns").then_some(returns)
    }

    /// `(Tensor, Tensor)`, `()`.
    fn return_list(&mut self) -> Option<Vec<Return>> {
        let open = self.bump();
        let mut returns = Vec::new();
        self.tight();
        if self.peek().is(')') {
            self.bump();
            return Some(returns);
        }
        loop {
            match self.single_return() {
                Some(ret) => returns.push(ret),
                None => self.skip_to_separator(),
            }
            if !self.next_item(')', "return") {
                break;
            }
        }
        let close = self.peek();
        if !self.eat_close(')') {
            return None;
        }
        if let [single] = returns.as_slice() {
            let span = self.span(open.start..close.end);
            let help = format!("write `{single}`");
            self.error(codes::NOT_CANONICAL, &span, "parentheses around a single return")
                .help(help);
        }
        Some(returns)
    }

    fn single_return(&mut self) -> Option<Return> {
        if matches!(self.peek().kind, TokenKind::End) || self.peek().is(')') {
            self.expected("the type of a return").help("an operator without a result returns `()`");
            return None;
        }
        let (ty, annotation) = self.annotated_type()?;
        let name = match self.peek().kind {
            TokenKind::Word | TokenKind::Number => {
                self.one_space("between type and name");
                Some(self.name("a return's name")?)
            }
            _ => None,
        };
        Some(Return { name, ty, annotation })
    }
}

/// Gives parameters their parts: those from `keyword` on follow `*`. Reports
/// what follows an out parameter, and a second set of tensor options.
pub fn assign_roles(cx: &mut Diagnostics, params: &mut [Param], keyword: usize) {
    for (at, param) in params.iter_mut().enumerate() {
        param.role = match (at >= keyword, param.writes()) {
            (false, _) => Role::Positional,
            (true, true) => Role::Out,
            (true, false) => Role::Keyword,
        };
    }
    late_parameters(cx, params);
    tensor_options(cx, params);
}

fn late_parameters(cx: &mut Diagnostics, params: &[Param]) {
    let Some(out) = params.iter().position(|it| it.role == Role::Out) else { return };
    let name = &params[out].name;
    for late in params[out..].iter().filter(|it| it.role == Role::Keyword) {
        let message = format!("`{}` follows the out parameter", late.name.value);
        cx.error(codes::OUT_ORDER, &late.name.span, message)
            .also(&name.span, "out parameters come last")
            .help(format_args!("move it in front of `{}`", name.value));
    }
}

fn tensor_options(cx: &mut Diagnostics, params: &mut [Param]) {
    let mut seen: Option<Span> = None;
    for start in 0..params.len() {
        let Some(bundle) = params.get_mut(start..start + OPTIONS.len()) else { break };
        if !is_options(bundle) {
            continue;
        }
        bundle.iter_mut().for_each(|it| it.role = Role::Option);
        let span = bundle[0].name.span.clone();
        if let Some(first) = &seen {
            cx.error(codes::OPTIONS_TWICE, &span, "a second set of tensor options")
                .also(first, "the first set")
                .help("remove one of them");
        }
        seen.get_or_insert(span);
    }
}

/// The tensor options, which only count in this order and with these types.
const OPTIONS: [(&str, BaseType); 4] = [
    ("dtype", BaseType::ScalarType),
    ("layout", BaseType::Layout),
    ("device", BaseType::Device),
    ("pin_memory", BaseType::Bool),
];

fn is_options(bundle: &[Param]) -> bool {
    bundle.iter().zip(&OPTIONS).all(|(param, (name, base))| {
        let ty = match &param.ty.value {
            Type::Optional(inner) => inner.as_ref(),
            other => other,
        };
        param.role == Role::Keyword && param.name.value == *name && *ty == Type::Base(base.clone())
    })
}
