//! The key `functional` below `python`: the function of `nn.functional` that calls the operator.

use opwright_diagnostics::diag::Diagnostics;

use super::python_name::check_name;
use crate::codes;
use crate::functional::{FunctionalRole, Word, is_reduction, listed};
use crate::keys::Field;
use crate::model::{Functional, FunctionalParam, Param, Schema, Spanned};
use crate::names::python_param;
use crate::parse::Cursor;

/// Reads `dropout(input, p=0.5, train as training=True, inplace)`.
pub(super) fn read(cx: &mut Diagnostics, field: &Field<'_, '_>) -> Option<Functional> {
    let text = field.code(cx)?;
    let before = cx.error_count();
    let functional = Cursor::new(cx, text.value, &text.span).functional()?;
    check_name(cx, &functional.name);
    for param in &functional.params {
        check_name(cx, param.name());
    }
    (cx.error_count() == before).then_some(functional)
}

impl Cursor<'_, '_> {
    fn functional(&mut self) -> Option<Functional> {
        let name = self.name("a function's name")?;
        if !self.peek().is('(') {
            self.expected("`(` after the function's name")
                .help("a function is written with its parameters: `elu(input, alpha, inplace)`");
            return None;
        }
        self.tight();
        self.bump();
        self.tight();
        let mut params = Vec::new();
        loop {
            match self.functional_param() {
                Some(param) => params.push(param),
                None => self.skip_to_separator(),
            }
            if !self.next_item(')', "parameter") {
                break;
            }
        }
        let is_whole = self.eat_close(')') && self.expect_end("the function's parameters");
        is_whole.then_some(Functional { name, params })
    }

    /// `p`, `p=0.5`, `train as training=True`.
    fn functional_param(&mut self) -> Option<FunctionalParam> {
        let of = self.name("a parameter's name")?;
        let mut renamed = None;
        if self.text(self.peek().range()) == "as" {
            self.one_space("before `as`");
            self.bump();
            self.one_space("after `as`");
            renamed = Some(self.name("another name of the parameter")?);
        }
        let mut default = None;
        if self.peek().is('=') {
            self.tight();
            self.bump();
            default = Some(self.default(&of.value)?);
        }
        Some(FunctionalParam { of, renamed, default })
    }
}

/// What a function lists, compared with the operator that it calls.
pub(super) fn check(cx: &mut Diagnostics, functional: &Functional, schema: &Schema) {
    let mut defaulted: Option<&FunctionalParam> = None;
    for (at, param) in functional.params.iter().enumerate() {
        let name = param.name();
        let is_same =
            |it: &&FunctionalParam| it.name().value == name.value || it.of.value == param.of.value;
        let same = functional.params[..at].iter().find(is_same);
        if let Some(first) = same {
            let message = format!("`{}` occurs twice", name.value);
            cx.error(codes::DUPLICATE_PARAMETER, &name.span, message)
                .also(&first.name().span, "first here")
                .help("remove one of them");
        }
        let Some(role) = param.role(schema) else {
            unknown(cx, param, schema);
            continue;
        };
        let is_required = match role {
            FunctionalRole::Param(of) => {
                check_default(cx, param, of);
                of.default.is_none() && param.default.is_none()
            }
            FunctionalRole::Word(word) => {
                check_word(cx, param, word, functional, schema);
                false
            }
        };
        match defaulted {
            Some(before) if is_required => {
                let (before, message) = (before.name(), needs_default(name, before.name()));
                cx.error(codes::DEFAULT_ORDER, &name.span, message)
                    .also(&before.span, "this one may be left out")
                    .help("give it one, or move it in front");
            }
            None if !is_required => defaulted = Some(param),
            _ => {}
        }
    }
    left_out(cx, functional, schema);
}

fn needs_default(name: &Spanned<String>, before: &Spanned<String>) -> String {
    format!("`{}` needs a default, because `{}` has one", name.value, before.value)
}

fn unknown(cx: &mut Diagnostics, param: &FunctionalParam, schema: &Schema) {
    let of = &param.of;
    let message = format!("`{}` has no parameter `{}`", schema.name, of.value);
    let known: Vec<&str> =
        listed(schema).map(|it| python_param(it, true)).chain(Word::ALL.map(Word::name)).collect();
    cx.error(codes::UNKNOWN_PARAMETER, &of.span, message).choose(&of.value, &known);
}

fn check_default(cx: &mut Diagnostics, param: &FunctionalParam, of: &Param) {
    let ty = &of.ty.value;
    let Some(default) = param.default.as_ref().filter(|it| !ty.admits(&it.value)) else { return };
    let message = format!("`{}` is not a value of type `{ty}`", default.value);
    cx.error(codes::DEFAULT_TYPE, &default.span, message)
        .also(&of.ty.span, "the parameter's type")
        .help("write a value of that type");
}

/// A word has its own name and default, and the older forms of `reduction` go with it.
fn check_word(
    cx: &mut Diagnostics,
    param: &FunctionalParam,
    word: Word,
    functional: &Functional,
    schema: &Schema,
) {
    let name = word.name();
    let renamed = param.renamed.as_ref().map(|it| &it.span);
    if let Some(span) = renamed.or(param.default.as_ref().map(|it| &it.span)) {
        let message = format!("`{name}` has a name and a default of its own");
        cx.error(codes::WRONG_VALUE, span, message).help(format_args!("write `{name}` alone"));
    }
    let is_listed = |it: &FunctionalParam| matches!(it.role(schema), Some(FunctionalRole::Param(of)) if is_reduction(of));
    if word.reduces() && !functional.params.iter().any(is_listed) {
        let message = format!("`{name}` is an older form of `reduction`, which is not listed");
        cx.error(codes::UNKNOWN_PARAMETER, &param.of.span, message)
            .help("list `Reduction reduction` of the operator, too");
    }
}

/// The operator's parameters without defaults that are not listed.
fn left_out(cx: &mut Diagnostics, functional: &Functional, schema: &Schema) {
    for param in listed(schema).filter(|it| it.default.is_none()) {
        let name = python_param(param, true);
        if functional.params.iter().any(|it| it.of.value == name) {
            continue;
        }
        let message = format!("`{}` leaves out `{name}`", functional.name.value);
        cx.error(codes::WRONG_VALUE, &functional.name.span, message)
            .also(&param.name.span, "it has no default")
            .help(format_args!("list `{name}`, here with a default if it may be left out"));
    }
}
