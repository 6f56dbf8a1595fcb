//! The schema that a function's signature says.
//!
//! ```text
//! #[native_op(signature = (x, *, factor = 1.0))]
//! fn scale(x: &Tensor, factor: f64) -> Result<Tensor>
//!
//! scale(Tensor x, *, float factor=1.0) -> Tensor
//! ```
//!
//! What is written to is returned: `self_: &mut Tensor`, and a `&mut Tensor`
//! behind the `*`, which is an `out=` argument.

use opwright_diagnostics::diag::{Diagnostics, nearest};
use opwright_schema::model::{
    self, Annotation, BaseType, Return, Role, Schema, Spanned, Type as SchemaType,
};
use opwright_schema::parse::{assign_roles, is_identifier, parse_default, parse_op_name};
use opwright_schema::types::Natives;
use proc_macro2::{Ident, Span};
use syn::spanned::Spanned as _;
use syn::{Error, Expr, ExprLit, ExprPath, FnArg, ItemFn, Lit, Pat, Result, Type, UnOp};

use crate::attribute::Style;
use crate::codes;
use crate::form::{Form, syntax};
use crate::items::{Item, Items};
use crate::mistake::{combined, mistake, mistake_in};
use crate::types;

/// Where a token stands, in the words of the schema crate.
pub type Places<'a> = dyn FnMut(Span) -> model::Span + 'a;

/// The schema, with the places of the tokens that say it. Whether it makes
/// sense is for `schema::validate`.
///
/// # Errors
///
/// Types that are none of a schema, names that are no parameters, defaults
/// that are no literals: each at its place.
pub fn schema_of(
    items: &Items,
    style: &Style,
    form: &Form,
    func: &ItemFn,
    natives: Natives<'_>,
    place: &mut Places<'_>,
) -> Result<Schema> {
    let function = RustFunction { form, natives, params: params(func)? };
    let listed = function.listed(items)?;
    let mut errors = Vec::new();
    let mut params = Vec::new();
    for entry in &listed {
        let written = params.iter().filter(|it: &&model::Param| it.writes()).count();
        match function.param(entry, written, place) {
            Ok(param) => params.extend(param),
            Err(error) => errors.push(error),
        }
    }
    let returns = function.returns(func, &listed, place);
    errors.extend(returns.as_ref().err().cloned());
    combined(errors)?;
    let star = listed.iter().position(|it| matches!(it, ListedParam::Star)).unwrap_or(params.len());
    let mut cx = Diagnostics::new();
    assign_roles(&mut cx, &mut params, star);
    let own = func.sig.ident.to_string();
    let own = (own.trim_start_matches("r#").to_owned(), func.sig.ident.span());
    let (text, span) = style.name.as_ref().unwrap_or(&own);
    let name_span = place(*span);
    let name = parse_op_name(&mut cx, text, &name_span);
    first_finding(cx, *span)?;
    let name = name.ok_or_else(|| mistake(codes::SYNTAX, *span, "not a name"))?.value;
    let returns = returns?;
    Ok(Schema { name, params, returns, span: place(func.sig.ident.span()), name_span })
}

/// What the schema crate does not take in these tokens.
fn first_finding(cx: Diagnostics, span: Span) -> Result<()> {
    let findings = cx.finish().err().unwrap_or_default();
    combined(findings.first().map(|it| mistake(it.code, span, &it.message)))
}

/// A parameter of the function.
struct FunctionParam<'a> {
    /// As the schema has it.
    name: String,
    ty: &'a Type,
    span: Span,
}

/// What stands in the schema's list of parameters.
enum ListedParam<'a> {
    Star,
    Param { param: &'a FunctionParam<'a>, default: Option<&'a Expr>, keyword: bool },
}

fn params(func: &ItemFn) -> Result<Vec<FunctionParam<'_>>> {
    let mut params = Vec::new();
    for arg in &func.sig.inputs {
        let FnArg::Typed(arg) = arg else { continue };
        let Pat::Ident(pat) = &*arg.pat else {
            let message = "a parameter of an operator has a name";
            return Err(mistake_in(codes::NO_PARAMETER_NAME, &arg.pat, message));
        };
        let name = plain(&pat.ident);
        if !is_identifier(&name) {
            let message = format!(
                "`{name}` is not a name in a schema: it has ASCII letters, digits and `_`, and does \
                 not start with a digit"
            );
            return Err(mistake(opwright_schema::codes::NAME, pat.ident.span(), message));
        }
        params.push(FunctionParam { name, ty: &arg.ty, span: pat.ident.span() });
    }
    Ok(params)
}

/// `self_` and `r#where` are `self` and `where`; `_unused` is `unused`.
pub(crate) fn plain(name: &Ident) -> String {
    let name = name.to_string();
    let name = name.strip_prefix("r#").unwrap_or(&name);
    let known = ["self_", "super_", "crate_", "Self_"].contains(&name);
    let name = if known { &name[..name.len() - 1] } else { name };
    name.trim_start_matches('_').to_owned()
}

struct RustFunction<'a> {
    form: &'a Form,
    natives: Natives<'a>,
    params: Vec<FunctionParam<'a>>,
}

impl RustFunction<'_> {
    /// The parameters as the attribute lists them, which is all, in order.
    fn listed<'a>(&'a self, items: &'a Items) -> Result<Vec<ListedParam<'a>>> {
        let Some(items_) = &items.items else {
            let all = self.params.iter();
            return Ok(all
                .map(|param| ListedParam::Param { param, default: None, keyword: false })
                .collect());
        };
        let mut listed = Vec::new();
        let mut keyword = false;
        let mut rest = self.params.iter();
        for item in items_ {
            let (name, default) = match item {
                Item::Star(_) => {
                    keyword = true;
                    listed.push(ListedParam::Star);
                    continue;
                }
                Item::Param { name, default } => (name, default.as_deref()),
            };
            match rest.next() {
                Some(param) if param.name == plain(name) => {
                    listed.push(ListedParam::Param { param, default, keyword });
                }
                expected => return Err(self.out_of_place(name, expected)),
            }
        }
        match rest.next() {
            Some(missing) => {
                let message = format!(
                    "`signature` leaves out the parameter `{}`: list all, or write `signature` alone",
                    missing.name
                );
                Err(mistake(codes::LISTED, missing.span, message))
            }
            None => Ok(listed),
        }
    }

    fn out_of_place(&self, name: &Ident, expected: Option<&FunctionParam<'_>>) -> Error {
        let known = self.params.iter().any(|it| it.name == plain(name));
        let message = match (known, expected) {
            (true, Some(expected)) => format!(
                "the function's parameters have another order: expected `{}` here",
                expected.name
            ),
            (true, None) => format!("`{name}` is listed twice"),
            (false, _) => {
                let names = self.params.iter().map(|it| it.name.as_str());
                match nearest(&plain(name), names) {
                    Some(near) => {
                        format!("the function has no parameter `{name}`; did you mean `{near}`?")
                    }
                    None => format!("the function has no parameter `{name}`"),
                }
            }
        };
        mistake(codes::LISTED, name.span(), message)
    }

    /// The parameter of a schema; `*` is none.
    fn param(
        &self,
        listed: &ListedParam<'_>,
        earlier: usize,
        place: &mut Places<'_>,
    ) -> Result<Option<model::Param>> {
        let ListedParam::Param { param, default, .. } = listed else { return Ok(None) };
        let ty = Spanned::new(self.parameter(param.ty)?, place(param.ty.span()));
        let annotation = mutable(param.ty).then(|| Spanned::new(written(earlier), ty.span.clone()));
        let default = default.map(|it| self::default(it, &param.name, place)).transpose()?;
        let name = Spanned::new(param.name.clone(), place(param.span));
        Ok(Some(model::Param { name, ty, annotation, default, role: Role::Positional }))
    }

    fn parameter(&self, ty: &Type) -> Result<SchemaType> {
        let known = match self.form {
            Form::Elementwise(it) if it.elements.is(ty) => Some(tensor()),
            Form::Arrays(_) => match syntax::argument_of(ty, "Option") {
                Some(inner) => syntax::view_elements(inner).map(|_| optional(tensor())),
                None => syntax::view_elements(ty).map(|_| tensor()),
            },
            Form::Plain | Form::Filling | Form::Elementwise(_) | Form::Core(_) => None,
        };
        let known = known.or_else(|| borrowed(ty, self.natives));
        known.ok_or_else(|| mistake_in(codes::NO_SCHEMA_TYPE, ty, no_parameter(ty)))
    }

    fn returns(
        &self,
        func: &ItemFn,
        listed: &[ListedParam<'_>],
        place: &mut Places<'_>,
    ) -> Result<Vec<Return>> {
        let Some(ty) = syntax::return_type(func) else {
            let message = "a kernel returns a `Result`";
            return Err(mistake(codes::NO_RESULT, func.sig.paren_token.span.close(), message));
        };
        let span = place(ty.span());
        let fresh =
            |ty| Return { name: None, ty: Spanned::new(ty, span.clone()), annotation: None };
        if let Form::Elementwise(it) = self.form {
            return Ok(it.results.iter().map(|_| fresh(tensor())).collect());
        }
        let parts = syntax::parts(syntax::argument_of(ty, "Result").unwrap_or(ty));
        if !parts.is_empty() {
            let owned = |part: &&Type| {
                let ty = self.owned(part);
                ty.ok_or_else(|| mistake_in(codes::NO_RESULT, part, NO_RESULT)).map(fresh)
            };
            return parts.iter().map(owned).collect();
        }
        // What is written to is returned.
        let all = listed.iter().filter(|it| is_written(it)).enumerate();
        let returned = all.filter(|(_, it)| is_returned(it));
        let annotated = returned.map(|(at, _)| Spanned::new(written(at), span.clone()));
        Ok(annotated.map(|it| Return { annotation: Some(it), ..fresh(tensor()) }).collect())
    }

    fn owned(&self, ty: &Type) -> Option<SchemaType> {
        if syntax::is_array(ty) {
            return Some(tensor());
        }
        if let (Form::Arrays(it), Type::Path(_)) = (self.form, ty)
            && it.elements.is(ty)
            && owned(ty, self.natives).is_none()
        {
            return Some(tensor());
        }
        owned(ty, self.natives)
    }
}

fn is_written(listed: &ListedParam<'_>) -> bool {
    matches!(listed, ListedParam::Param { param, .. } if mutable(param.ty))
}

/// Of what is written to, that which is returned.
fn is_returned(listed: &ListedParam<'_>) -> bool {
    matches!(listed, ListedParam::Param { param, keyword, .. } if *keyword || param.name == "self")
}

/// `(a!)` of the first parameter that is written to, `(b!)` of the second.
fn written(at: usize) -> Annotation {
    let letter = ('a'..='z').nth(at).unwrap_or('z');
    Annotation { before: vec![letter], write: true, after: None }
}

fn tensor() -> SchemaType {
    SchemaType::Base(BaseType::Tensor)
}

fn optional(inner: SchemaType) -> SchemaType {
    SchemaType::Optional(Box::new(inner))
}

fn list(element: SchemaType) -> SchemaType {
    SchemaType::List(Box::new(element), None)
}

fn mutable(ty: &Type) -> bool {
    matches!(ty, Type::Reference(it) if it.mutability.is_some())
}

/// The schema's type for the type of a parameter.
pub(crate) fn borrowed(ty: &Type, natives: Natives<'_>) -> Option<SchemaType> {
    match ty {
        Type::Reference(reference) => match &*reference.elem {
            Type::Slice(slice) => borrowed(&slice.elem, natives).map(list),
            inner => word(inner, false, natives),
        },
        Type::Paren(it) => borrowed(&it.elem, natives),
        _ => match syntax::argument_of(ty, "Option") {
            Some(inner) => borrowed(inner, natives).map(optional),
            None => word(ty, true, natives),
        },
    }
}

/// The schema's type for a part of a result.
pub(crate) fn owned(ty: &Type, natives: Natives<'_>) -> Option<SchemaType> {
    let text = SchemaType::Base(BaseType::Str);
    if syntax::is_called(ty, "String") {
        return Some(text);
    }
    match syntax::argument_of(ty, "Vec") {
        Some(inner) => owned(inner, natives).map(list),
        None => {
            let by_reference = || word(ty, false, natives);
            word(ty, true, natives).or_else(by_reference).filter(|it| *it != text)
        }
    }
}

/// One word, of a type that is passed as it is or by reference.
fn word(ty: &Type, copied: bool, natives: Natives<'_>) -> Option<SchemaType> {
    let segment = syntax::last_segment(ty)?;
    let word = segment.ident.to_string();
    let native = || {
        let is_none = || !segment.arguments.is_none() || no_parameter_instead(&word).is_some();
        natives.find(&word, is_none).map(BaseType::Native)
    };
    let base = types::of_rust(&word).cloned().or_else(native)?;
    (types::is_copied(&base) == copied).then_some(SchemaType::Base(base))
}

fn no_parameter(ty: &Type) -> String {
    let name = syntax::last_segment(ty).map(|it| it.ident.to_string()).unwrap_or_default();
    let instead = no_parameter_instead(&name).unwrap_or_else(|| {
        let known = types::parameters_in_rust();
        format!("there are `{known}`, `Option` and slices of these, and `&mut Tensor`")
    });
    format!("no type of a schema is this in Rust; {instead}")
}

/// What to write instead of a type that is often tried.
fn no_parameter_instead(name: &str) -> Option<String> {
    Some(match name {
        "Tensor" | "Generator" | "Storage" => format!("write `&{name}`"),
        "String" => "write `&str`".to_owned(),
        "Vec" => "write a slice, `&[...]`".to_owned(),
        "f32" => "write `f64`".to_owned(),
        "usize" | "isize" | "u8" | "u16" | "u32" | "u64" | "i8" | "i16" | "i32" => {
            "write `i64`".to_owned()
        }
        _ => return None,
    })
}

const NO_RESULT: &str = "an operator cannot return this; there are `Tensor`, `i64`, `f64`, \
                         `bool`, `Scalar`, `String`, `DType`, `Vec` and tuples of these, and `()`";

fn default(value: &Expr, param: &str, place: &mut Places<'_>) -> Result<Spanned<model::Default>> {
    let text = literal(value)?;
    let mut cx = Diagnostics::new();
    let default = parse_default(&mut cx, &text, &place(value.span()), param);
    first_finding(cx, value.span())?;
    default.ok_or_else(|| mistake_in(codes::NO_LITERAL, value, NO_LITERAL))
}

const NO_LITERAL: &str = "a default is a literal: a number, `true`, `\"text\"`, `[1, 2]`, `None` or the word of a constant, such as `float32`";

/// A default in the words of a schema.
fn literal(value: &Expr) -> Result<String> {
    let text = match value {
        Expr::Lit(ExprLit { lit, .. }) => match lit {
            Lit::Int(it) => Some(it.base10_digits().to_owned()),
            Lit::Float(it) => Some(it.base10_digits().to_owned()),
            Lit::Bool(it) => Some(if it.value { "True" } else { "False" }.to_owned()),
            Lit::Str(it) => Some(quoted(&it.value())),
            _ => None,
        },
        Expr::Unary(it) if matches!(it.op, UnOp::Neg(_)) => {
            Some(format!("-{}", literal(&it.expr)?))
        }
        Expr::Array(it) => {
            let items: Vec<String> = it.elems.iter().map(literal).collect::<Result<_>>()?;
            Some(format!("[{}]", items.join(",")))
        }
        Expr::Path(it) if it.path.is_ident("None") => Some("None".to_owned()),
        Expr::Path(it) if it.path.is_ident("True") => Some("True".to_owned()),
        Expr::Path(it) if it.path.is_ident("False") => Some("False".to_owned()),
        Expr::Path(it) => named(it),
        Expr::Group(it) => Some(literal(&it.expr)?),
        Expr::Paren(it) => Some(literal(&it.expr)?),
        Expr::Reference(it) => Some(literal(&it.expr)?),
        _ => None,
    };
    text.ok_or_else(|| mistake_in(codes::NO_LITERAL, value, NO_LITERAL))
}

/// A text in the quotes of a schema.
fn quoted(text: &str) -> String {
    let escaped = text.chars().map(|it| match it {
        '\\' => "\\\\".to_owned(),
        '\'' => "\\'".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        it => it.to_string(),
    });
    format!("'{}'", escaped.collect::<String>())
}

/// A number that is not finite, as Rust or a schema calls it, or the word for a constant.
fn named(value: &ExprPath) -> Option<String> {
    let segments: Vec<String> = value.path.segments.iter().map(|it| it.ident.to_string()).collect();
    match segments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [word] if !word.starts_with(|it: char| it.is_ascii_uppercase()) => Some((*word).to_owned()),
        [.., "f64" | "f32", "INFINITY"] => Some("inf".to_owned()),
        [.., "f64" | "f32", "NEG_INFINITY"] => Some("-inf".to_owned()),
        [.., "f64" | "f32", "NAN"] => Some("nan".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribute;
    use crate::attribute::Subject;

    fn text(attribute: &str, function: &str) -> Result<String> {
        let attribute = attribute::parse(attribute.parse().unwrap())?;
        let func: ItemFn = syn::parse_str(&format!("{function} {{}}")).unwrap();
        let form = Form::read(&attribute, &func)?;
        let Subject::Signature(items) = &attribute.subject else { panic!("{attribute:?}") };
        let mut place = |it: Span| model::Span::new(model::SourceId(0), it.byte_range());
        schema_of(items, &attribute.style, &form, &func, Natives::NONE, &mut place)
            .map(|it| it.to_string())
    }

    #[track_caller]
    fn check(attribute: &str, function: &str, expected: &str) {
        assert_eq!(text(attribute, function).unwrap(), expected);
    }

    #[track_caller]
    fn refuses(attribute: &str, function: &str, expected: &str) {
        let error = text(attribute, function).expect_err(function);
        let messages: Vec<String> = error.into_iter().map(|it| it.to_string()).collect();
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert!(messages[0].contains(expected), "{}", messages[0]);
    }

    #[test]
    fn types_become_those_of_the_schema() {
        check("", "fn f(x: &Tensor) -> Result<Tensor>", "f(Tensor x) -> Tensor");
        check(
            "signature",
            "fn f(x: Option<&Tensor>, at: &[i64], mode: &str, d: Option<DType>) -> Result<()>",
            "f(Tensor? x, int[] at, str mode, ScalarType? d) -> ()",
        );
        check(
            "signature",
            "fn f(all: &[&Tensor], a: Scalar, g: &Generator) -> Result<(Vec<Tensor>, f64)>",
            "f(Tensor[] all, Scalar a, Generator g) -> (Tensor[], float)",
        );
        check(
            "signature, name = \"f_\"",
            "fn f(self_: &mut Tensor, by: f64) -> Result<()>",
            "f_(Tensor(a!) self, float by) -> Tensor(a!)",
        );
        check(
            "signature = (x, *, out), name = \"f.out\"",
            "fn f(x: &Tensor, out: &mut Tensor) -> Result<()>",
            "f.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
        );
        check(
            "signature = (x, *, low, high), name = \"f.out\"",
            "fn f(x: &Tensor, low: &mut Tensor, high: &mut Tensor) -> Result<()>",
            "f.out(Tensor x, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!), Tensor(b!))",
        );
    }

    #[test]
    fn items_give_defaults_and_keywords() {
        check(
            "signature = (x, *, factor = 1.0, dims = [0, -1], mode = \"mean\", k = None)",
            "fn f(x: &Tensor, factor: f64, dims: &[i64], mode: &str, k: Option<i64>) -> Result<i64>",
            "f(Tensor x, *, float factor=1.0, int[] dims=[0,-1], str mode='mean', int? k=None) -> int",
        );
    }

    #[test]
    fn elements_and_views_are_tensors() {
        check(
            "signature, elementwise, dtypes = floating",
            "fn f<T: Float>(x: T, y: T, by: f64) -> (T, bool)",
            "f(Tensor x, Tensor y, float by) -> (Tensor, Tensor)",
        );
        check(
            "signature, dtypes = floating",
            "fn f<T: Float>(x: ArrayView2<'_, T>, w: Option<ArrayViewD<T>>) -> Array1<T>",
            "f(Tensor x, Tensor? w) -> Tensor",
        );
    }

    #[test]
    fn mistakes_are_named() {
        refuses("", "fn f(x: Tensor) -> Result<Tensor>", "write `&Tensor`");
        refuses("", "fn f(x: &Tensor, k: usize) -> Result<Tensor>", "write `i64`");
        refuses("", "fn f(x: &Tensor, k: Shape) -> Result<Tensor>", "there are `&Tensor`, `i64`");
        refuses("", "fn f(x: &Tensor) -> Result<Shape>", "cannot return this");
        refuses("signature = (y)", "fn f(x: &Tensor) -> Result<Tensor>", "no parameter `y`");
        refuses("signature = (x)", "fn f(x: &Tensor, k: i64) -> Result<Tensor>", "leaves out");
        refuses(
            "signature = (k, x)",
            "fn f(x: &Tensor, k: i64) -> Result<Tensor>",
            "another order: expected `x`",
        );
        refuses("signature = (x)", "fn f(é: &Tensor) -> Result<Tensor>", "is not a name");
        refuses("", "fn f(_1: &Tensor) -> Result<Tensor>", "`1` is not a name");
        refuses("signature, name = \"f.\"", "fn f(x: &Tensor) -> Result<Tensor>", "name");
        refuses(
            "signature = (x, k = f())",
            "fn f(x: &Tensor, k: i64) -> Result<Tensor>",
            "a default is a literal",
        );
    }
}
